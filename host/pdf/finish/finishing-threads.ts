import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PdfUpdate } from "@slipway/sdk/runtime/pdf";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { deprecationParameters } from "../../system/deprecations.js";
import { builtFolder } from "../../system/installation.js";
import {
  type EmbedOrder,
  FinishError,
  type FinishedPdf,
  type FinishOrder,
  finishReply,
  updateReply,
} from "./finish-messages.js";

/** What the thread can be asked. */
export type ThreadOrder = FinishOrder | EmbedOrder;
/** Checks what the thread sent. */
type ReplyCheck<T> = (message: unknown) => T | { failure: string };

const idleTime = 60_000;
/** Bytes from which a report is large: a few pages with pictures. */
const large = 256 * 1024;
/**
 * MiB of new objects, which a thread keeps after a few reports. With less, what a large report consists of is moved and
 * collected again and again: eleven pages then take a seventh longer.
 */
const youngGeneration = { small: 16, large: 48 };

/**
 * Finishes reports that the host printed itself and that have no attachments, in threads that are kept: in the host itself, a
 * hundred pages would keep all other requests waiting, and the start of a process takes longer than most reports do (some
 * 200 ms beside 5 for one page). What others made never comes here. Small reports do not wait for large ones.
 */
export class FinishingThreads {
  private readonly small: FinishingThread;
  private readonly large: FinishingThread;

  constructor(limits: PdfConfiguration["attachments"]) {
    this.small = new FinishingThread(limits, youngGeneration.small);
    this.large = new FinishingThread(limits, youngGeneration.large);
  }

  /** Throws `FinishError` when the time, the memory or the thread ends first. */
  async finish(order: FinishOrder): Promise<FinishedPdf> {
    return this.threadFor(order.report).ask(order, finishReply);
  }

  /** The same for embedding files. */
  async planUpdate(order: EmbedOrder): Promise<PdfUpdate> {
    return this.threadFor(order.pdf).ask(order, updateReply);
  }

  /** Starts the thread for small reports unless it runs, so that it is ready when a report is printed. */
  startAhead(): void {
    this.small.startAhead();
  }

  /** Ends the threads for good. */
  stop(): void {
    this.small.stop();
    this.large.stop();
  }

  private threadFor({ byteLength }: Uint8Array): FinishingThread {
    return byteLength < large ? this.small : this.large;
  }
}

/** One report after the other. */
class FinishingThread {
  private thread: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  /** Receives the answer for the current report. */
  private answer: ((reply: unknown) => void) | undefined;
  private stopped = false;

  /** `young`: MiB of new objects. */
  constructor(
    private readonly limits: PdfConfiguration["attachments"],
    private readonly young: number,
  ) {}

  startAhead(): void {
    clearTimeout(this.idle);
    if (this.stopped) return;
    this.thread ??= this.started();
    // A thread keeps much of the memory that a large report took, so it ends when nothing comes for a while.
    this.idle = setTimeout(() => this.end(), idleTime).unref();
  }

  stop(): void {
    this.stopped = true;
    this.end();
  }

  /** In its turn. */
  ask<T extends object>(order: ThreadOrder, check: ReplyCheck<T>): Promise<T> {
    const next = this.last.then(() => this.next(order, check));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async next<T extends object>(order: ThreadOrder, check: ReplyCheck<T>): Promise<T> {
    this.startAhead();
    clearTimeout(this.idle);
    const { thread } = this;
    if (thread === undefined) throw new FinishError("the host is stopping");
    const timer = setTimeout(() => {
      this.answer?.({ failure: "it took too long" });
      this.end();
    }, this.limits.timeout);
    try {
      const message = await new Promise<unknown>((resolve) => {
        this.answer = resolve;
        thread.ref();
        thread.postMessage(order);
      });
      const reply = check(message);
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
      execArgv: deprecationParameters(),
      resourceLimits: {
        maxOldGenerationSizeMb: this.limits.memory,
        maxYoungGenerationSizeMb: this.young,
      },
    });
    thread.unref();
    const gone = (failure: string): void => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      this.answer?.({ failure });
    };
    thread.on("message", (message: unknown) => {
      // A late message of a thread that was ended is not the answer to the next report.
      if (this.thread === thread) this.answer?.(message);
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
