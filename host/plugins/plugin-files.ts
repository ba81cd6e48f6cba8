import { createHash } from "node:crypto";
import { constants, createReadStream, readFile, readFileSync } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { Rejection } from "../system/errors.js";

/** Size limit of a file that describes a plugin, in bytes. */
export const largestDescription = 16 * 1024 * 1024;

/**
 * Reads a file of a plugin folder by its relative path. Throws a `Rejection` when it is missing, is not a plain file,
 * is a link to outside the folder, or has more than `most` bytes.
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

/** A sentence part for admins without paths; the log has the whole error. */
export function describeProblem(error: unknown): string {
  // System errors have the form "CODE: meaning, operation 'path'".
  if (isSystemError(error)) return error.message.split(", ")[0] ?? error.code;
  return "of an error inside the host, which its log describes";
}

/** Whether an error is a system error with a code. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

/** Files to read concurrently; a plugin may have more files than a process may open. */
export const openFiles = 16;

/** A file that is part of a snapshot. */
export interface Input {
  /** Relative to the plugin folder when inside, else absolute. */
  path: string;
  sha256: string;
}

/** SHA-256, hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The SHA-256 of a file, hexadecimal, without holding it in memory. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Folder of a plugin's own files below another. Names that differ only in case would share one on some disks. */
export function folderOfPlugin(parent: string, plugin: string): string {
  return join(parent, `${plugin}-${sha256(plugin).slice(0, 8)}`);
}

/** Describes a file by its path below the folder and its content. */
export function input(path: string, content: string | Uint8Array): Input {
  return { path: normalize(path), sha256: sha256(content) };
}

export function isSameInput(one: Input, other: Input): boolean {
  return one.path === other.path && one.sha256 === other.sha256;
}

/** Merges inputs without duplicates. Throws a `Rejection` when a file changed between two reads. */
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

/** Takes half the time of the `fs/promises` variant. */
export const readContent = promisify(readFile);

/** Whether no file has changed. */
export async function areUnchanged(folder: string, inputs: readonly Input[]): Promise<boolean> {
  const isUnchanged = async ({ path, sha256: hash }: Input): Promise<boolean> => {
    const content = await contentOf(folder, path).catch(() => undefined);
    return content !== undefined && sha256(content) === hash;
  };
  for (let from = 0; from < inputs.length; from += openFiles) {
    const some = await Promise.all(inputs.slice(from, from + openFiles).map(isUnchanged));
    if (some.includes(false)) return false;
    // Otherwise reading packages would keep everything else waiting.
    await setImmediate();
  }
  return true;
}

/** A package has hundreds of files, on the disk of the installation: to wait for a thread takes longer than to read them. */
async function contentOf(folder: string, path: string): Promise<Buffer> {
  return isAbsolute(path) ? readFileSync(path) : readContent(resolve(folder, path));
}

/**
 * One hash of the content of a plugin version. It does not depend on installation paths: of files outside the plugin
 * folder only the path inside their package counts.
 */
export function contentHash(builder: string, inputs: readonly Input[]): string {
  const lines = inputs.map(({ path, sha256: hash }) => `${portable(path)} ${hash}`).sort();
  return sha256([builder, ...lines].join("\n"));
}

/** One hash of the plugin's own files, independent of package versions that the host provides. */
export function sourceHash(inputs: readonly Input[]): string {
  return contentHash(
    "source",
    inputs.filter(({ path }) => !isAbsolute(path)),
  );
}

/** The path relative to the folder when it is inside, else absolute. */
export function placedIn(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path));
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? resolve(folder, path) : inside;
}

/** Whether a path is the folder or inside it. */
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
