import { stat } from "node:fs/promises";

/** Whether there is a file at a path that can be seen. */
export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
