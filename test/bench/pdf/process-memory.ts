/** Memory of processes with all their descendants, in MiB, shared pages counted once (PSS); Linux only. */
import { readdir, readFile } from "node:fs/promises";

/** The sum over a process and its descendants; `without` and its descendants are left out. */
export async function treeMemory(root: number, without: number[] = []): Promise<number> {
  const memory = await memoryByProcess(root, without);
  return [...memory.values()].reduce((sum, size) => sum + size, 0);
}

async function memoryByProcess(root: number, without: number[]): Promise<Map<number, number>> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.replace(/^.*\) /s, "").split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const memory = new Map<number, number>();
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (without.includes(pid)) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    memory.set(pid, Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024);
    pending.push(...(children.get(pid) ?? []));
  }
  return memory;
}

/** The highest memory that was seen while the work ran. */
export async function peakMemory(root: number, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let running = true;
  const watching = (async () => {
    while (running) {
      peak = Math.max(peak, await treeMemory(root));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await work();
  running = false;
  await watching;
  return peak;
}

/** The highest memory that was seen of each kind of process, in MiB. */
export interface Peaks {
  /** The process itself. */
  root: number;
  /** The largest one of its descendants. */
  child: number;
  /** All together. */
  tree: number;
}

/** Looks at a process and its descendants while the work runs. */
export async function peaksOf(root: number, work: () => Promise<void>): Promise<Peaks> {
  const peaks: Peaks = { root: 0, child: 0, tree: 0 };
  let running = true;
  const watching = (async () => {
    while (running) {
      const memory = await memoryByProcess(root, []);
      const sizes = [...memory.values()];
      peaks.root = Math.max(peaks.root, memory.get(root) ?? 0);
      memory.delete(root);
      peaks.child = Math.max(peaks.child, ...memory.values());
      peaks.tree = Math.max(
        peaks.tree,
        sizes.reduce((sum, size) => sum + size, 0),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await work();
  running = false;
  await watching;
  return peaks;
}
