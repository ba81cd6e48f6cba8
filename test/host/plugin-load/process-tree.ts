/** Processes as the system lists them: those below another one, and how much they worked. */
import { readdir, readFile } from "node:fs/promises";

/** All descendants of a process; none where the system does not list them under `/proc`. */
export async function descendants(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc").catch(() => [])) {
    const stat = /^\d+$/.test(name) ? await statOf(Number(name)) : undefined;
    if (stat !== undefined) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const pending = [root];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const below = children.get(id) ?? [];
    found.push(...below);
    pending.push(...below);
  }
  return found;
}

/** Whether a process still does anything; one that has ended and was only not collected does not. */
export async function isAlive(processId: number): Promise<boolean> {
  try {
    process.kill(processId, 0);
  } catch {
    return false;
  }
  return (await statOf(processId))?.state !== "Z";
}

/** Seconds that the threads of a process have worked so far; undefined where the system does not say. */
export async function processorTime(processId: number): Promise<number | undefined> {
  return (await statOf(processId))?.worked;
}

/** Of Linux, on all machines that matter. */
const ticksPerSecond = 100;

async function statOf(
  processId: number,
): Promise<{ state: string; parent: number; worked: number } | undefined> {
  const stat = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => undefined);
  // The name before may hold anything.
  const [state, parent, ...others] = stat?.replace(/^.*\) /s, "").split(" ") ?? [];
  if (state === undefined) return undefined;
  return { state, parent: Number(parent), worked: (Number(others[9]) + Number(others[10])) / ticksPerSecond };
}
