/** Processes with all their descendants, as Linux tells of them. */
import { readdir, readFile } from "node:fs/promises";

export interface TreeProcess {
  pid: number;
  /** As it was started, its parameters separated by spaces. */
  command: string;
}

/** The process first; `without` and its descendants are left out. */
export async function processTree(root: number, without: readonly number[] = []): Promise<TreeProcess[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.replace(/^.*\) /s, "").split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree: TreeProcess[] = [];
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (without.includes(pid)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
    tree.push({ pid, command: command.replaceAll("\0", " ") });
    pending.push(...(children.get(pid) ?? []));
  }
  return tree;
}

/** What the threads of a process and of its descendants have had of all processors so far, seconds. */
export async function treeProcessorTime(root: number): Promise<number> {
  let sum = 0;
  for (const { pid } of await processTree(root)) sum += await threadTime(pid);
  return sum;
}

/** To the nanosecond: a process that sleeps most of the time has less than a tick of /proc/PID/stat. */
async function threadTime(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  let sum = 0;
  for (const thread of await readdir(folder).catch(() => [])) {
    const times = await readFile(`${folder}/${thread}/schedstat`, "utf8").catch(() => "");
    sum += Number(times.split(" ")[0]) / 1e9;
  }
  return sum;
}
