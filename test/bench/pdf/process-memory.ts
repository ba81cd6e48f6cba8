/** Memory of processes with all their descendants, in MiB, shared pages counted once (PSS); Linux only. */
import { readdir, readFile } from "node:fs/promises";

/** The sum over a process and its descendants; `without` and its descendants are left out. */
export async function treeMemory(root: number, without: number[] = []): Promise<number> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.replace(/^.*\) /s, "").split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  let sum = 0;
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (without.includes(pid)) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    sum += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
    pending.push(...(children.get(pid) ?? []));
  }
  return sum / 1024;
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
