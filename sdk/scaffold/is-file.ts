import { stat } from "node:fs/promises";

/** Whether a path is an accessible file. */
export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
