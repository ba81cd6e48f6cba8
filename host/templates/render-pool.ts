/**
 * Renders templates in separate processes, one report per process at a time. A template that loops or exhausts the
 * memory costs only its own report and a new process; queued reports continue.
 */
import type { Log } from "@slipway/sdk";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import { asError } from "../system/errors.js";
import { overloaded } from "../system/request-errors.js";
import type { LoadedTemplate } from "./loaded-template.js";
import {
  processLost,
  RenderFailure,
  stopping,
  tooLong,
  tooMuchMemory,
  unavailable,
} from "./render-errors.js";
import { type Limits, type RenderInput, RenderJob } from "./render-job.js";
import { packageOf, type RenderProcessMessage, type RenderProcessReply } from "./render-messages.js";
import { ProcessEnded, RenderingProcess } from "./rendering-process.js";
import type { TemplateProblem } from "./template-problem.js";

/** Milliseconds for a process to end an endless loop itself before it is killed. */
const grace = 1000;
const longestPause = 10_000;
/** After this many failed starts in a row, queued jobs are rejected. */
const enoughFailedStarts = 3;

export class RenderPool {
  private readonly idle: RenderingProcess[] = [];
  private readonly all = new Set<RenderingProcess>();
  private readonly queue: RenderJob[] = [];
  private failedStarts = 0;
  private stopped = false;

  constructor(
    private readonly size: number,
    private readonly strict: boolean,
    private readonly configuration: TemplatesConfiguration,
    private readonly log: Log,
  ) {}

  /** Starts processes up to the pool size; they become ready later. */
  start(): void {
    while (!this.stopped && this.all.size < this.size) this.startProcess();
  }

  /** All problems of the EJS files of a template. */
  async check(template: LoadedTemplate, limits: Limits): Promise<TemplateProblem[]> {
    const reply = await this.run(template, undefined, limits);
    if (reply.type !== "loaded")
      throw new Error("The reply of a rendering process does not fit its question.");
    return reply.problems.map((problem) => ({ ...problem, line: problem.line ?? undefined }));
  }

  /** Rejects with `RenderFailure`, or with a `RequestError`: 503 `request-overloaded`, 504 `request-timeout`. */
  async render(
    template: LoadedTemplate,
    input: RenderInput,
    limits: Limits,
  ): Promise<{ html: string; missing: string[] }> {
    const reply = await this.run(template, input, limits);
    if (reply.type !== "rendered")
      throw new Error("The reply of a rendering process does not fit its question.");
    return reply;
  }

  forget(version: string): void {
    for (const process of this.all) process.forget(version);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const job of this.queue.splice(0)) job.reject(stopping());
    const ended = [...this.all].map((process) => process.ended);
    for (const process of this.all) process.kill();
    await Promise.all(ended);
  }

  private run(
    template: LoadedTemplate,
    input: RenderInput | undefined,
    limits: Limits,
  ): Promise<RenderProcessReply> {
    if (this.stopped) return Promise.reject(stopping());
    if (this.queue.length >= this.configuration.queueLimit)
      return Promise.reject(overloaded("Too many reports wait for a process that renders templates."));
    if (this.failedStarts === 0) this.start();
    const job = new RenderJob(template, input, limits);
    job.outcome.finally(() => this.withdraw(job)).catch(() => undefined);
    if (!job.settled) this.queue.push(job);
    this.next();
    return job.outcome;
  }

  private withdraw(job: RenderJob): void {
    const waiting = this.queue.indexOf(job);
    if (waiting >= 0) this.queue.splice(waiting, 1);
  }

  private next(): void {
    while (this.queue.length > 0) {
      const process = this.idle.shift();
      if (!process) return;
      const job = this.queue.shift();
      if (job && !job.settled) void this.work(process, job);
      else this.idle.unshift(process);
    }
  }

  private async work(process: RenderingProcess, job: RenderJob): Promise<void> {
    job.process = process;
    try {
      const reply = await this.converse(process, job);
      job.process = undefined;
      this.settle(job, reply);
    } catch (error) {
      job.process = undefined;
      this.recover(process, job, error);
    }
    if (process.ending) return;
    this.idle.push(process);
    this.next();
  }

  private async converse(process: RenderingProcess, job: RenderJob): Promise<RenderProcessReply> {
    const { template, input } = job;
    const { version } = template;
    if (!input || !process.loaded.has(version)) {
      const reply = await this.ask(process, job, { type: "load", template: packageOf(template) });
      if (reply.type === "loaded") process.loaded.add(version);
      if (!input || reply.type !== "loaded") return reply;
    }
    return this.ask(process, job, { type: "render", version, ...input });
  }

  /** A process that does not end the work itself in time is blocked. */
  private async ask(
    process: RenderingProcess,
    job: RenderJob,
    question: RenderProcessMessage,
  ): Promise<RenderProcessReply> {
    const watchdog = setTimeout(() => {
      job.reject(tooLong(this.configuration));
      process.kill();
    }, this.configuration.timeLimit + grace);
    try {
      return await process.ask(question, job.log);
    } finally {
      clearTimeout(watchdog);
    }
  }

  private settle(job: RenderJob, reply: RenderProcessReply): void {
    if (reply.type === "failed") {
      job.reject(new RenderFailure({ ...reply.problem, line: reply.problem.line ?? undefined }));
    } else if (reply.type === "overtime") {
      const { file, line } = reply;
      job.reject(tooLong(this.configuration, { file, line: line ?? undefined }));
    } else job.resolve(reply);
  }

  /** A job whose process ended without its fault is retried. */
  private recover(process: RenderingProcess, job: RenderJob, error: unknown): void {
    if (job.settled) return;
    if (!(error instanceof ProcessEnded)) job.reject(asError(error));
    else if (this.stopped) job.reject(stopping());
    // Other templates in the process may have used the memory; a new process starts without them.
    else if (error.reason === "memory" && process.holdsBeside(job.template.version)) this.again(job);
    else if (error.reason === "memory") job.reject(tooMuchMemory(this.configuration));
    else if (job.retried) job.reject(processLost());
    else {
      job.retried = true;
      this.again(job);
    }
  }

  private again(job: RenderJob): void {
    this.queue.unshift(job);
    this.next();
  }

  private startProcess(): void {
    const { timeLimit, outputLimit, memoryLimit } = this.configuration;
    const options = { strict: this.strict, timeLimit, outputLimit };
    const process = new RenderingProcess(options, memoryLimit, this.log);
    this.all.add(process);
    process.ready.then(
      () => {
        this.failedStarts = 0;
        this.idle.push(process);
        this.next();
      },
      (error: unknown) => {
        this.failedStarts++;
        if (this.stopped) return;
        this.log.error("A process that renders templates could not start.", { error });
        if (this.failedStarts < enoughFailedStarts) return;
        for (const job of this.queue.splice(0)) job.reject(unavailable());
      },
    );
    void process.ended.then(() => this.replace(process));
  }

  private replace(process: RenderingProcess): void {
    this.all.delete(process);
    const position = this.idle.indexOf(process);
    if (position >= 0) this.idle.splice(position, 1);
    const pause = this.failedStarts === 0 ? 0 : Math.min(100 * 2 ** this.failedStarts, longestPause);
    setTimeout(() => this.start(), pause).unref();
  }
}
