import { crc32 } from "node:zlib";
import type { StoredFile } from "../../plugin/host.js";
import { blockBytes, deflateBlock, lastBlock } from "../archives/deflate-block.js";
import type { DeflatedBeginning } from "../archives/deflated-beginning.js";
import { type ZipContent, ZipStream } from "../archives/zip-stream.js";
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

/** Blocks that are deflated at the same time, one in each thread of Node.js by default. */
const blocksAtOnce = 4;

/**
 * Packs files of the running request into a ZIP, streaming from store to store. Each entry has the creation
 * time of its file in UTC, so that the same files produce the same archive.
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
    content: together(archiveOf(entries, artifacts)),
  });
  return madeFile(artifacts, context, { artifact, beginning: undefined });
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
    const beginning = own.beginningOf(id);
    entries.push({ artifact, beginning, name: names.unique(name ?? artifact.name) });
  }
  return entries;
}

/**
 * The archive in order, one file at a time, so that only one is open. Always deflated: streaming readers cannot find the
 * end of a stored entry.
 */
async function* archiveOf(entries: readonly Entry[], artifacts: GeneratedFiles): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream();
  for (const { artifact, beginning, name } of entries) {
    yield zip.begin({ name, date: new Date(artifact.created), bytes: artifact.bytes });
    const content = new EntryContent(beginning);
    for (const block of beginning?.blocks ?? []) yield content.deflated(await block);
    yield* restOf(artifact, content, artifacts);
    yield content.deflated(lastBlock);
    yield zip.end(content);
  }
  yield zip.directory();
}

/** Deflates what `content` does not have yet of a file. */
async function* restOf(
  artifact: Artifact,
  content: EntryContent,
  artifacts: GeneratedFiles,
): AsyncGenerator<Buffer> {
  if (content.bytes === artifact.bytes) return;
  const running: Promise<Buffer>[] = [];
  const rest = artifacts.read(artifact, { start: content.bytes, end: artifact.bytes - 1 });
  for await (const block of inBlocks(rest)) {
    content.add(block);
    const deflated = deflateBlock(block);
    // Blocks before it are awaited first.
    deflated.catch(() => undefined);
    running.push(deflated);
    const first = running.length < blocksAtOnce ? undefined : running.shift();
    if (first !== undefined) yield content.deflated(await first);
  }
  for (const each of running) yield content.deflated(await each);
}

/** What the archive tells of the content of an entry. */
class EntryContent implements ZipContent {
  crc: number;
  bytes: number;
  deflatedBytes = 0;

  constructor(beginning: DeflatedBeginning | undefined) {
    this.crc = beginning?.crc ?? 0;
    this.bytes = beginning?.bytes ?? 0;
  }

  add(bytes: Uint8Array): void {
    this.crc = crc32(bytes, this.crc);
    this.bytes += bytes.byteLength;
  }

  /** Counts a deflated block, and returns it. */
  deflated(block: Buffer): Buffer {
    this.deflatedBytes += block.byteLength;
    return block;
  }
}

/** The same bytes in blocks of `blockBytes`; the last one is smaller. */
async function* inBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(blockBytes);
  let filled = 0;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + blockBytes - filled);
      block.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < blockBytes) continue;
      yield block;
      block = Buffer.allocUnsafe(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** The same parts, about `blockBytes` at a time. */
async function* together(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let taken: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    taken.push(part);
    bytes += part.byteLength;
    if (bytes < blockBytes) continue;
    yield taken;
    taken = [];
    bytes = 0;
  }
  if (bytes > 0) yield taken;
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
