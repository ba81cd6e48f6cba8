import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { errorCode } from "../../system/errors.js";

const mostFolders = 64;
/** Some file systems tell times apart by two seconds only, so that a young file may change without looking so. */
const settled = 2000;

interface KnownHash {
  /** Size, times and inode at which it was taken. */
  look: string;
  sha256: string;
}

/** What is known of files' hashes from earlier looks, so that only what changed is read again. */
export class KnownHashes {
  /** By folder, the one that was asked for last comes last. */
  private readonly folders = new Map<string, Map<string, KnownHash>>();

  /** Forgets the files that are not in the list. */
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

  /** Size in bytes and SHA-256 of a file as it is now; the hash only when it has the size that somebody expects. */
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
    const sha256 = await hashFile(file);
    const after = await look(file);
    if (sha256 === undefined || after === undefined) return undefined;
    if (after.look === before.look && Date.now() - after.changed > settled) {
      this.folders.get(folder)?.set(path, { look: after.look, sha256 });
    }
    return { size: after.size, sha256 };
  }
}

/** Undefined when no file is there. */
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

async function hashFile(file: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const done = await pipeline(createReadStream(file), hash).then(() => true, missing);
  return done === undefined ? undefined : hash.digest("hex");
}

/** A file that is not there, or not any more. Other errors are the caller's. */
function missing(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
