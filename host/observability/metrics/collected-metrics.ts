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
        for (const { labels, value } of await samples(this)) this.set(labels, value);
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
        for (const { labels, value } of await samples(this)) this.inc(labels, value);
      },
    });
  }

  private facts<L extends string>(name: string, help: string, labels: readonly L[]) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  /** Asks for samples, and empties the metric for them. */
  private samplesOf<L extends string>(name: string, ask: Ask<L>) {
    return async (metric: Gauge<L> | Counter<L>): Promise<readonly (Sample<L> | Sample<never>)[]> => {
      const asked = await this.answer(name, ask);
      metric.reset();
      // A missing value is not 0.
      metric.remove({});
      return typeof asked === "number" ? [{ labels: {}, value: asked }] : (asked ?? []);
    };
  }

  private async answer<L extends string>(name: string, ask: Ask<L>): Promise<Asked<L>> {
    try {
      const asked = await ask();
      this.failing.delete(name);
      return asked;
    } catch (error) {
      // Scrapes come every few seconds.
      if (!this.failing.has(name)) this.log.warn("A metric has no numbers", { metric: name, error });
      this.failing.add(name);
      return undefined;
    }
  }
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
