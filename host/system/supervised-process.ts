import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { orphanGuard } from "./orphan-guard.js";
import { type CheckIntervals, type MemoryLimit, processMemory, watchMemory } from "./process-memory.js";
import { settlesWithin } from "./time.js";

/** Characters of the output of a process that are kept, from its end. */
const keptOutput = 8000;
/** Milliseconds to read the remaining output of an ended process. */
const lastWords = 1000;

/** How a process ended. */
export interface ProcessEnd {
  /** Why it could not be started, if so. */
  error: Error | undefined;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process that does not outlive the host: its end, its memory, its output. */
export class SupervisedProcess {
  /** Resolves when the process has ended. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when the process has ended and its output was read. */
  readonly gone: Promise<ProcessEnd>;
  /** The end of its standard error, with `keepsOutput`. */
  output = "";

  /** `child` is an error if the system has no room for a process. */
  constructor(
    private readonly child: ChildProcess | Error,
    private readonly options: {
      /** Whether it leads a process group, which ends with it. */
      group: boolean;
      /**
       * Whether two processes only wait for the next one, whose id, memory and end count: `unshare` and the first process of
       * its namespace. On Linux.
       */
      isWrapped?: boolean;
      /** Streams of its output. */
      streams: readonly (Readable | null | undefined)[];
      keepsOutput: boolean;
    },
  ) {
    this.exited = new Promise((resolve) => {
      const failed = (error: Error): void => resolve({ error, code: null, signal: null });
      if (child instanceof Error) return failed(child);
      child.once("exit", (code, signal) => {
        const ended = options.isWrapped === true ? signalOf(code) : undefined;
        resolve({ error: undefined, code: ended === undefined ? code : null, signal: ended ?? signal });
      });
      // Messages that could not be sent are followed by the exit, which says what happened.
      child.on("error", (error) => child.pid === undefined && failed(error));
      child.once("exit", () => options.group && this.signal("SIGKILL"));
    });
    const id = child instanceof Error ? undefined : child.pid;
    if (id !== undefined) {
      orphanGuard.add(id);
      void this.exited.then(() => orphanGuard.remove(id));
    }
    const silent = Promise.all(options.streams.map(ended));
    this.gone = this.exited.then(async (end) => {
      await settlesWithin(silent, lastWords);
      return end;
    });
    if (child instanceof Error || !options.keepsOutput) return;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.output = (this.output + text).slice(-keptOutput);
    });
  }

  /** The id of the process, or of what it wraps once that runs. */
  get id(): number | undefined {
    if (this.child instanceof Error) return undefined;
    const { pid } = this.child;
    if (this.options.isWrapped !== true || pid === undefined) return pid;
    // While the view is built, other processes are there for a moment, so that nothing is remembered.
    const first = onlyChild(pid);
    return (first === undefined ? undefined : onlyChild(first)) ?? pid;
  }

  /** Signals the process or its whole group, unless it has ended. */
  signal(signal: "SIGTERM" | "SIGKILL"): void {
    const { child } = this;
    if (child instanceof Error || child.pid === undefined) return;
    try {
      if (this.options.group && process.platform !== "win32") process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      child.kill(signal); // the group has ended
    }
  }

  /** Watches its memory, if the system reports it, until the process ends. */
  watchMemory(limits: readonly MemoryLimit[], intervals?: CheckIntervals): { stop(): void } {
    const watch = watchMemory(
      async () => {
        const { id } = this;
        return new Map(id === undefined ? [] : [[id, (await processMemory(id)) ?? 0]]);
      },
      limits,
      intervals,
    );
    void this.exited.then(() => watch.stop());
    return watch;
  }
}

/** The signal that ended a process for which a shell has waited, by the exit code of the shell. */
function signalOf(code: number | null): NodeJS.Signals | undefined {
  if (code === null || code <= 128) return undefined;
  return Object.keys(constants.signals)
    .filter(isSignal)
    .find((name) => constants.signals[name] === code - 128);
}

function isSignal(name: string): name is NodeJS.Signals {
  return Object.hasOwn(constants.signals, name);
}

/** The child of a process, as proc(5) lists it. */
function onlyChild(id: number): number | undefined {
  try {
    const [child = ""] = readFileSync(`/proc/${id}/task/${id}/children`, "utf8").split(" ");
    return child === "" ? undefined : Number(child);
  } catch {
    return undefined; // it has ended
  }
}

function ended(stream: Readable | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    stream?.once("end", resolve).once("close", resolve);
    if (stream === null || stream === undefined || stream.destroyed) resolve();
  });
}

/**
 * Milliseconds to wait before a process is started again after so many failures: none at first, then `first`, which
 * doubles with each up to `longest`.
 */
export function restartPause(
  failures: number,
  { first, longest }: { first: number; longest: number },
): number {
  return failures < 1 ? 0 : Math.min(longest, first * 2 ** (failures - 1));
}
