import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { builtFolder } from "../../system/installation.js";
import { FinishError, type FinishedPdf, type FinishOrder, finishReply } from "./finish-messages.js";

type Reply = ReturnType<typeof finishReply>;

const idleTime = 60_000;

/**
 * Finishes reports that the host printed itself and that have no attachments, one after the other, in a thread that is
 * kept: in the host itself, a hundred pages would keep all other requests waiting, and the start of a process takes longer
 * than most reports do (some 200 ms beside 5 for one page). What others made never comes here.
 */
export class FinishingThread {
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  /** Where the report at hand gets its answer. */
  private answer: ((reply: Reply) => void) | undefined;
  private stopped = false;

  constructor(private readonly limits: PdfConfiguration["attachments"]) {}

  /** Throws `FinishError` when the time, the memory or the thread ends first. */
  async finish(order: FinishOrder): Promise<FinishedPdf> {
    const finishing = this.last.then(() => this.next(order));
    this.last = finishing.catch(() => undefined);
    return finishing;
  }

  /** Starts the thread, if there is none, so that it is there when a report is printed. */
  startAhead(): void {
    clearTimeout(this.idle);
    if (this.stopped) return;
    this.thread ??= this.started();
    // A thread keeps much of the memory that a large report took, so it ends when nothing comes for a while.
    this.idle = setTimeout(() => this.end(), idleTime).unref();
  }

  /** Ends the thread for good. */
  stop(): void {
    this.stopped = true;
    this.end();
  }

  private async next(order: FinishOrder): Promise<FinishedPdf> {
    this.startAhead();
    clearTimeout(this.idle);
    const { thread } = this;
    if (thread === undefined) throw new FinishError("the host is stopping");
    const timer = setTimeout(() => {
      this.answer?.({ failure: "it took too long" });
      this.end();
    }, this.limits.timeout);
    try {
      const reply = await new Promise<Reply>((resolve) => {
        this.answer = resolve;
        thread.ref();
        thread.postMessage(order);
      });
      if ("failure" in reply) throw new FinishError(reply.failure);
      return reply;
    } finally {
      clearTimeout(timer);
      this.answer = undefined;
      thread.unref();
      if (this.thread !== undefined) this.startAhead();
    }
  }

  private started(): Worker {
    const thread = new Worker(join(builtFolder, "pdf", "finish", "finish-in-thread.js"), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memory },
    });
    thread.unref();
    const gone = (failure: string): void => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      this.answer?.({ failure });
    };
    thread.on("message", (message: unknown) => {
      // What a thread still says when it was ended is no answer to the next report.
      if (this.thread === thread) this.answer?.(finishReply(message));
    });
    thread.on("error", (error) => gone(error.message));
    thread.on("exit", () => gone("the thread ended"));
    return thread;
  }

  private end(): void {
    clearTimeout(this.idle);
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
    this.answer?.({ failure: "the thread was ended" });
  }
}
