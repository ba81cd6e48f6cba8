import { pipeline, Readable } from "node:stream";
import { createDeflateRaw } from "node:zlib";
import type { ZipWriter } from "@zip.js/zip.js";
import type { StoredFile } from "../../plugin/stored-file.js";
import type { DeflatedBeginning } from "../archives/deflated-beginning.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import { cleanFilename, createStreamed, madeFile } from "./stored-file.js";

/** A file and its name in the archive. */
interface Entry {
  artifact: Artifact;
  beginning: DeflatedBeginning | undefined;
  name: string;
}

/** PKWARE's APPNOTE.TXT 6.3.10, section 4.4.5. */
const deflatedMethod = 8;

/** Blocks of a few kilobytes each are passed on together. */
const blocksAtOnce = 32;

/**
 * Packs files of the running request into a ZIP, streaming from store to store. Each entry has the creation time of its
 * file in UTC, so that the time zone of the host does not show.
 */
export async function archiveFiles(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  { name, files }: ParametersOf<"files.archive">,
): Promise<StoredFile> {
  const entries = await entriesOf(artifacts, context, files);
  const { signal } = context;
  signal.throwIfAborted();
  const artifact = await createStreamed(artifacts, signal, {
    name: /\.zip$/i.test(name) ? name : `${name}.zip`,
    mediaType: "application/zip",
    content: archiveOf(entries, artifacts),
  });
  return madeFile(artifacts, context, { artifact });
}

async function entriesOf(
  artifacts: GeneratedFiles,
  context: ServiceContext,
  files: ParametersOf<"files.archive">["files"],
): Promise<Entry[]> {
  const own = duringRequest(context).files;
  const names = new EntryNames();
  const entries: Entry[] = [];
  for (const { id, name } of files) {
    const artifact = own.made(id) && (await artifacts.find(id));
    if (artifact === undefined)
      throw pluginMistake(`The plugin tried to archive the file ${id}, which this request has not made.`);
    entries.push({ artifact, beginning: own.beginningOf(id), name: names.unique(name ?? artifact.name) });
  }
  return entries;
}

/** The bytes of the archive. Fails with the error of a file that cannot be read. */
async function* archiveOf(entries: readonly Entry[], artifacts: GeneratedFiles): AsyncGenerator<Uint8Array> {
  // Loaded on demand: most processes that use the SDK never write an archive.
  const { ZipWriter } = await import("@zip.js/zip.js/lib/zip-core-native.js");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  const archive = new ZipWriter(writable, {
    useWebWorkers: false,
    extendedTimestamp: false,
    signal: stop.signal,
  });
  const filled = fill(archive, entries, artifacts)
    // The reader receives the error, if there still is one.
    .catch((error: unknown) => writable.abort(error))
    .catch(() => undefined);
  try {
    yield* readable;
  } finally {
    stop.abort();
    await filled;
  }
}

/** Adds one file after the other, so that only one is open. */
async function fill(
  archive: ZipWriter<unknown>,
  entries: readonly Entry[],
  artifacts: GeneratedFiles,
): Promise<void> {
  for (const { artifact, beginning, name } of entries) {
    const options = { uncompressedSize: artifact.bytes, rawLastModDate: dosTime(new Date(artifact.created)) };
    if (beginning === undefined) {
      const content = artifacts.read(artifact);
      // The writer leaves it open when the archive's reader has gone.
      await archive.add(name, ReadableStream.from(content), options).finally(() => content.destroy());
    } else
      await archive.add(name, ReadableStream.from(deflated(artifact, beginning, artifacts)), {
        ...options,
        passThrough: true,
        compressionMethod: deflatedMethod,
        crc32: beginning.crc,
      });
  }
  await archive.close();
}

/** A file in raw deflate (RFC 1951): what was deflated while it was written, and the rest with the last block. */
async function* deflated(
  artifact: Artifact,
  { blocks, bytes }: DeflatedBeginning,
  artifacts: GeneratedFiles,
): AsyncGenerator<Uint8Array> {
  for (let first = 0; first < blocks.length; first += blocksAtOnce)
    yield Buffer.concat(await Promise.all(blocks.slice(first, first + blocksAtOnce)));
  const rest =
    bytes < artifact.bytes
      ? artifacts.read(artifact, { start: bytes, end: artifact.bytes - 1 })
      : Readable.from([]);
  // The reader receives the error.
  yield* pipeline(rest, createDeflateRaw(), () => undefined);
}

/** In UTC, with two seconds' precision (PKWARE's APPNOTE.TXT 6.3.10, section 4.4.6). */
function dosTime(date: Date): number {
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/** Makes entry names unique and valid on all systems. */
class EntryNames {
  /** In lower case, because many file systems are case-insensitive. */
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** The cleaned name, numbered if it is taken. "/" separates folders. */
  unique(wanted: string): string {
    const segments = wanted.split(/[\\/]/).filter((segment) => !/^\.*$/.test(segment.trim()));
    const name = cleanFilename(segments.pop() ?? "");
    let folder = "";
    for (const segment of segments) {
      folder += numbered(cleanFilename(segment), (each) => !this.files.has(`${folder}${each}`.toLowerCase()));
      this.folders.add(folder.toLowerCase());
      folder += "/";
    }
    const free = (each: string): boolean => {
      const key = `${folder}${each}`.toLowerCase();
      return !this.files.has(key) && !this.folders.has(key);
    };
    const path = `${folder}${numbered(name, free)}`;
    this.files.add(path.toLowerCase());
    return path;
  }
}

/** The name itself, or the first free one of "name (2).xml", "name (3).xml" and so on. */
function numbered(name: string, isFree: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let candidate = name;
  for (let number = 2; !isFree(candidate); number += 1) candidate = `${stem} (${number})${extension}`;
  return candidate;
}
