import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { shownValue } from "@slipway/sdk";
import { syncFolder } from "../../durable-files.js";
import { errorCode } from "../../error-code.js";
import { Rejection } from "../intake/rejection.js";
import type { PluginsConfiguration } from "../plugins-configuration.js";
import { type ArchiveEntry, archiveEntries, endsEarly } from "./archive-entries.js";
import { ByteReader } from "./byte-reader.js";
import { withPassingFolder } from "./passing-folder.js";
import { DistinctPaths, pathProblem } from "./plugin-path.js";

/** How much one archive may hold. */
export interface ArchiveLimits {
  /** After decompression, everything included. */
  bytes: number;
  /** Files; and as many folders. */
  files: number;
}

/** The limits of a configuration, which counts megabytes. */
export function archiveLimits({ bytes, files }: PluginsConfiguration["archives"]): ArchiveLimits {
  return { bytes: bytes * 1024 * 1024, files };
}

/**
 * Unpacks a plugin's archive, as `npm pack` makes them, into the folder `target`, which must not exist; its one top
 * folder is stripped. The folder is there when all of it is on disk. Gives the SHA-256 of the archive, hexadecimal. Throws a
 * `Rejection` that names the entry at fault.
 */
export async function unpackArchive(file: string, target: string, limits: ArchiveLimits): Promise<string> {
  return await withUnpacked(file, dirname(target), limits, async (folder, sha256) => {
    await rename(folder, target);
    return sha256;
  });
}

/** Throws a `Rejection` for an archive that is larger than what it may hold, so that nobody reads all of it. */
export async function requireArchiveSize(file: string, { bytes }: ArchiveLimits): Promise<void> {
  if ((await stat(file)).size > bytes) throw new Rejection(`the archive is larger than ${shownBytes(bytes)}`);
}

/** Unpacks into a new folder below `root` that `use` moves to its place; what it leaves is removed. */
export async function withUnpacked<T>(
  file: string,
  root: string,
  limits: ArchiveLimits,
  use: (folder: string, sha256: string) => Promise<T>,
): Promise<T> {
  return await withPassingFolder(root, async (folder) => {
    const result = await use(folder, await unpackInto(file, folder, limits));
    await syncFolder(root);
    return result;
  });
}

async function unpackInto(file: string, folder: string, limits: ArchiveLimits): Promise<string> {
  await requireArchiveSize(file, limits);
  const hash = createHash("sha256");
  const source = createReadStream(file);
  const gunzip = createGunzip();
  let compressed = 0;
  source.on("data", (chunk) => {
    compressed += chunk.length;
    hash.update(chunk);
  });
  const ended = new Promise<void>((resolve) => source.once("close", resolve));
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    const writer = new PluginFiles(folder, limits);
    for await (const entry of archiveEntries(new ByteReader(limited(gunzip, limits.bytes)))) {
      await writer.take(entry);
    }
    source.unpipe(gunzip);
    source.resume();
    await ended;
    if (gunzip.bytesWritten < compressed) throw new Rejection("the archive goes on after its end");
    await writer.finish();
    return hash.digest("hex");
  } catch (error) {
    throw explained(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Counts what comes out of the decompressor, headers included. */
async function* limited(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > most) throw new Rejection(`the archive holds more than ${shownBytes(most)}`);
    yield chunk;
  }
}

/** Writes the entries of one archive. */
class PluginFiles {
  private readonly paths = new DistinctPaths();
  private readonly folders = new Set<string>();
  private top: string | undefined;
  private files = 0;
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: ArchiveLimits,
  ) {
    this.folders.add(folder);
  }

  async take(entry: ArchiveEntry): Promise<void> {
    const path = this.placed(entry);
    if (path === undefined) return;
    this.count(entry);
    const place = join(this.folder, path);
    await this.makeFolder(entry.kind === "folder" ? place : dirname(place));
    if (entry.kind === "file") await writeEntry(place, entry);
  }

  /** Checks the whole, and makes the names last. */
  async finish(): Promise<void> {
    if (!this.paths.hasFile("package.json")) {
      throw new Rejection(
        "the archive has no package.json in its top folder, as `npm pack` would put it there",
      );
    }
    for (const folder of this.folders) await syncFolder(folder);
  }

  /** Its path below the top folder; undefined for that folder itself. */
  private placed({ path, kind }: ArchiveEntry): string | undefined {
    const refuse = (problem: string): Rejection => new Rejection(`${shownValue(path)} ${problem}`);
    const problem = pathProblem(path);
    if (problem !== undefined) throw refuse(problem);
    const [top = "", ...rest] = path.split("/");
    this.top ??= top;
    if (top !== this.top)
      throw refuse(`lies beside ${shownValue(this.top)}; the archive has one folder on top`);
    if (rest.length === 0 && kind === "folder") return undefined;
    if (rest.length === 0) throw refuse("lies in no folder; the archive has one folder on top");
    const inside = rest.join("/");
    const clash = this.paths.add(inside, kind);
    if (clash !== undefined) throw refuse(clash);
    return inside;
  }

  private count({ path, kind, size }: ArchiveEntry): void {
    const { files, bytes } = this.limits;
    if (kind === "file") this.files += 1;
    this.bytes += size;
    if (this.files > files) throw new Rejection(`the archive has more than ${files} files`);
    if (this.paths.folders > files) throw new Rejection(`the archive has more than ${files} folders`);
    if (this.bytes > bytes) {
      throw new Rejection(`with ${shownValue(path)} the archive holds more than ${shownBytes(bytes)}`);
    }
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.folders.has(folder)) return;
    await this.makeFolder(dirname(folder));
    await mkdir(folder);
    this.folders.add(folder);
  }
}

async function writeEntry(place: string, { content, executable }: ArchiveEntry): Promise<void> {
  const handle = await open(place, "wx");
  try {
    await writeFile(handle, content);
    await handle.chmod(executable ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Of what the decompressor says, only that matters for whoever made the archive. */
function explained(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "Z_BUF_ERROR") return endsEarly();
  if (code === "Z_DATA_ERROR") return new Rejection("it is no gzip archive, or a damaged one");
  return error;
}

function shownBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}
