/** What a process holds in memory. */
import { readFile } from "node:fs/promises";

/** Resident bytes; undefined where the system does not tell, or the process is gone. */
export async function residentBytes(processId: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
