import { isThere } from "../system/durable-files.js";

/** Throws if the path exists, also as a broken link; `advice` names the alternative. */
export async function requireFree(path: string, advice: string): Promise<void> {
  if (await isThere(path)) throw new Error(`${path} exists; ${advice}.`);
}
