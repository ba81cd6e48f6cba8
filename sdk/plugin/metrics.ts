/** Metrics of a plugin for monitoring. */

/** A value for each label of a metric, from a small, known set; never client input. */
export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/** The labels as last argument, if the metric has any. */
export type LabelArguments<L extends string> = [L] extends [never] ? [] : [labels: MetricLabels<L>];

/** A counter that only increases. */
export interface MetricCounter<L extends string = never> {
  /** `amount` is a finite number, not below 0. */
  add(amount: number, ...labels: LabelArguments<L>): void;
}

/** A gauge that goes up and down. */
export interface MetricGauge<L extends string = never> {
  /** `value` is a finite number. */
  set(value: number, ...labels: LabelArguments<L>): void;
}

/** A distribution of values. */
export interface MetricHistogram<L extends string = never> {
  /** `value` is a finite number. */
  observe(value: number, ...labels: LabelArguments<L>): void;
}

/**
 * Creates metrics; call it in `setup`. Names consist of lower-case letters, digits and "_", and begin with a letter.
 * Durations are in seconds, sizes in bytes; the name ends with the unit. The server exposes them as
 * `slipway_plugin_<name>` with the labels `plugin` and `version` in addition to the metric's own. An invalid name or
 * label throws a `TypeError`. Values are collected and sent about once a second; recording never fails or waits.
 * Metrics and label values beyond the host's limits are dropped, with one warning in the log.
 */
export interface Metrics {
  /** The name ends with "_total". */
  counter<const L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
  ): MetricCounter<L>;
  /** `help` is one sentence for readers of the metrics. */
  gauge<const L extends string = never>(name: string, help: string, labels?: readonly L[]): MetricGauge<L>;
  /** `buckets`: increasing upper bounds, at most 20; default: durations from 5 ms to 300 s. */
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
