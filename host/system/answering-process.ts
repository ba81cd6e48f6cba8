import { type ChildProcess, spawn } from "node:child_process";
import { compileCacheVariables } from "./compile-cache.js";
import type { Confinement, ProcessAccess } from "./confinement/confinement.js";
import { deprecationParameters } from "./deprecations.js";
import { asError } from "./errors.js";
import { builtFolder } from "./installation.js";
import { SupervisedProcess } from "./supervised-process.js";

const memoryLooks = { near: 100, far: 100 };

/** Limits of one question. */
export interface AskLimits {
  /** Milliseconds. */
  timeout?: number;
  /** MiB of the whole process, which the limit of the heap does not cover; watched where the system tells. */
  resident?: number;
  /** Ends the process when it aborts. */
  signal?: AbortSignal;
}

export interface AnsweringProcessOptions<Answer> {
  /** Path of the bundled program. It answers one question at a time. */
  program: string;
  parameters?: readonly string[];
  /** Keeps it from everything but its program and its messages. */
  confinement?: Confinement | undefined;
  /** Whether its program loads native add-ons, which the permission model of Node.js cannot confine. */
  native?: boolean;
  /** MiB of the JavaScript heap. */
  heap: number;
  /**
   * MiB of each half of the space for new objects: initial and maximum size; default: 1 and 16. A kept process never shrinks this
   * space.
   */
  semiSpace?: { first?: number; largest: number };
  /** Validates a message of the process. Throws when it is no answer. */
  answer(message: unknown): Answer;
  /** Called at once when the process can no longer be used. */
  lost?(lost: ProcessLost): void;
}

/**
 * A process ended before it answered: it exceeded its time or memory, a signal or a crash ended it (`killed`), it exited or
 * could not be started (`ended`), repeated starts failed (`unavailable`), or its owner stopped it (`stopped`).
 */
export class ProcessLost extends Error {
  override readonly name = "ProcessLost";
  /** Its output before it exited. */
  readonly output: string;
  /** How it ended by itself: a signal or an exit code. */
  readonly exit: string | undefined;

  constructor(
    readonly reason: "time" | "memory" | "killed" | "ended" | "unavailable" | "stopped",
    { output = "", exit, cause }: { output?: string; exit?: string; cause?: unknown } = {},
  ) {
    super(`The process was lost: ${reason}.`, { cause });
    this.output = output;
    this.exit = exit;
  }
}

/** A process without environment that runs a program of the host and answers one question at a time. */
export class AnsweringProcess<Answer> {
  readonly heap: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<unknown>;
  private readonly child: ChildProcess | Error;
  private readonly process: SupervisedProcess;
  private loss: ProcessLost | undefined;
  private asked: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly options: AnsweringProcessOptions<Answer>) {
    this.heap = options.heap;
    const { child, isWrapped } = started(options);
    this.child = child;
    const stderr = child instanceof Error ? undefined : child.stderr;
    this.process = new SupervisedProcess(child, {
      group: false,
      isWrapped,
      streams: [stderr],
      keepsOutput: true,
    });
    this.gone = this.process.gone.then(({ error, code, signal }) => {
      const { output } = this.process;
      // Node.js aborts where the heap is full.
      const memory = signal === "SIGABRT" || output.includes("out of memory");
      this.lose(
        new ProcessLost(memory ? "memory" : signal === null ? "ended" : "killed", {
          output: signal === "SIGKILL" ? "" : output,
          exit: signal ?? `code ${code}`,
          cause: error,
        }),
      );
    });
    if (!(this.child instanceof Error)) this.child.on("message", (message) => this.receive(message));
  }

  get isLost(): boolean {
    return this.loss !== undefined;
  }

  /**
   * Sends messages, the last of which is a question, and waits for the answer; without messages, waits for the first message
   * of the process. Rejects with `ProcessLost`, or as the check of the answer does; then the process is lost, too.
   */
  async ask(messages: Iterable<object>, { timeout, resident, signal }: AskLimits): Promise<Answer> {
    clearTimeout(this.rest);
    const timer = timeout === undefined ? undefined : setTimeout(() => this.end("time"), timeout);
    const watch =
      resident === undefined
        ? undefined
        : this.process.watchMemory(
            [{ mebibytes: resident, exceeded: () => this.end("memory") }],
            memoryLooks,
          );
    const stop = (): void => this.end("stopped");
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        if (this.loss !== undefined) throw this.loss;
        this.asked = { resolve, reject };
        // The channel closes before the exit of the process is reported.
        this.sendAll(messages).catch(() => this.process.signal("SIGKILL"));
      });
    } finally {
      this.asked = undefined;
      clearTimeout(timer);
      watch?.stop();
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Sends a message without an answer. */
  tell(message: object): void {
    if (!this.isLost) void this.send(message).catch(() => undefined); // its end is noticed
  }

  /** Ends the process after some milliseconds without a question, if `canGo` then. */
  endAfter(milliseconds: number, canGo: () => boolean = () => true): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => canGo() && this.end("ended"), milliseconds).unref();
  }

  /** Ends the process, if it has not ended already; the first reason counts. */
  end(reason: ProcessLost["reason"]): void {
    this.lose(new ProcessLost(reason));
  }

  private lose(loss: ProcessLost): void {
    if (this.loss !== undefined) return;
    this.loss = loss;
    clearTimeout(this.rest);
    this.process.signal("SIGKILL");
    this.options.lost?.(loss);
    this.asked?.reject(loss);
  }

  private receive(message: unknown): void {
    if (this.isLost) return;
    try {
      this.asked?.resolve(this.options.answer(message));
    } catch (error) {
      this.asked?.reject(error);
      this.end("ended");
    }
  }

  private async sendAll(messages: Iterable<object>): Promise<void> {
    for (const message of messages) await this.send(message);
  }

  private send(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.child instanceof Error) return reject(this.child);
      this.child.send(message, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function started({
  program,
  parameters = [],
  confinement,
  native = false,
  heap,
  semiSpace,
}: AnsweringProcessOptions<unknown>): { child: ChildProcess | Error; isWrapped: boolean } {
  const all = [
    `--max-old-space-size=${heap}`,
    ...(semiSpace === undefined ? [] : [`--max-semi-space-size=${semiSpace.largest}`]),
    ...(semiSpace?.first === undefined ? [] : [`--min-semi-space-size=${semiSpace.first}`]),
    "--no-warnings",
    ...deprecationParameters(),
    program,
    ...parameters,
  ];
  try {
    const confined = confinement?.command(all, { ...nothing, native }, builtFolder);
    const child = spawn(confined?.command ?? process.execPath, confined?.parameters ?? all, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // A confined process can neither read nor write the cache.
      env: confinement === undefined || confinement.mode === "off" ? compileCacheVariables() : {},
    });
    return { child, isWrapped: confined?.isWrapped ?? false };
  } catch (error) {
    return { child: asError(error), isWrapped: false };
  }
}

/** Its messages are enough. */
const nothing: ProcessAccess = {
  readable: [],
  writable: [],
  network: false,
  programs: false,
  threads: false,
  native: false,
};
