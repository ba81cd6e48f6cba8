/** The two files of an artifact: `<id>.content` and `<id>.json`, whose rename commits it. */
import { createHash } from "node:crypto";
import { close, createReadStream, open, read } from "node:fs";
import {
  type FileHandle,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Type, Validator } from "@slipway/sdk";
import { type Artifact, type ArtifactContent, listOf, type Pieces } from "@slipway/sdk/runtime/host";
import { LRUCache } from "lru-cache";
import { makeFolder, privateFile } from "../system/durable-files.js";
import { errorCode } from "../system/errors.js";

/** A file that was found has been removed before it could be read. */
export class ArtifactGone extends Error {
  override readonly name = "ArtifactGone";

  constructor(id: string) {
    super(`The generated file ${id.slice(0, 8)}… is gone`);
  }
}

const checkArtifact = new Validator({ lazy: true }).compile(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    mediaType: Type.String(),
    bytes: Type.Integer(),
    etag: Type.String(),
    created: Type.Number(),
    expiresAt: Type.Number(),
  }),
  "artifact",
);

/** Size and hash of a complete content. */
export type Content = Pick<Artifact, "bytes" | "etag">;

/** Reserves space for more bytes; rejects if the limit is reached. */
export type Take = (bytes: number) => Promise<void>;

/** The content of the artifact folder when it is opened. */
export interface FoundArtifacts {
  /** Oldest first. */
  artifacts: Artifact[];
  /** Names of files without an artifact. */
  others: string[];
}

/** Contents in memory, in bytes and milliseconds. */
const recentLimits = { maxSize: 16 * 1024 ** 2, maxEntrySize: 1024 ** 2, ttl: 10_000, ttlAutopurge: true };

/**
 * Artifact files in one folder. Writes are not synced: a killed process loses nothing, and files lost in a power cut
 * can be generated again.
 */
export class ArtifactFiles {
  /** Small contents before their first download: most files are downloaded once, right after the response with their address. */
  private readonly recent = new LRUCache<string, Uint8Array>({
    ...recentLimits,
    sizeCalculation: (content) => Math.max(1, content.buffer.byteLength),
  });

  constructor(readonly folder: string) {}

  /** Creates the folder if needed and reads it. Ignores records without content. */
  async open(): Promise<FoundArtifacts> {
    await makeFolder(this.folder);
    const names = new Set(await readdir(this.folder));
    const artifacts: Artifact[] = [];
    for (const name of names) {
      if (!name.endsWith(".json")) continue;
      const artifact = await readRecord(join(this.folder, name));
      if (name === `${artifact?.id}.json` && names.has(`${artifact?.id}.content`) && artifact !== undefined)
        artifacts.push(artifact);
    }
    const known = new Set(artifacts.flatMap(({ id }) => [`${id}.content`, `${id}.json`]));
    artifacts.sort((one, other) => one.created - other.created);
    return { artifacts, others: [...names].filter((name) => !known.has(name)) };
  }

  /** Writes content and record; concurrently when the size is known. Removes partial files after a failure. */
  async write(
    id: string,
    content: ArtifactContent,
    describe: (content: Content) => Artifact,
    take: Take,
  ): Promise<Artifact> {
    const record = `${this.recordOf(id)}.part`;
    try {
      const artifact =
        content instanceof Uint8Array
          ? await writeBytes({ content: this.contentOf(id), record }, content, describe, take)
          : await writeRecord(record, describe(await writePieces(this.contentOf(id), content, take)));
      await rename(record, this.recordOf(id));
      if (content instanceof Uint8Array) this.recent.set(id, content);
      return artifact;
    } catch (error) {
      // On a read-only disk this fails too; the original error is more useful.
      await Promise.allSettled([rm(record, { force: true }), this.remove(id)]);
      throw error;
    }
  }

  read(id: string, range: { start: number; end: number } | undefined): Readable {
    const content = this.recent.get(id);
    if (content !== undefined) {
      if (range === undefined) this.recent.delete(id);
      const wanted = range === undefined ? content : content.subarray(range.start, range.end + 1);
      return Readable.from([wanted], { objectMode: false });
    }
    return createReadStream(this.contentOf(id), { ...range, fs: { open: openedOrGone(id), read, close } });
  }

  /** Removes the record first: without it, the next start sweeps the content. */
  async remove(id: string): Promise<void> {
    this.recent.delete(id);
    await rm(this.recordOf(id), { force: true });
    await rm(this.contentOf(id), { force: true });
  }

  async removeOther(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true, recursive: true });
  }

  private contentOf(id: string): string {
    return join(this.folder, `${id}.content`);
  }

  private recordOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

type Opened = (error: Error | null, file: number) => void;

/** Opens a file like `open` of Node.js; without it, `ArtifactGone`. */
function openedOrGone(id: string) {
  return (file: string, flags: string, mode: number, opened: Opened): void =>
    open(file, flags, mode, (error, descriptor) =>
      opened(errorCode(error) === "ENOENT" ? new ArtifactGone(id) : error, descriptor),
    );
}

async function writeBytes(
  files: { content: string; record: string },
  content: Uint8Array,
  describe: (content: Content) => Artifact,
  take: Take,
): Promise<Artifact> {
  const bytes = content.byteLength;
  await take(bytes);
  const writing = writeFile(files.content, content, { flag: "wx", mode: privateFile });
  const artifact = describe({ bytes, etag: createHash("sha256").update(content).digest("hex") });
  const written = await Promise.allSettled([writing, writeRecord(files.record, artifact)]);
  const failed = written.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return artifact;
}

/** Returns size and hash. */
async function writePieces(name: string, content: AsyncIterable<Pieces>, take: Take): Promise<Content> {
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await openFile(name, "wx", privateFile);
  try {
    for await (const next of content) {
      const pieces = listOf(next);
      const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      await take(size);
      const writing = writeAll(file, pieces, size);
      for (const piece of pieces) hash.update(piece);
      await writing;
      bytes += size;
    }
  } finally {
    await file.close();
  }
  return { bytes, etag: hash.digest("hex") };
}

/** `size`: bytes of the pieces. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[], size: number): Promise<void> {
  if (size === 0) return;
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten === size) return;
  // The disk took a part; what it says to the rest is the reason.
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  await file.writeFile(rest);
}

async function writeRecord(file: string, artifact: Artifact): Promise<Artifact> {
  await writeFile(file, JSON.stringify(artifact), { mode: privateFile });
  return artifact;
}

async function readRecord(file: string): Promise<Artifact | undefined> {
  try {
    const result = checkArtifact(JSON.parse(await readFile(file, "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined;
  }
}
