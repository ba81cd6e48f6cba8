import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { shownValue } from "@slipway/sdk";
import { isSystemFile, systemFolder } from "@slipway/sdk/runtime/host";
import { errorCode, Rejection } from "../errors.js";
import { type ArchiveEntry, type ArchiveSource, endsEarly } from "./archive-entry.js";
import { type ArchiveFormat, archiveFormat } from "./archive-format.js";
import { DistinctPaths, pathProblem } from "./entry-path.js";
import { ByteReader, tarEntries } from "./tar-entries.js";
import { TopFolder } from "./top-folder.js";
import { zipEntries } from "./zip-entries.js";

/** Limits of one archive. */
export interface ArchiveLimits {
  /** Total bytes after decompression. */
  bytes: number;
  /** Files; and as many folders. */
  files: number;
}

/** Entries of a ZIP archive for each file that is allowed: as many folders, and what macOS adds to each. */
const entriesPerFile = 4;

/**
 * The files and folders of a `.tgz`, `.tar` or `.zip`, with paths relative to the folder of the file `required`: the top of the
 * archive, or its only folder. Each path is unique and valid on every file system. Skips entries that macOS and Windows add. A
 * file on disk must not change meanwhile. Throws a `Rejection` that names the faulty entry, or data after the archive.
 */
export async function* archiveFiles(
  archive: ArchiveSource,
  limits: ArchiveLimits,
  required: string,
): AsyncGenerator<ArchiveEntry> {
  const format = await archiveFormat(archive);
  const folder = new TopFolder(required);
  for await (const entry of placedEntries(archive, format, limits)) folder.note(entry);
  const prefix = folder.prefix();
  for await (const entry of placedEntries(archive, format, limits)) {
    if (entry.path.startsWith(prefix)) yield { ...entry, path: entry.path.slice(prefix.length) };
  }
}

/** The entries of an archive with their paths, without skipped ones. */
async function* placedEntries(
  archive: ArchiveSource,
  format: ArchiveFormat,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveEntry> {
  const places = new EntryPlaces(limits);
  for await (const entry of entriesOf(archive, format, limits)) {
    const path = places.take(entry);
    if (path !== undefined) yield { ...entry, path };
  }
}

function entriesOf(
  archive: ArchiveSource,
  format: ArchiveFormat,
  { bytes, files }: ArchiveLimits,
): AsyncGenerator<ArchiveEntry> {
  if (format === "zip") return zipEntries(archive, entriesPerFile * files);
  return format === "tgz" ? gzippedEntries(archive, bytes) : plainEntries(archive, bytes);
}

async function* plainEntries(archive: ArchiveSource, most: number): AsyncGenerator<ArchiveEntry> {
  const source = streamOf(archive);
  try {
    yield* tarEntries(new ByteReader(limited(source, most)));
  } finally {
    source.destroy();
  }
}

async function* gzippedEntries(archive: ArchiveSource, most: number): AsyncGenerator<ArchiveEntry> {
  const source = streamOf(archive);
  const gunzip = createGunzip();
  let compressed = 0;
  source.on("data", (chunk: Buffer) => {
    compressed += chunk.length;
  });
  const ended = new Promise<void>((resolve) => source.once("close", resolve));
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    yield* tarEntries(new ByteReader(limited(gunzip, most)));
    source.unpipe(gunzip);
    source.resume();
    await ended;
    if (gunzip.bytesWritten < compressed) throw new Rejection("the archive has data after its end");
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function streamOf(archive: ArchiveSource): Readable {
  return typeof archive === "string" ? createReadStream(archive) : Readable.from([archive]);
}

/** Bytes for people. */
export function shownBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}

/**
 * Passes on at most so many decompressed bytes, headers included; throws a `Rejection` for more. Readers also get the errors of
 * the decompressor.
 */
export async function* limited(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > most) throw new Rejection(`the archive holds more than ${shownBytes(most)}`);
      yield chunk;
    }
  } catch (error) {
    throw explained(error);
  }
}

/** The icon of a folder of macOS. */
const folderIcon = "icon\r";

/** Checks the paths and the number of the entries of one archive. */
class EntryPlaces {
  private readonly paths = new DistinctPaths();
  private files = 0;
  private bytes = 0;

  constructor(private readonly limits: ArchiveLimits) {}

  /** Undefined for a skipped entry. */
  take(entry: ArchiveEntry): string | undefined {
    const path = this.placed(entry);
    if (path !== undefined) this.count(entry);
    return path;
  }

  private placed({ path: written, kind }: ArchiveEntry): string | undefined {
    const refuse = (problem: string): Rejection => new Rejection(`${shownValue(written)} ${problem}`);
    if (written === "." && kind === "folder") return undefined;
    const path = written.replace(/^\.\//, "");
    // "./" as a folder.
    if (path === "" && written !== "" && kind === "folder") return undefined;
    const names = path.split("/");
    const last = names.at(-1) ?? "";
    const isSystems = names[0] === systemFolder || isSystemFile(last) || last.toLowerCase() === folderIcon;
    const judged = isSystems ? names.slice(0, -1).join("/") : path;
    const problem = isSystems && judged === "" ? undefined : pathProblem(judged);
    if (problem !== undefined) throw refuse(problem);
    if (isSystems) return undefined;
    const clash = this.paths.add(path, kind);
    if (clash !== undefined) throw refuse(clash);
    return path;
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
}

/** The error for the author of the archive. */
function explained(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "Z_BUF_ERROR") return endsEarly();
  if (code === "Z_DATA_ERROR") return new Rejection("it is no gzip archive, or a damaged one");
  return error;
}

/** The files of an archive by their paths, sorted. Throws a `Rejection` as `archiveFiles` does. */
export async function readArchive(
  archive: Buffer,
  limits: ArchiveLimits,
  required: string,
): Promise<Map<string, Buffer>> {
  const files: [string, Buffer][] = [];
  for await (const { path, kind, content } of archiveFiles(archive, limits, required)) {
    if (kind === "folder") continue;
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    files.push([path, Buffer.concat(pieces)]);
  }
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}
