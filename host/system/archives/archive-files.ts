import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { shownValue } from "@slipway/sdk";
import { errorCode, Rejection } from "../errors.js";
import { type ArchiveEntry, archiveEntries, ByteReader, endsEarly } from "./archive-entries.js";
import { DistinctPaths, pathProblem } from "./entry-path.js";

/** How much one archive may hold. */
export interface ArchiveLimits {
  /** After decompression, everything included. */
  bytes: number;
  /** Files; and as many folders. */
  files: number;
}

/**
 * The files and folders of a `.tgz`, with their paths below its one top folder, "/" between names. Each path is fit for
 * every file system and there once. The content of a file has to be read before the next one is asked for. Throws a
 * `Rejection` that names the entry at fault, or says that something follows the archive.
 */
export async function* archiveFiles(source: Readable, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const gunzip = createGunzip();
  let compressed = 0;
  source.on("data", (chunk: Buffer) => {
    compressed += chunk.length;
  });
  const ended = new Promise<void>((resolve) => source.once("close", resolve));
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    const places = new EntryPlaces(limits);
    for await (const entry of archiveEntries(new ByteReader(limited(gunzip, limits.bytes)))) {
      const path = places.take(entry);
      if (path !== undefined) yield { ...entry, path };
    }
    source.unpipe(gunzip);
    source.resume();
    await ended;
    if (gunzip.bytesWritten < compressed) throw new Rejection("the archive has data after its end");
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Bytes as people say them. */
export function shownBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}

/**
 * What comes out of a decompressor, at most so many bytes of it, headers included; throws a `Rejection` for more. Whoever
 * reads a content gets its errors, too.
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

/** Judges where the entries of one archive lie, and how many they are. */
class EntryPlaces {
  private readonly paths = new DistinctPaths();
  private top: string | undefined;
  private files = 0;
  private bytes = 0;

  constructor(private readonly limits: ArchiveLimits) {}

  /** The path below the top folder; undefined for that folder itself. */
  take(entry: ArchiveEntry): string | undefined {
    const path = this.placed(entry);
    if (path !== undefined) this.count(entry);
    return path;
  }

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
}

/** Of what the decompressor says, only that matters for whoever made the archive. */
function explained(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "Z_BUF_ERROR") return endsEarly();
  if (code === "Z_DATA_ERROR") return new Rejection("it is no gzip archive, or a damaged one");
  return error;
}

/**
 * The files of a `.tgz` by their paths below its one top folder, in order of the paths. Throws a `Rejection` as
 * `archiveFiles` does.
 */
export async function readArchive(archive: Buffer, limits: ArchiveLimits): Promise<Map<string, Buffer>> {
  const files: [string, Buffer][] = [];
  for await (const { path, kind, content } of archiveFiles(Readable.from([archive]), limits)) {
    if (kind === "folder") continue;
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    files.push([path, Buffer.concat(pieces)]);
  }
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}
