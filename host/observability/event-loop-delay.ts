import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Static, Type } from "@slipway/sdk";

const Milliseconds = Type.Number({ minimum: 0 });

/** Delays of timers because the process was busy, within the last one to two minutes. */
export const EventLoopDelay = Type.Object({ mean: Milliseconds, p99: Milliseconds, max: Milliseconds });
export type EventLoopDelay = Static<typeof EventLoopDelay>;

/**
 * Milliseconds between samples, which Node's measurements include. More samples would be most of the load of an idle host, and
 * these are as likely to meet a delay as requests are.
 */
const resolution = 250;
const period = 60_000;
/** Milliseconds without a request after which no client is assumed to wait. */
const quietTime = 30_000;

/** Watches the event loop of this process while clients wait for something, and for some time after. */
export class EventLoopWatch {
  private readonly histogram = monitorEventLoopDelay({ resolution });
  private last: EventLoopDelay | undefined;
  private timer: NodeJS.Timeout | undefined;
  private rest: NodeJS.Timeout | undefined;

  /** Starts after the start of the host, when no client waits yet. */
  start(): void {
    this.timer = setInterval(() => {
      this.last = this.measured();
      this.histogram.reset();
    }, period).unref();
  }

  /** Watches from now on, as long as a client waits and for some time after. */
  watch(isAwaited: () => boolean): void {
    if (this.rest !== undefined) return void this.rest.refresh();
    // Enabling the histogram again clears it.
    this.last = this.delay;
    this.histogram.enable();
    this.rest = setTimeout(() => {
      if (isAwaited()) return void this.rest?.refresh();
      this.rest = undefined;
      this.histogram.disable();
    }, quietTime).unref();
  }

  get delay(): EventLoopDelay {
    const now = this.measured();
    const { last = now } = this;
    return {
      mean: this.histogram.count === 0 ? last.mean : now.mean,
      p99: Math.max(last.p99, now.p99),
      max: Math.max(last.max, now.max),
    };
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.rest);
    this.histogram.disable();
  }

  private measured(): EventLoopDelay {
    const { histogram } = this;
    if (histogram.count === 0) return { mean: 0, p99: 0, max: 0 };
    return {
      mean: beyond(histogram.mean),
      p99: beyond(histogram.percentile(99)),
      max: beyond(histogram.max),
    };
  }
}

/** Milliseconds beyond the usual time between two samples, to a tenth. */
function beyond(nanoseconds: number): number {
  return Math.max(0, Math.round((nanoseconds / 1e6 - resolution) * 10) / 10);
}
