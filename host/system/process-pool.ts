import { type ChildProcess, fork } from "node:child_process";
import type { PoolMessage } from "./child-process.js";
import { residentMemory } from "./resident-memory.js";

/** How long a process waits for more to do, in milliseconds. */
const idleTime = 30_000;
const memoryCheckEvery = 100;
const mebibyte = 1024 ** 2;
/** Bytes that a process is sent at a time. */
const pieceSize = mebibyte;

/** What one piece of work may take. Asked for each time, as settings may change while the host runs. */
export interface ProcessLimits {
  /** MiB of the JavaScript heap. */
  heap: number;
  /** MiB of the whole process, which the limit of the heap does not cover; watched where the system tells. */
  resident: number;
  /** Milliseconds. */
  timeout: number;
}

export interface ProcessPoolOptions<Answer> {
  /** Path of the bundled program. It answers each message of its parent with one. */
  program: string;
  /** Processes at most. */
  size: number;
  limits(): ProcessLimits;
  /** Checks what a process sent. Throws when it is no answer. */
  answer(message: unknown): Answer;
}

/**
 * A process ended before it answered: for its time or memory, by a signal of the system or of its own fault (`killed`),
 * by itself or because it could not be started (`ended`), or with the pool (`stopped`).
 */
export class ProcessLost extends Error {
  override readonly name = "ProcessLost";

  constructor(
    readonly reason: "time" | "memory" | "killed" | "ended" | "stopped",
    options?: ErrorOptions,
  ) {
    super(`The process was lost: ${reason}.`, options);
  }
}

interface Waiting {
  owner: unknown;
  admit(): void;
}

/**
 * Work that must not harm the host, done in processes of its own: each has one piece of work at a time, starts when it is
 * needed, ends when nothing comes for a while, and is replaced when it is lost.
 */
export class ProcessPool<Question extends object, Answer> {
  private readonly idle: PooledProcess<Question, Answer>[] = [];
  private readonly all = new Set<PooledProcess<Question, Answer>>();
  /** Those for whom a process works. */
  private readonly owners: unknown[] = [];
  private readonly waiting: Waiting[] = [];
  private stopped = false;

  constructor(private readonly options: ProcessPoolOptions<Answer>) {}

  /** Questions that wait or are worked on. */
  get pending(): number {
    return this.owners.length + this.waiting.length;
  }

  /**
   * Where several owners wait, one for whom no process works goes first. Rejects with `ProcessLost`, with what the
   * check of the answer throws, or with the signal's reason if that ends the waiting; work that has begun goes on.
   */
  async ask(bytes: Uint8Array, question: Question, owner?: unknown, signal?: AbortSignal): Promise<Answer> {
    await this.enter(owner, signal);
    try {
      if (this.stopped) throw new ProcessLost("stopped");
      const limits = this.options.limits();
      const process = this.idleProcess(limits.heap) ?? this.startProcess(limits.heap);
      const answer = await process.ask(bytes, question, limits);
      this.idle.push(process);
      process.endAfter(idleTime);
      return answer;
    } finally {
      this.leave(owner);
    }
  }

  /** Ends all processes; what they work on, and what waits, is lost. */
  stop(): void {
    this.stopped = true;
    for (const process of this.all) process.end("stopped");
  }

  private async enter(owner: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.owners.length >= this.options.size) {
      await new Promise<void>((resolve, reject) => {
        const waiting = { owner, admit: () => resolve() };
        this.waiting.push(waiting);
        signal?.addEventListener(
          "abort",
          () => {
            const index = this.waiting.indexOf(waiting);
            if (index >= 0) this.waiting.splice(index, 1);
            reject(signal.reason);
          },
          { once: true },
        );
      });
      return;
    }
    this.owners.push(owner);
  }

  private leave(owner: unknown): void {
    this.owners.splice(this.owners.indexOf(owner), 1);
    const first = this.waiting.findIndex((waiting) => !this.owners.includes(waiting.owner));
    const [next] = this.waiting.splice(Math.max(first, 0), 1);
    if (next === undefined) return;
    this.owners.push(next.owner);
    next.admit();
  }

  /** The one used last, so that those beyond the need end; one with another limit than is now in force ends. */
  private idleProcess(heap: number): PooledProcess<Question, Answer> | undefined {
    for (let process = this.idle.pop(); process !== undefined; process = this.idle.pop()) {
      if (process.heap === heap) return process;
      process.end("ended");
    }
    return undefined;
  }

  private startProcess(heap: number): PooledProcess<Question, Answer> {
    const process = new PooledProcess<Question, Answer>(this.options, heap, () => {
      this.all.delete(process);
      const index = this.idle.indexOf(process);
      if (index >= 0) this.idle.splice(index, 1);
    });
    this.all.add(process);
    return process;
  }
}

class PooledProcess<Question extends object, Answer> {
  private readonly child: ChildProcess;
  private lost: ProcessLost | undefined;
  private fail: ((error: unknown) => void) | undefined;
  private rest: NodeJS.Timeout | undefined;

  /** `gone` is told when it is not to be asked any more. Throws `ProcessLost` if the system has no room for a process. */
  constructor(
    private readonly options: ProcessPoolOptions<Answer>,
    readonly heap: number,
    private readonly gone: () => void,
  ) {
    try {
      this.child = fork(options.program, {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: [`--max-old-space-size=${heap}`],
        env: {},
      });
    } catch (error) {
      throw new ProcessLost("ended", { cause: error });
    }
    this.child.on("error", (error) => this.end("ended", error));
    this.child.on("exit", (_code, signal) => {
      // Node.js aborts where the heap is full.
      const reason = signal === null ? "ended" : signal === "SIGABRT" ? "memory" : "killed";
      this.end(reason);
    });
  }

  async ask(bytes: Uint8Array, question: Question, limits: ProcessLimits): Promise<Answer> {
    clearTimeout(this.rest);
    const timer = setTimeout(() => this.end("time"), limits.timeout);
    const watch = setInterval(() => void this.checkMemory(limits.resident), memoryCheckEvery);
    try {
      const message = await new Promise<unknown>((resolve, reject) => {
        this.fail = reject;
        if (this.lost !== undefined) throw this.lost;
        this.child.once("message", resolve);
        // A channel is closed before it is known that, and how, its process ended.
        this.handOver(bytes, question).catch(() => this.child.kill("SIGKILL"));
      });
      return this.options.answer(message);
    } catch (error) {
      this.end("ended");
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      this.fail = undefined;
    }
  }

  private async handOver(bytes: Uint8Array, question: Question): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += pieceSize)
      await this.send({ piece: bytes.subarray(at, at + pieceSize) });
    await this.send({ question });
  }

  private send(message: PoolMessage<Question>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.send(message, (error) => (error ? reject(error) : resolve()));
    });
  }

  endAfter(milliseconds: number): void {
    this.rest = setTimeout(() => this.end("ended"), milliseconds).unref();
  }

  /** Ends the process, if it has not ended already; the first reason counts. */
  end(reason: ProcessLost["reason"], cause?: unknown): void {
    if (this.lost !== undefined) return;
    this.lost = new ProcessLost(reason, { cause });
    clearTimeout(this.rest);
    this.child.kill("SIGKILL");
    this.gone();
    this.fail?.(this.lost);
  }

  private async checkMemory(limit: number): Promise<void> {
    const bytes = this.child.pid === undefined ? undefined : await residentMemory(this.child.pid);
    if ((bytes ?? 0) > limit * mebibyte) this.end("memory");
  }
}
