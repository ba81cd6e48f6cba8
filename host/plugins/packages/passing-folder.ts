import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, unfinished } from "../../system/durable-files.js";

/** A new folder below `root` for as long as `use` takes. What is to stay, `use` moves to its place. */
export async function withPassingFolder<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  await makeFolder(root);
  // A host that was killed may have had the same process id.
  const folder = join(root, `.passing-${randomUUID()}${unfinished}`);
  underWay.add(folder);
  try {
    await mkdir(folder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    underWay.delete(folder);
  }
}

/** Whether somebody uses a folder right now. */
export function isUnderWay(folder: string): boolean {
  return underWay.has(folder);
}

const underWay = new Set<string>();
