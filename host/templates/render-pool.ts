/**
 * Renders templates in separate processes, one report per process at a time. A template that loops or exhausts the
 * memory costs only its own report and a new process; queued reports continue.
 */
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import { untraced, type Work } from "@slipway/sdk/runtime/host";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import { type AnsweringProcess, ProcessLost } from "../system/answering-process.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { hostCheck } from "../system/host-check.js";
import { builtFolder } from "../system/installation.js";
import { ProcessPool } from "../system/process-pool.js";
import { overloaded } from "../system/request-errors.js";
import { longestTimer, monotonicTime } from "../system/time.js";
import { type LoadedTemplate, located } from "./loaded-template.js";
import {
  outOfTime,
  processLost,
  RenderFailure,
  stopping,
  tooLong,
  tooMuchMemory,
  unavailable,
} from "./render-errors.js";
import {
  packageOf,
  type RenderProcessMessage,
  type RenderProcessOptions,
  type RenderProcessReply,
} from "./render-messages.js";
import type { TemplateProblem } from "./template-problem.js";

/** Milliseconds for a process to end an endless loop itself before it is killed. */
const grace = 1000;
/** A list that grows is copied: reviewed loops are ended with their place before the heap is full. */
const reviewHeapFactor = 3;
/** MiB: the processes live as long as the host, and reports of a thousand articles take no longer with it. */
const semiSpace = { largest: 4 };
/**
 * Milliseconds that the check of a template waits for a process; the check itself has the time limit of any
 * template. Long, because all templates are checked at the start, when the machine is busy.
 */
const checkWait = 60_000;
const checkReply = hostCheck<typeof RenderProcessReply>("reply", "render-reply");

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

/** What a check finds in the files of a template. */
export interface TemplateFindings {
  /** They keep it from being served. */
  problems: TemplateProblem[];
  /** Other mistakes, for its author. */
  notes: TemplateProblem[];
}

type Renderer = AnsweringProcess<RenderProcessReply>;

export class RenderPool {
  private readonly pool: ProcessPool<RenderProcessReply>;
  /** Loaded versions by process. */
  private readonly loaded = new WeakMap<Renderer, Set<string>>();

  constructor(
    size: number,
    strict: boolean,
    private readonly configuration: TemplatesConfiguration,
    private readonly log: Log,
    /** Whether its templates are reviewed for their authors, which takes time. */
    isForAuthors = false,
    confinement?: Confinement,
  ) {
    const { timeLimit, outputLimit, memoryLimit } = configuration;
    const options: RenderProcessOptions = { strict, timeLimit, outputLimit, memoryLimit, isForAuthors };
    this.pool = new ProcessPool({
      program: join(builtFolder, "templates", "render-process.js"),
      parameters: [JSON.stringify(options)],
      confinement,
      semiSpace,
      size,
      limits: () => ({ heap: isForAuthors ? memoryLimit * reviewHeapFactor : memoryLimit }),
      answer: (message) => this.checked(message),
      warm: {
        lost: (lost, before) => {
          noteOutput(lost, log);
          if (before === "ready")
            log.error("A process that renders templates could not start.", { error: lost });
        },
      },
    });
  }

  /** Starts processes up to the pool size; they become ready later. */
  start(): void {
    this.pool.start();
  }

  /** All problems of the EJS files of a template, and notes for its author. Rejects as `render` does. */
  async check(template: LoadedTemplate): Promise<TemplateFindings> {
    const { signal } = new AbortController();
    const limits = { signal, deadline: monotonicTime() + checkWait, work: untraced(this.log) };
    const reply = await this.run(template, undefined, limits);
    if (reply.type !== "loaded")
      throw new Error("The reply of a rendering process does not fit its question.");
    const inFiles = (problem: SentProblem) => located(template, received(problem));
    return { problems: reply.problems.map(inFiles), notes: reply.notes.map(inFiles) };
  }

  /** Rejects with `RenderFailure`, or with a `RequestError`: 503 `request-overloaded`, 504 `request-timeout`. */
  async render(
    template: LoadedTemplate,
    input: RenderInput,
    limits: Limits,
  ): Promise<{ html: string; missing: string[]; notes: TemplateProblem[] }> {
    const reply = await this.run(template, input, limits);
    if (reply.type !== "rendered")
      throw new Error("The reply of a rendering process does not fit its question.");
    return { ...reply, notes: reply.notes.map(received) };
  }

