/** Processes below another one. */
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

async function statOf(processId: number): Promise<{ state: string; parent: number } | undefined> {
  const stat = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => undefined);
  // The name before may hold anything.
  const [state, parent] = stat?.replace(/^.*\) /s, "").split(" ") ?? [];
  return state === undefined ? undefined : { state, parent: Number(parent) };
}
