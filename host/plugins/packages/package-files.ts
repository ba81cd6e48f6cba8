/** The files of a package besides its code and manifest: default configuration, assets, and what its list says of all files. */
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AssetError, type AssetFile, findAssets, isIgnored } from "@slipway/sdk/runtime/host";
import { pathProblem } from "../../system/archives/entry-path.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { makeFolder, syncFolder, writeSynced } from "../../system/durable-files.js";
import { errorMessage, isMissing, Rejection } from "../../system/errors.js";
import { isJsonObject } from "../../system/json.js";
import {
  hashFile,
  type Input,
  input,
  isSystemError,
  largestDescription,
  readPluginFile,
  sha256,
} from "../plugin-files.js";
import type { PluginAsset } from "../plugin-state.js";
import { findIntegrity, type Integrity, integrityFile } from "./integrity.js";
import type { Manifest } from "./manifest.js";

/** Files held in memory concurrently. */
const parallel = 2;

/** The assets of a plugin folder, sorted by path. Throws a `Rejection` that names the glob or file. */
export async function listAssets(folder: string, { slipway }: Manifest): Promise<PluginAsset[]> {
  const files = await foundFiles(folder, slipway);
  return await mapConcurrent(files, parallel, async ({ path, bytes }) => {
    const content = await readPluginFile(folder, path, bytes);
    return { path, bytes: content.length, sha256: sha256(content) };
  });
}

/** The content of an asset. Throws a `Rejection` if it has changed since it was listed. */
export async function readAsset(folder: string, asset: PluginAsset): Promise<Buffer> {
  const content = await readPluginFile(folder, asset.path, asset.bytes);
  if (sha256(content) === asset.sha256) return content;
  throw new Rejection(`${asset.path} changed while the plugin was being staged`);
}

/** Writes the assets of a plugin's folder below `target`. Throws a `Rejection` if one has changed since it was listed. */
export async function copyAssets(
  source: string,
  assets: readonly PluginAsset[],
  target: string,
): Promise<void> {
  const folders = new Set<string>();
  for (const asset of assets) {
    const file = join(target, asset.path);
    const content = await readAsset(source, asset);
    if (!folders.has(dirname(file))) await makeFolder(dirname(file));
    folders.add(dirname(file));
    await writeSynced(file, content);
  }
  for (const folder of folders) await syncFolder(folder);
}

async function foundFiles(folder: string, slipway: Manifest["slipway"]): Promise<AssetFile[]> {
  try {
    const files = await findAssets(folder, slipway);
    for (const { path } of files) {
      const problem = pathProblem(path);
      if (problem !== undefined)
        throw new Rejection(`the path ${JSON.stringify(path)} of an asset ${problem}`);
    }
    return files;
  } catch (error) {
    if (error instanceof AssetError) throw new Rejection(error.message);
    if (isSystemError(error))
      throw new Rejection(`slipway.assets: the folder cannot be searched: ${error.code}`, { cause: error });
    throw error;
  }
}

/** Reads the default configuration from a file of a plugin folder. Throws a `Rejection`. */
export async function readDefaults(
  folder: string,
  file: string,
): Promise<{ defaults: Readonly<Record<string, unknown>>; input: Input }> {
  const content = await readPluginFile(folder, file, largestDescription).catch((error: unknown) => {
    const isThere = error instanceof Rejection && error.cause === undefined;
    throw isThere
      ? error
      : new Rejection(`the default configuration ${file} cannot be read`, { cause: error });
  });
  const defaults = parse(file, content.toString("utf8"));
  if (!isJsonObject(defaults)) throw new Rejection(`the default configuration ${file} is not a JSON object`);
  return { defaults, input: input(file, content) };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Rejection(`${file} is not valid JSON: ${errorMessage(error)}`);
  }
}

export interface Completeness {
  /** Whether the folder has a file list. */
  listed: boolean;
  /** Why the folder is incomplete, as a sentence; undefined when it is complete or has no list. */
  waiting: string | undefined;
}

/** Files hashed concurrently. */
const hashing = 8;

/**
 * Compares a plugin folder with its file list, by size and hash. `hashes` has those of earlier calls. Throws a
 * `Rejection` when the list is malformed, or when a complete folder has files outside the list.
 */
