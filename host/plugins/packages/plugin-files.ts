import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { Rejection } from "../../system/errors.js";

/** Of one that describes a plugin, in bytes. */
export const largestDescription = 16 * 1024 * 1024;

/**
 * A file of a plugin's folder, by its path below it. Throws a `Rejection` when there is none, when it is no plain file,
 * when a link takes it from outside of the folder, and when it has more than `most` bytes.
 */
export async function readPluginFile(folder: string, path: string, most: number): Promise<Buffer> {
  const file = join(folder, path);
  try {
    // Opening a pipe would block until it has a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Rejection(`${path} is not a file`);
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

/** At one time; a plugin may consist of more files than a process may have open. */
export const openFiles = 16;

/** A file that went into a snapshot. */
export interface Input {
  /** Relative to the plugin's folder where it lies inside, else absolute. */
  path: string;
  sha256: string;
}

/** SHA-256, hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A file that was read, under its path below the folder. */
export function input(path: string, content: string | Uint8Array): Input {
  return { path: normalize(path), sha256: sha256(content) };
}

export function isSameInput(one: Input, other: Input): boolean {
  return one.path === other.path && one.sha256 === other.sha256;
}

/** All inputs, each once. Throws a `Rejection` when a file changed between two readings. */
export function mergedInputs(...lists: (readonly Input[])[]): Input[] {
  const merged = new Map<string, Input>();
  for (const each of lists.flat()) {
    const other = merged.get(each.path);
    if (other !== undefined && other.sha256 !== each.sha256) {
      throw new Rejection(`${basename(each.path)} changed while the plugin was being staged`);
    }
    merged.set(each.path, each);
  }
  return [...merged.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whether every file still is what it was. */
export async function areUnchanged(folder: string, inputs: readonly Input[]): Promise<boolean> {
  const isUnchanged = async ({ path, sha256: hash }: Input): Promise<boolean> => {
    const content = await readFile(resolve(folder, path)).catch(() => undefined);
    return content !== undefined && sha256(content) === hash;
  };
  for (let from = 0; from < inputs.length; from += openFiles) {
    const some = await Promise.all(inputs.slice(from, from + openFiles).map(isUnchanged));
    if (some.includes(false)) return false;
  }
  return true;
}

/**
 * One hash for all that a plugin version consists of. It does not depend on where plugin and host are installed: of
 * files outside the plugin's folder only the path inside their package counts.
 */
export function contentHash(builder: string, inputs: readonly Input[]): string {
  const lines = inputs.map(({ path, sha256: hash }) => `${portable(path)} ${hash}`).sort();
  return sha256([builder, ...lines].join("\n"));
}

/** One hash for the plugin's own files, which stays the same when the host brings another version of a package. */
export function sourceHash(inputs: readonly Input[]): string {
  return contentHash(
    "source",
    inputs.filter(({ path }) => !isAbsolute(path)),
  );
}

/** The path relative to the folder when it lies below, else absolute. */
export function placedIn(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path));
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? resolve(folder, path) : inside;
}

/** Whether a path lies below a folder, or is the folder. */
export function isBelow(folder: string, path: string): boolean {
  return !isAbsolute(placedIn(folder, path));
}

function portable(path: string): string {
  if (!isAbsolute(path)) return path.split(sep).join("/");
  const parts = path.split(sep);
  const packages = parts.lastIndexOf("node_modules");
  if (packages >= 0) return `host/${parts.slice(packages).join("/")}`;
  return `host/${parts.at(-1) ?? path}`;
}
