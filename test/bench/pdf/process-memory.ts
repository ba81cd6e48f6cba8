/** Memory of processes with all their descendants, in MiB, shared pages counted once (PSS); Linux only. */
import { readFile } from "node:fs/promises";
import { processTree } from "../measuring/process-tree.js";

/** The sum over a process and its descendants; `without` and its descendants are left out. */
export async function treeMemory(root: number, without: number[] = []): Promise<number> {
  const memory = await memoryByProcess(root, without);
  return [...memory.values()].reduce((sum, size) => sum + size, 0);
}

async function memoryByProcess(root: number, without: number[]): Promise<Map<number, number>> {
  const memory = new Map<number, number>();
  for (const { pid } of await processTree(root, without)) memory.set(pid, await processMemory(pid));
  return memory;
}

async function processMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** The parts that a host has; `host` is the process that was started, also that of another service. */
type Role = "host" | "plugins" | "templates" | "pictures" | "browser" | "other";
export type MemoryByRole = Record<Role, number>;

/** What the processes of a host or of another service have, by what they do there. */
export async function memoryByRole(root: number): Promise<MemoryByRole> {
  const sums: MemoryByRole = { host: 0, plugins: 0, templates: 0, pictures: 0, browser: 0, other: 0 };
  for (const { pid, command } of await processTree(root))
    sums[roleOf(pid, command, root)] += await processMemory(pid);
  return sums;
}

function roleOf(pid: number, command: string, root: number): Role {
  if (pid === root) return "host";
  if (command.includes("/plugins/instances/child/")) return "plugins";
  if (command.includes("/templates/render-process.js")) return "templates";
  if (command.includes("/pictures/picture-process.js")) return "pictures";
  return /chrom|headless/i.test(command.split(" ")[0] ?? "") ? "browser" : "other";
}

/** The sum over all parts. */
export function totalMemory(memory: MemoryByRole): number {
  return Object.values(memory).reduce((sum, size) => sum + size, 0);
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