export async function completeness(folder: string, hashes = known): Promise<Completeness> {
  const integrity = await findIntegrity(folder);
  if (integrity === undefined) return { listed: false, waiting: undefined };
  if (integrity === "incomplete") return { listed: true, waiting: `${integrityFile} is not complete.` };
  const waiting = await whatIsMissing(folder, integrity, hashes);
  if (waiting === undefined) await requireNothingElse(folder, integrity);
  return { listed: true, waiting };
}

async function whatIsMissing(
  folder: string,
  { files }: Integrity,
  hashes: KnownHashes,
): Promise<string | undefined> {
  const listed = Object.entries(files);
  hashes.retain(folder, new Set(Object.keys(files)));
  const found = await mapConcurrent(listed, hashing, async ([path, { size, sha256 }]) => {
    const file = await hashes.hash(folder, path, size);
    if (file === undefined || file.size < size) return "missing";
    return file.sha256 === sha256 ? "there" : path;
  });
  const complete = found.filter((each) => each === "there").length;
  if (complete === listed.length) return undefined;
  const count = `${complete} of ${listed.length} files are there`;
  const wrong = listed.find((_entry, index) => found[index] !== "there" && found[index] !== "missing")?.[0];
  return wrong === undefined ? `${count}.` : `${count}; ${wrong} differs from its entry in ${integrityFile}.`;
}

/** An unlisted file could be executed without being signed. */
async function requireNothingElse(folder: string, { files }: Integrity): Promise<void> {
  const listed = new Set([integrityFile, ...Object.keys(files)]);
  const extra = await firstUnlisted(folder, "", listed);
  if (extra !== undefined) throw new Rejection(`${extra} is not in ${integrityFile}`);
}

async function firstUnlisted(
  root: string,
  below: string,
  listed: ReadonlySet<string>,
): Promise<string | undefined> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (listed.has(path)) continue;
    if (isIgnored(entry.name)) continue;
    if (!entry.isDirectory()) return path;
    const inside = await firstUnlisted(root, path, listed);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

const mostFolders = 64;
/**
 * Milliseconds. Some file systems have a time resolution of two seconds, so a recent file may change without a visible
 * difference.
 */
const settled = 2000;

interface KnownHash {
  /** Size, times and inode of the file when it was hashed. */
  look: string;
  sha256: string;
}

/** Caches hashes of files, so that only changed files are read again. */
export class KnownHashes {
  /** By folder, the least recently used first. */
  private readonly folders = new Map<string, Map<string, KnownHash>>();

  /** Forgets files that are not in the list. */
  retain(folder: string, paths: ReadonlySet<string>): void {
    const known = this.folders.get(folder) ?? new Map<string, KnownHash>();
    for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
    this.folders.delete(folder);
    this.folders.set(folder, known);
    for (const oldest of this.folders.keys()) {
      if (this.folders.size <= mostFolders) break;
      this.folders.delete(oldest);
    }
  }

  /** Current size in bytes and SHA-256 of a file; the hash only when the file has the expected size. */
  async hash(
    folder: string,
    path: string,
    expectedSize: number,
  ): Promise<{ size: number; sha256: string | undefined } | undefined> {
    const file = join(folder, path);
    const before = await look(file);
    if (before === undefined) return undefined;
    if (before.size !== expectedSize) return { size: before.size, sha256: undefined };
    const known = this.folders.get(folder)?.get(path);
    if (known?.look === before.look) return { size: before.size, sha256: known.sha256 };
    const sha256 = await hashFile(file).catch(missing);
    const after = await look(file);
    if (sha256 === undefined || after === undefined) return undefined;
    if (after.look === before.look && Date.now() - after.changed > settled) {
      this.folders.get(folder)?.set(path, { look: after.look, sha256 });
    }
    return { size: after.size, sha256 };
  }
}

/** Undefined when there is no such file. */
async function look(file: string): Promise<{ size: number; look: string; changed: number } | undefined> {
  const found = await stat(file, { bigint: true }).catch(missing);
  if (found === undefined || !found.isFile()) return undefined;
  const { size, mtimeNs, ctimeNs, ctimeMs, ino, dev } = found;
  return {
    size: Number(size),
    look: [size, mtimeNs, ctimeNs, ino, dev].join(),
    changed: Number(ctimeMs),
  };
}

/** Ignores a missing file; rethrows other errors. */
function missing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

const known = new KnownHashes();
