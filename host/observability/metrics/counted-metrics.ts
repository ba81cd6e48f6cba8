import { durationBuckets } from "@slipway/sdk";
import { Counter, Histogram, type Registry } from "prom-client";

/** Creates the metrics of one registry that the host counts itself. */
export function countedMetrics(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    /** Of seconds. */
    histogram: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
      new Histogram({ name, help, labelNames, buckets: [...durationBuckets], registers }),
  };
}
