/** Numbers of a plugin for the monitoring of its server. */

/** A value for each label of a metric; texts of a small, known set, never what a client sent. */
export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/** The labels as last argument, where a metric has any. */
export type LabelArguments<L extends string> = [L] extends [never] ? [] : [labels: MetricLabels<L>];

/** A number that only grows. */
export interface MetricCounter<L extends string = never> {
  /** `amount` is a finite number, not below 0. */
  add(amount: number, ...labels: LabelArguments<L>): void;
}

/** A number that goes up and down. */
export interface MetricGauge<L extends string = never> {
  /** `value` is a finite number. */
  set(value: number, ...labels: LabelArguments<L>): void;
}

/** How often values of each size occurred. */
export interface MetricHistogram<L extends string = never> {
  /** `value` is a finite number. */
  observe(value: number, ...labels: LabelArguments<L>): void;
}

/**
 * Makes metrics; meant for `setup`. Names are small letters, digits and "_", and begin with a letter; durations are in
 * seconds, sizes in bytes, and the name ends with the unit. The server shows them as `slipway_plugin_<name>` with the labels
 * `plugin` and `version` beside the metric's own. A name or label that does not fit ends with a `TypeError`. What is told of a
 * metric is gathered and sent about once a second; it never fails and never waits. Metrics and values of labels beyond the
 * host's limits are dropped, with one warning in the log.
 */
export interface Metrics {
  /** The name ends with "_total". */
  counter<const L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
  ): MetricCounter<L>;
  /** For a number that goes up and down; `help` is one sentence for who reads the metrics. */
  gauge<const L extends string = never>(name: string, help: string, labels?: readonly L[]): MetricGauge<L>;
  /** `buckets` are upper bounds, growing, at most 20; without them, those of durations from 5 ms to 300 s. */
  histogram<const L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): MetricHistogram<L>;
}

/** Upper bounds for durations, in seconds. */
export const durationBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];
