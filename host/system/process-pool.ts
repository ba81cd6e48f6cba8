import { AnsweringProcess, type AskLimits, ProcessLost } from "./answering-process.js";
import type { Confinement } from "./confinement/confinement.js";
import { restartPause } from "./supervised-process.js";
import { monotonicTime } from "./time.js";

/** Milliseconds that a process waits for more work. */
const idleTime = 30_000;
/** Milliseconds for which work waits before another warm process starts: starting one takes longer than most work. */
const patience = 100;
/** Bytes per message to a process. */
const pieceSize = 1024 ** 2;
/** Milliseconds. */
const pauses = { first: 200, longest: 10_000 };
/** Failed starts in a row after which waiting work is refused. */
const enoughFailedStarts = 3;

/** Limits of one piece of work. Read each time, because settings may change while the host runs. */
export interface ProcessLimits extends Pick<AskLimits, "timeout" | "resident"> {
  /** MiB of the JavaScript heap. */
  heap: number;
}

export interface ProcessPoolOptions<Answer> {
  /** Path of the bundled program. It answers one question at a time. */
  program: string;
  parameters?: readonly string[];
  /** Like `native`: see `AnsweringProcessOptions`. */
  confinement?: Confinement | undefined;
  native?: boolean;
  /** Of the space for new objects, see `AnsweringProcessOptions`. */
  semiSpace?: { first?: number; largest: number };
  /** Milliseconds without work until a process ends; default: 30 seconds. */
  rest?: number;
  /** Maximum number of processes. */
  size: number;
  limits(): ProcessLimits;
  /** Validates a message of a process. Throws when it is no answer. */
  answer(message: unknown): Answer;
  /**
   * Processes report when they are ready, and one keeps running; without this option, they start when they are needed. Further
   * ones end after a while without work. `lost` is called for a process that is lost while idle, or before it is ready.
   */
  warm?: { lost(lost: ProcessLost, before: "ready" | "asked"): void };
}

/** How to wait for a process. */
export interface Turn {
  /** Of several waiting owners, one without running work goes first. */
  owner?: unknown;
  /** Ends the waiting; work that has begun continues. */
  signal?: AbortSignal | undefined;
  /** Before all others. */
  first?: boolean;
}

interface Waiting<Answer> {
  owner: unknown;
  /** Milliseconds of the monotonic clock. */
  since: number;
  admit(process: AnsweringProcess<Answer>): void;
  refuse(error: unknown): void;
}

