import { readFile } from "node:fs/promises";
import type { BrowserProcess } from "./browser-process.js";

const pageBytes = 4096;

/**
 * MiB of memory of the largest renderer process that are its own. Undefined where the system does not tell (only
 * Linux does, in `/proc`).
 */
export async function largestRenderer(browser: BrowserProcess): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const { processInfo } = await browser.connection.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter((each) => each.type === "renderer");
  const sizes = await Promise.all(renderers.map((each) => ownMemory(each.id)));
  return Math.max(0, ...sizes);
}

/** Resident minus shared pages; 0 for a process that has just ended. */
async function ownMemory(pid: number): Promise<number> {
  const [, resident, shared] = (await readFile(`/proc/${pid}/statm`, "utf8").catch(() => ""))
    .split(" ")
    .map(Number);
  return resident === undefined || shared === undefined ? 0 : ((resident - shared) * pageBytes) / 1024 ** 2;
}
