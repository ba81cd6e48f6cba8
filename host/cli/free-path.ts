import { lstat } from "node:fs/promises";

/** Throws if there is anything at the path, also a link to nowhere; `advice` tells what else to do. */
export async function requireFree(path: string, advice: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${path} exists; ${advice}.`);
}