/** Runs work that must not harm the host in separate processes, one piece of work per process at a time; replaces lost processes. */
export class ProcessPool<Answer> {
  private readonly idle: AnsweringProcess<Answer>[] = [];
  private readonly all = new Set<AnsweringProcess<Answer>>();
  /** Not ready yet. */
  private readonly starting = new Set<AnsweringProcess<Answer>>();
  /** Owners of running work. */
  private readonly owners: unknown[] = [];
  private readonly waiting: Waiting<Answer>[] = [];
  private failedStarts = 0;
  private growing: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: ProcessPoolOptions<Answer>) {}

  /** Pieces of work that wait. */
  get queued(): number {
    return this.waiting.length;
  }

  /** Pieces of work that wait or are under way. */
  get pending(): number {
    return this.owners.length + this.waiting.length;
  }

  get processes(): Iterable<AnsweringProcess<Answer>> {
    return this.all;
  }

  /** Starts warm processes, one at least and as many as there is work for; they become ready later. */
  start(): void {
    const wanted = Math.min(this.options.size, Math.max(1, this.pending));
    while (!this.stopped && this.all.size < wanted) {
      const process = this.startProcess();
      this.starting.add(process);
      process.ask([], {}).then(
        () => {
          this.starting.delete(process);
          this.failedStarts = 0;
          this.idle.push(process);
          this.admit();
        },
        () => undefined, // `lost` reports it
      );
    }
  }

  /** Starts a process if there is none, because work for it comes soon; for pools that are not warm. */
  startAhead(): void {
    if (this.stopped || this.all.size > 0) return;
    const process = this.startProcess();
    this.idle.push(process);
    process.endAfter(idleTime);
  }

  /** One question about some bytes, which are sent in pieces. Rejects as `use` does, or as asking the process does. */
  ask(bytes: Uint8Array, question: object, turn?: Turn): Promise<Answer> {
    return this.use((process) => process.ask(pieces(bytes, question), this.options.limits()), turn);
  }

  /**
   * Reserves a process for some work. Rejects with `ProcessLost` when no process is available, with the reason of the turn's
   * signal, or as the work does.
   */
  async use<T>(work: (process: AnsweringProcess<Answer>) => Promise<T>, turn: Turn = {}): Promise<T> {
    turn.signal?.throwIfAborted();
    if (this.stopped) throw new ProcessLost("stopped");
    const waiting = this.takeTurn(turn);
    if (this.options.warm !== undefined && this.failedStarts === 0) this.grow();
    const process = await waiting;
    try {
      return await work(process);
    } finally {
      this.owners.splice(this.owners.indexOf(turn.owner), 1);
      if (!process.isLost) {
        this.idle.push(process);
        const { rest = idleTime, warm } = this.options;
        process.endAfter(rest, () => warm === undefined || this.all.size > 1);
      }
      this.admit();
    }
  }

  /** Ends all processes; what they work on, and what waits, is lost. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { refuse } of this.waiting.splice(0)) refuse(new ProcessLost("stopped"));
    const processes = [...this.all];
    for (const process of processes) process.end("stopped");
    await Promise.all(processes.map(({ gone }) => gone));
  }

  /** Starts warm processes if there is none, or if work waits for long. */
  private grow(): void {
    if (this.all.size === 0) this.start();
    else if (this.growing === undefined && this.waiting.length > 0 && this.all.size < this.options.size) {
      const now = monotonicTime();
      this.growing = setTimeout(() => {
        this.growing = undefined;
        if (this.waiting.some(({ since }) => since <= now)) this.start();
        else this.grow();
      }, patience).unref();
    }
  }

  private takeTurn({ owner, signal, first = false }: Turn): Promise<AnsweringProcess<Answer>> {
    return new Promise((resolve, reject) => {
      const waiting = { owner, since: monotonicTime(), admit: resolve, refuse: reject };
      if (first) this.waiting.unshift(waiting);
      else this.waiting.push(waiting);
      const leave = (): void => {
        const index = this.waiting.indexOf(waiting);
        if (index >= 0) this.waiting.splice(index, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.admit();
    });
  }

  private admit(): void {
    while (this.waiting.length > 0) {
      const process = this.freeProcess();
      if (process === undefined) return;
      const first = this.waiting.findIndex(({ owner }) => !this.owners.includes(owner));
      const [next] = this.waiting.splice(Math.max(first, 0), 1);
      this.owners.push(next?.owner);
      next?.admit(process);
    }
  }

  /** The one used last, so that those beyond the need end; one with another limit than is now in force ends. */
  private freeProcess(): AnsweringProcess<Answer> | undefined {
    const { heap } = this.options.limits();
    for (let process = this.idle.pop(); process !== undefined; process = this.idle.pop()) {
      if (process.heap === heap) return process;
      process.end("ended");
    }
    const { warm, size } = this.options;
    return warm !== undefined || this.all.size >= size ? undefined : this.startProcess();
  }

  private startProcess(): AnsweringProcess<Answer> {
    const process: AnsweringProcess<Answer> = new AnsweringProcess({
      ...this.options,
      heap: this.options.limits().heap,
      lost: (lost) => this.lost(process, lost),
    });
    this.all.add(process);
    return process;
  }

  private lost(process: AnsweringProcess<Answer>, lost: ProcessLost): void {
    this.all.delete(process);
    const index = this.idle.indexOf(process);
    if (index >= 0) this.idle.splice(index, 1);
    const isStart = this.starting.delete(process);
    const { warm } = this.options;
    if (warm === undefined || this.stopped) return;
    if (isStart) this.failedStarts++;
    if (isStart || index >= 0) warm.lost(lost, isStart ? "ready" : "asked");
    if (this.failedStarts >= enoughFailedStarts)
      for (const { refuse } of this.waiting.splice(0)) refuse(new ProcessLost("unavailable"));
    setTimeout(() => this.start(), restartPause(this.failedStarts, pauses)).unref();
  }
}

/** Bytes in pieces, because copying all at once would block the host, then the question. */
function* pieces(bytes: Uint8Array, question: object): Generator<object> {
  for (let at = 0; at < bytes.byteLength; at += pieceSize)
    yield { piece: bytes.subarray(at, at + pieceSize) };
  yield { question };
}
