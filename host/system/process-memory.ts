import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const mebibyte = 1024 ** 2;
const run = promisify(execFile);

/**
 * Bytes of memory of a process: all that is resident, or only what is its own and not shared. Undefined when it is gone
 * or the system does not say; what is its own is known on Linux only.
 */
export async function processMemory(
  processId: number,
  part: "resident" | "own" = "resident",
): Promise<number | undefined> {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${processId}/status`, "utf8");
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
  /** A process takes more: told once for each. */
  exceeded(mebibytes: number, processId: number): void;
}

/**
 * Looks at the memory of processes until it is stopped. `measure` gives bytes by the ids of processes; `every` is in
 * milliseconds.
 */
export function watchMemory(
  measure: () => Promise<ReadonlyMap<number, number>>,
  limits: readonly MemoryLimit[],
  // Reading /proc costs microseconds, starting `ps` milliseconds.
  every = process.platform === "linux" ? 250 : 2000,
): { stop(): void } {
  const told = new Map(limits.map((limit) => [limit, new Set<number>()]));
  let looking = false;
  let stopped = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    // What cannot be measured has ended, which others notice.
    const measured = await measure().catch(() => new Map<number, number>());
    looking = false;
    for (const [limit, processes] of told)
      for (const [id, bytes] of measured) {
        if (stopped || bytes <= limit.mebibytes * mebibyte || processes.has(id)) continue;
        processes.add(id);
        limit.exceeded(Math.round(bytes / mebibyte), id);
      }
  };
  const timer = setInterval(() => void look(), every);
  timer.unref();
  return {
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

function kilobytes(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? undefined : value * 1024;
}
