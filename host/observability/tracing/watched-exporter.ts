import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Log } from "@slipway/sdk";

/** Codes of the SDK's results; its enumeration lies in a package that is not ours to import. */
const failed = 1;

/** Sends spans with another exporter, and says once that they do not arrive, and once that they do again. */
export class WatchedExporter implements SpanExporter {
  private isFailing = false;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    this.exporter.export(spans, (result) => {
      if (result.code === failed) this.failed(spans.length, result.error);
      else this.arrived();
      // The SDK would write to the console of what is told here.
      done({ code: 0 });
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private failed(spans: number, error: unknown): void {
    this.lost += spans;
    if (this.isFailing) return;
    this.isFailing = true;
    this.log.warn("Traces cannot be sent; requests go on without them", { error });
  }

  private arrived(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.log.info("Traces are sent again", { lost: this.lost });
    this.lost = 0;
  }
}
