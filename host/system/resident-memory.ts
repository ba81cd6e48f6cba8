import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const megabyte = 1024 * 1024;
const run = promisify(execFile);

/** Resident bytes of a process, or undefined when it is gone or the system does not say. */
export async function residentMemory(processId: number): Promise<number | undefined> {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${processId}/status`, "utf8");
      return kilobytes(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]);
    }
    if (process.platform === "win32") return undefined;
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(processId)]);
    return kilobytes(stdout.trim());
  } catch {
    return undefined;
  }
}

/** Looks at a process's memory until it is stopped; says once when it is above `soft`, and once when it is above `hard`, in megabytes. */
export function watchMemory(
  processId: number,
  limits: { soft: number; hard: number },
  above: (limit: "soft" | "hard", megabytes: number) => void,
): { stop(): void } {
  // Reading /proc costs microseconds, starting `ps` milliseconds.
  const interval = process.platform === "linux" ? 250 : 2000;
  const reported = new Set<string>();
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const bytes = (await residentMemory(processId)) ?? 0;
    looking = false;
    for (const limit of ["hard", "soft"] as const) {
      if (bytes <= limits[limit] * megabyte || reported.has(limit)) continue;
      reported.add(limit);
      above(limit, Math.round(bytes / megabyte));
    }
  };
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function kilobytes(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? undefined : value * 1024;
}
