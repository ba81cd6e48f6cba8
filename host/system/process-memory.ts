import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { untilNextMultiple } from "./time.js";

const mebibyte = 1024 ** 2;
const run = promisify(execFile);

/**
 * Bytes of memory of a process: all resident memory, or only its private part (Linux only). Undefined if the process has ended or
 * the system does not report it.
 */
export async function processMemory(
  processId: number,
  part: "resident" | "own" = "resident",
): Promise<number | undefined> {
  try {
    if (process.platform === "linux") {
      // Synchronous, because it is not on disk: a thread would cost several times as much.
      const status = readFileSync(`/proc/${processId}/status`, "utf8");
      const pattern = part === "own" ? /^RssAnon:\s*(\d+) kB/m : /^VmRSS:\s*(\d+) kB/m;
      return kilobytes(pattern.exec(status)?.[1]);
    }
    if (process.platform === "win32" || part === "own") return undefined;
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(processId)]);
    return kilobytes(stdout.trim());
  } catch {
    return undefined;
  }
}

export interface MemoryLimit {
  mebibytes: number;
  /** Called once for each process that uses more. */
  exceeded(mebibytes: number, processId: number): void;
}

/** Milliseconds between two checks: while more than half of a limit is in use, and while less is. */
export interface CheckIntervals {
  near: number;
  far: number;
}

/** For long-running processes. Reading /proc costs microseconds, starting `ps` milliseconds. */
const usualIntervals: CheckIntervals =
  process.platform === "linux" ? { near: 250, far: 1000 } : { near: 2000, far: 4000 };

/** Watches the memory of processes until it is stopped. `measure` returns bytes by process id. */
export function watchMemory(
  measure: () => Promise<ReadonlyMap<number, number>>,
  limits: readonly MemoryLimit[],
  intervals = usualIntervals,
): { stop(): void } {
  const reported = new Map(limits.map((limit) => [limit, new Set<number>()]));
  const near = (Math.min(...limits.map(({ mebibytes }) => mebibytes)) * mebibyte) / 2;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    // A process that cannot be measured has ended.
    const measured = await measure().catch(() => new Map<number, number>());
    for (const [limit, processes] of reported)
      for (const [id, bytes] of measured) {
        if (stopped || bytes <= limit.mebibytes * mebibyte || processes.has(id)) continue;
        processes.add(id);
        limit.exceeded(Math.round(bytes / mebibyte), id);
      }
    const isNear = [...measured.values()].some((bytes) => bytes > near);
    checkIn(isNear ? intervals.near : intervals.far);
  };
  const checkIn = (milliseconds: number): void => {
    if (!stopped) timer = setTimeout(() => void check(), untilNextMultiple(milliseconds)).unref();
  };
  checkIn(intervals.near);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function kilobytes(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? undefined : value * 1024;
}
