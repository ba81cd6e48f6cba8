/** One number of a plugin's metrics. */
export interface TestSample {
  /** Name and version of the plugin, such as `greeting@1.0.0`. */
  plugin: string;
  /** What the plugin made it as. */
  kind: "counter" | "gauge" | "histogram";
  /** As the plugin named it. */
  name: string;
  /** Values by the names of the labels; empty for a metric without any. */
  labels: Readonly<Record<string, string>>;
  /** The sum of a counter, the last value of a gauge, the sum of the values of a histogram. */
  value: number;
  /** How many values there were; of a histogram only. */
  count?: number;
}

/** What plugins counted and measured. */
export interface TestMetrics {
  /** All of it, by plugin, name and labels; suppressed errors as `suppressed_errors_total` with the label `id`. */
  readonly samples: readonly TestSample[];
  /** The value of the tested plugin's metric under exactly these labels; undefined when it has none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}
