import { lstat } from "node:fs/promises";

/** Whether something has this path, links that lead nowhere included. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
