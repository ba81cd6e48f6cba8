import type { Log } from "@slipway/sdk";
import { Counter, Gauge, type Registry } from "prom-client";

/** One sample of a metric. */
export interface Sample<L extends string> {
  labels: Readonly<Record<L, string>>;
  value: number;
}

/** Metrics kept elsewhere and read at each scrape; without labels there is one at most. */
type Asked<L extends string> = number | undefined | readonly Sample<L>[];

type Ask<L extends string> = () => Asked<L> | Promise<Asked<L>>;

/** Metrics whose numbers the parts of the host keep. If a part cannot answer, only its own metrics are missing. */
export class CollectedMetrics {
  private readonly failing = new Set<string>();

  constructor(
    private readonly registry: Registry,
    private readonly log: Log,
  ) {}

  /** A gauge, read at each scrape; undefined values are not shown. */
  gauge<L extends string = never>(name: string, help: string, ask: Ask<L>, labels: readonly L[] = []): void {
    const samples = this.samplesOf(name, ask);
    new Gauge<L>({
      ...this.facts(name, help, labels),
      async collect() {
        const found = await samples();
        empty(this);
        for (const { labels, value } of found) this.set(labels, value);
      },
    });
  }

  /** The same for a counter. */
  counter<L extends string = never>(
    name: string,
    help: string,
    ask: Ask<L>,
    labels: readonly L[] = [],
  ): void {
    const samples = this.samplesOf(name, ask);
    new Counter<L>({
      ...this.facts(name, help, labels),
      async collect() {
        const found = await samples();
        empty(this);
        for (const { labels, value } of found) this.inc(labels, value);
      },
    });
  }

  private facts<L extends string>(name: string, help: string, labels: readonly L[]) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  private samplesOf<L extends string>(name: string, ask: Ask<L>) {
    return async (): Promise<readonly (Sample<L> | Sample<never>)[]> => {
      try {
        const asked = await ask();
        this.failing.delete(name);
        return typeof asked === "number" ? [{ labels: {}, value: asked }] : (asked ?? []);
      } catch (error) {
        // Scrapes come every few seconds.
        if (!this.failing.has(name)) this.log.warn("A metric has no numbers", { metric: name, error });
        this.failing.add(name);
        return [];
      }
    };
  }
}

/** Right before the samples are written: of scrapes at the same time, each would add its own. */
function empty<L extends string>(metric: Gauge<L> | Counter<L>): void {
  metric.reset();
  // A missing value is not 0.
  metric.remove({});
}

/** Concurrent callers, such as the metrics of one scrape, share one call. */
export function singleFlight<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
