import type { PrintJob } from "@slipway/sdk/runtime/host";
import { longestTimer, monotonicTime } from "../../system/time.js";
import { aborted, timedOut } from "./print-errors.js";

/** The end of a job: its deadline, which counts from the arrival of the request, or its caller giving up. */
export class JobLimit {
  /** What the job is doing, for the message at the deadline. */
  phase = "waiting for a free page";
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = (): void => this.controller.abort(aborted(this.job.signal));

  constructor(private readonly job: PrintJob) {
    const remaining = Math.min(Math.max(0, job.deadline - monotonicTime()), longestTimer);
    this.timer = setTimeout(() => this.controller.abort(timedOut(this.phase)), remaining);
    if (job.signal.aborted) this.giveUp();
    else job.signal.addEventListener("abort", this.giveUp, { once: true });
    if (remaining === 0) this.controller.abort(timedOut(this.phase));
  }

  /** Its reason is the error for the caller. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * The promise, or the error for the caller when the job ends first, or 504 after the milliseconds of this phase.
   * Progress restarts them: a result of `progress` that differs from the one before.
   */
  async race<T>(
    promise: Promise<T>,
    phase: string,
    milliseconds?: number,
    progress: () => unknown = () => undefined,
  ): Promise<T> {
    this.phase = phase;
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason);
      if (this.signal.aborted) stop();
      this.signal.addEventListener("abort", stop, { once: true });
      let seen = progress();
      const check = () => {
        const now = progress();
        if (now === seen) return reject(timedOut(phase));
        seen = now;
        timer = setTimeout(check, milliseconds);
      };
      if (milliseconds !== undefined) timer = setTimeout(check, milliseconds);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      clearTimeout(timer);
      if (stop !== undefined) this.signal.removeEventListener("abort", stop);
    }
  }

  /** The job is over; nothing ends it any more. */
  release(): void {
    clearTimeout(this.timer);
    this.job.signal.removeEventListener("abort", this.giveUp);
  }
}
