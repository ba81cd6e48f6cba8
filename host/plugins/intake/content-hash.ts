import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { eachInTurn } from "../../each-in-turn.js";

/** At one time; a plugin may consist of more files than a process may have open. */
const openFiles = 16;

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

/** The files as they are now, in the order of their paths. Rejects when one cannot be read. */
export async function hashInputs(folder: string, paths: Iterable<string>): Promise<Input[]> {
  const inputs = [...new Set([...paths].map((path) => placed(folder, path)))].sort();
  return await eachInTurn(inputs, openFiles, async (path) => ({
    path,
    sha256: sha256(await readFile(resolve(folder, path))),
  }));
}

/**
 * One hash for all that a plugin version consists of. It does not depend on where plugin and host are installed: of
 * files outside the plugin's folder only the path inside their package counts.
 */
export function contentHash(builder: string, inputs: readonly Input[]): string {
  const lines = inputs.map(({ path, sha256: hash }) => `${portable(path)} ${hash}`).sort();
  return sha256([builder, ...lines].join("\n"));
}

function placed(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path));
  return inside.startsWith("..") || isAbsolute(inside) ? resolve(folder, path) : inside;
}

function portable(path: string): string {
  const parts = path.split(sep);
  const packages = parts.lastIndexOf("node_modules");
  if (packages >= 0) return parts.slice(packages).join("/");
  return isAbsolute(path) ? (parts.at(-1) ?? path) : parts.join("/");
}
