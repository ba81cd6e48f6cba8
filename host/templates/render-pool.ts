/**
 * Renders templates in processes of their own, one report per process at a time. A template that loops, or takes all
 * memory, costs its own report and a new process; reports that wait go on.
 */
import { join } from "node:path";
import { type Log, Validator } from "@slipway/sdk";
import type { Work } from "@slipway/sdk/runtime/host";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import { type AnsweringProcess, ProcessLost } from "../system/answering-process.js";
import { builtFolder } from "../system/installation.js";
import { monotonicTime } from "../system/monotonic-time.js";
import { ProcessPool } from "../system/process-pool.js";
import { overloaded } from "../system/request-errors.js";
import type { LoadedTemplate } from "./loaded-template.js";
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
  RenderProcessReply,
} from "./render-messages.js";
import type { TemplateProblem } from "./template-problem.js";

/** Time for a process to end an endless loop by itself before it is killed. */
const grace = 1000;
const longestTimer = 2 ** 31 - 1;
const checkReply = new Validator({ lazy: true }).compile(RenderProcessReply, "reply");

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
  /** What it is done for. */
  work: Work;
}

type Renderer = AnsweringProcess<RenderProcessReply>;

export class RenderPool {
  private readonly pool: ProcessPool<RenderProcessReply>;
  /** Versions that a process has. */
  private readonly loaded = new WeakMap<Renderer, Set<string>>();

  constructor(
    size: number,
    strict: boolean,
    private readonly configuration: TemplatesConfiguration,
    private readonly log: Log,
  ) {
    const { timeLimit, outputLimit, memoryLimit } = configuration;
    const options: RenderProcessOptions = { strict, timeLimit, outputLimit };
    this.pool = new ProcessPool({
      program: join(builtFolder, "templates", "render-process.js"),
      parameters: [JSON.stringify(options)],
      size,
      limits: () => ({ heap: memoryLimit }),
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

  /** Starts processes until there are enough; they become ready later. */
  start(): void {
    this.pool.start();
  }

  /** Everything that is wrong with the EJS files of a template. */
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
    for (const process of this.pool.processes)
      if (this.loaded.get(process)?.delete(version)) process.tell({ type: "forget", version });
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  /** Has it done until the deadline comes or nobody waits any more, which ends the process that works on it. */
  private async run(
    template: LoadedTemplate,
    input: RenderInput | undefined,
    { signal, deadline, work }: Limits,
  ): Promise<RenderProcessReply> {
    if (this.pool.queued >= this.configuration.queueLimit)
      throw overloaded("Too many reports wait for a process that renders templates.");
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

  /** A process that ended without the template's fault costs another try. */
  private async repeated(
    template: LoadedTemplate,
    input: RenderInput | undefined,
    signal: AbortSignal,
    log: Log,
  ): Promise<RenderProcessReply> {
    let retried = false;
    for (let first = false; ; first = true) {
      let holdsOthers = false;
      try {
        return await this.pool.use(
          (process) => {
            const versions = this.loaded.get(process) ?? new Set();
            this.loaded.set(process, versions);
            holdsOthers = versions.size > (versions.has(template.version) ? 1 : 0);
            return this.converse(process, versions, template, input, signal);
          },
          { signal, first },
        );
      } catch (error) {
        if (signal.aborted || !(error instanceof ProcessLost)) throw error;
        noteOutput(error, log);
        // What other templates keep in the process may have left too little; a new one has nothing of them.
        if (error.reason === "memory" && holdsOthers) continue;
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
    // A process that should have ended the work itself by then is blocked otherwise.
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
    if (reply.type === "failed")
      throw new RenderFailure({ ...reply.problem, line: reply.problem.line ?? undefined });
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

/** What a lost process means for its report; undefined: it is tried again. */
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