  forget(version: string): void {
    for (const process of this.pool.processes)
      if (this.loaded.get(process)?.delete(version)) process.tell({ type: "forget", version });
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  /** Runs a task until the deadline or until the signal aborts, which also ends the process. */
  private async run(
    template: LoadedTemplate,
    input: RenderInput | undefined,
    { signal, deadline, work }: Limits,
  ): Promise<RenderProcessReply> {
    if (this.pool.queued >= this.configuration.queueLimit)
      throw overloaded("Too many reports are waiting. Try again.");
    const left = deadline - monotonicTime();
    const over = new AbortController();
    const giveUp = (): void => over.abort();
    const timer = setTimeout(giveUp, Math.min(Math.max(left, 0), longestTimer));
    signal.addEventListener("abort", giveUp);
    if (signal.aborted || left <= 0) giveUp();
    try {
      return this.outcome(await this.repeated(template, input, over.signal, work.log));
    } catch (error) {
      throw over.signal.aborted ? outOfTime() : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Retries a report whose process has ended without the fault of the template. */
  private async repeated(
    template: LoadedTemplate,
    input: RenderInput | undefined,
    signal: AbortSignal,
    log: Log,
  ): Promise<RenderProcessReply> {
    let retried = false;
    for (let first = false; ; first = true) {
      let hasOtherTemplates = false;
      try {
        return await this.pool.use(
          (process) => {
            const versions = this.loaded.get(process) ?? new Set();
            this.loaded.set(process, versions);
            hasOtherTemplates = versions.size > (versions.has(template.version) ? 1 : 0);
            return this.converse(process, versions, template, input, signal);
          },
          { signal, first },
        );
      } catch (error) {
        if (signal.aborted || !(error instanceof ProcessLost)) throw error;
        noteOutput(error, log);
        // Other templates in the process may have used the memory; a new process starts without them.
        if (error.reason === "memory" && hasOtherTemplates) continue;
        const failure = failureOf(error, this.configuration, retried);
        if (failure !== undefined) throw failure;
        retried = true;
      }
    }
  }

  private async converse(
    process: Renderer,
    loaded: Set<string>,
    template: LoadedTemplate,
    input: RenderInput | undefined,
    signal: AbortSignal,
  ): Promise<RenderProcessReply> {
    // A process that does not end the work itself in time is blocked.
    const limits = { timeout: this.configuration.timeLimit + grace, signal };
    const ask = async (question: RenderProcessMessage): Promise<RenderProcessReply> => {
      const reply = await process.ask([question], limits);
      if (reply.type === "overtime") process.end("ended");
      return reply;
    };
    const { version } = template;
    if (!input || !loaded.has(version)) {
      const reply = await ask({ type: "load", template: packageOf(template) });
      if (reply.type === "loaded") loaded.add(version);
      if (!input || reply.type !== "loaded") return reply;
    }
    return await ask({ type: "render", version, ...input });
  }

  private outcome(reply: RenderProcessReply): RenderProcessReply {
    if (reply.type === "failed") throw new RenderFailure(received(reply.problem));
    if (reply.type !== "overtime") return reply;
    const { file, line } = reply;
    throw tooLong(this.configuration, { file, line: line ?? undefined });
  }

  private checked(message: unknown): RenderProcessReply {
    const reply = checkReply(message);
    if (reply.ok) return reply.value;
    this.log.error("A rendering process sent an unexpected message and is ended.");
    throw new ProcessLost("ended");
  }
}

type SentProblem = Omit<TemplateProblem, "line"> & { line: number | null };

function received(problem: SentProblem): TemplateProblem {
  return { ...problem, line: problem.line ?? undefined };
}

/** The failure of a report whose process was lost; undefined: it is retried. */
function failureOf(
  { reason }: ProcessLost,
  configuration: TemplatesConfiguration,
  retried: boolean,
): Error | undefined {
  if (reason === "stopped") return stopping();
  if (reason === "unavailable") return unavailable();
  if (reason === "time") return tooLong(configuration);
  if (reason === "memory") return tooMuchMemory(configuration);
  return retried ? processLost() : undefined;
}

function noteOutput({ exit, output }: ProcessLost, log: Log): void {
  if (output !== "") log.warn(`A rendering process ended with ${exit}.`, { output });
}
