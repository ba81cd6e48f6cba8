import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Rejection } from "../../system/errors.js";
import { isBelow } from "./content-hash.js";

/** Of one that describes a plugin, in bytes. */
export const largestDescription = 16 * 1024 * 1024;

/**
 * A file of a plugin's folder, by its path below it. Throws a `Rejection` when there is none, when it is no plain file,
 * when a link takes it from outside of the folder, and when it has more than `most` bytes.
 */
export async function readPluginFile(folder: string, path: string, most: number): Promise<Buffer> {
  const file = join(folder, path);
  try {
    // A pipe would keep whoever opens it waiting for a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Rejection(`${path} is no file`);
      if (found.size > most) throw new Rejection(`${path} is larger than ${most} bytes`);
      const real = await realpath(file);
      const { dev, ino } = await stat(real);
      if (!isBelow(await realpath(folder), real) || dev !== found.dev || ino !== found.ino) {
        throw new Rejection(`${path} lies outside of the plugin's folder`);
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Rejection(`${path} cannot be read: ${error.code}`, { cause: error });
  }
}

/** A sentence part for admins that names no path; the log has the whole error. */
export function describeProblem(error: unknown): string {
  // Errors of the system read "CODE: what it means, operation 'path'".
  if (isSystemError(error)) return error.message.split(", ")[0] ?? error.code;
  return "of an error inside the host, which its log describes";
}

/** What kept a file from being found, read or written, with the system's code. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
