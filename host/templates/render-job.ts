import type { Log } from "@slipway/sdk";
import type { Work } from "@slipway/sdk/runtime/host";
import { monotonicTime } from "../system/monotonic-time.js";
import type { LoadedTemplate } from "./loaded-template.js";
import { outOfTime } from "./render-errors.js";
import type { RenderProcessReply } from "./render-messages.js";
import type { RenderingProcess } from "./rendering-process.js";

export interface RenderInput {
  /** JSON text. */
  data: string;
  locale: string;
  formatLocale: string;
}

export interface Limits {
  signal: AbortSignal;
  /** By `monotonicTime`. */
  deadline: number;
  /** The work that the rendering belongs to. */
  work: Work;
}

const longestTimer = 2 ** 31 - 1;

/** A task for a rendering process, with a deadline. */
export class RenderJob {
  readonly outcome: Promise<RenderProcessReply>;
  settled = false;
  /** Whether a process ended without its fault before. */
  retried = false;
  /** The process that runs it. */
  process: RenderingProcess | undefined;
  private succeed: (reply: RenderProcessReply) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = () => {
    this.reject(outOfTime());
    this.process?.kill();
  };

  /** `input` undefined: only checks the template. */
  constructor(
    readonly template: LoadedTemplate,
    readonly input: RenderInput | undefined,
    private readonly limits: Limits,
  ) {
    const { signal, deadline } = limits;
    this.outcome = new Promise((resolve, reject) => {
      this.succeed = resolve;
      this.fail = reject;
    });
    const left = deadline - monotonicTime();
    this.timer = setTimeout(this.giveUp, Math.min(Math.max(left, 0), longestTimer));
    signal.addEventListener("abort", this.giveUp);
    if (signal.aborted || left <= 0) this.giveUp();
  }

  /** The log of the request. */
  get log(): Log {
    return this.limits.work.log;
  }

  resolve(reply: RenderProcessReply): void {
    this.settle();
    this.succeed(reply);
  }

  reject(error: Error): void {
    this.settle();
    this.fail(error);
  }

  private settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener("abort", this.giveUp);
  }
}
