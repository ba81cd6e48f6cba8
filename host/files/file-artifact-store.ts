import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Log, RequestError, Type, Validator } from "@slipway/sdk";
import { storageError } from "../storage-error.js";
import type { Artifact, ArtifactStore } from "./artifact-store.js";
import { cleanFilename } from "./clean-filename.js";

const checkArtifact = new Validator().compile(
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

export interface FileArtifactStoreOptions {
  folder: string;
  /** Milliseconds. */
  lifetime: number;
  /** Of all artifacts together. */
  maximumBytes?: number;
  log: Log;
}

/**
 * Two files per artifact: `<id>.content`, and `<id>.json`, whose rename makes it exist. Nothing waits for the disk:
 * a killed process loses nothing, and what a power cut takes can be generated again.
 */
export function createFileArtifactStore(options: FileArtifactStoreOptions): ArtifactStore {
  const { folder, lifetime, log, maximumBytes = Number.MAX_SAFE_INTEGER } = options;
  const artifacts = new Map<string, Artifact>();
  /** Of complete files and of those that are being written. */
  let used = 0;
  const contentFile = (id: string): string => join(folder, `${id}.content`);
  const recordFile = (id: string): string => join(folder, `${id}.json`);

  const removeFiles = async (id: string): Promise<void> => {
    await rm(recordFile(id), { force: true });
    await rm(contentFile(id), { force: true });
  };

  const remove = async (id: string): Promise<void> => {
    used -= artifacts.get(id)?.bytes ?? 0;
    artifacts.delete(id);
    await removeFiles(id);
  };

  return {
    async open() {
      await mkdir(folder, { recursive: true });
      const names = await readdir(folder);
      for (const name of names.filter((each) => each.endsWith(".json"))) {
        const artifact = await readRecord(join(folder, name));
        if (artifact === undefined || name !== `${artifact.id}.json`) {
          log.warn("A record of a generated file cannot be read; it is removed", { name });
          continue;
        }
        artifacts.set(artifact.id, artifact);
        used += artifact.bytes;
      }
      const known = new Set([...artifacts.keys()].flatMap((id) => [`${id}.content`, `${id}.json`]));
      const swept = names.filter((name) => !known.has(name));
      for (const name of swept) await rm(join(folder, name), { force: true, recursive: true });
      if (swept.length > 0) log.info("Removed what an earlier run left incomplete", { files: swept.length });
    },

    async create(file) {
      if (used >= maximumBytes) throw storeFull();
      const id = randomBytes(18).toString("base64url");
      let taken = 0;
      const take = (bytes: number): boolean => {
        if (used + bytes > maximumBytes) return false;
        used += bytes;
        taken += bytes;
        return true;
      };
      const describe = (content: Content): Artifact => {
        const created = Date.now();
        const { mediaType } = file;
        const name = cleanFilename(file.name);
        return { id, name, mediaType, ...content, created, expiresAt: created + lifetime };
      };
      const files = { content: contentFile(id), record: `${recordFile(id)}.part` };
      try {
        const artifact = await writeFiles(files, file.content, describe, take);
        await rename(files.record, recordFile(id));
        artifacts.set(id, artifact);
        return artifact;
      } catch (error) {
        used -= taken;
        await rm(files.record, { force: true });
        await removeFiles(id);
        throw storageError(error);
      }
    },

    async find(id) {
      const artifact = artifacts.get(id);
      return artifact !== undefined && artifact.expiresAt > Date.now() ? artifact : undefined;
    },

    read: (artifact, range) => createReadStream(contentFile(artifact.id), range ?? {}),

    async discard(id) {
      try {
        await remove(id);
      } catch (error) {
        log.warn("A generated file that nobody needs could not be removed", { id, error });
      }
    },

    async removeExpired(now) {
      const expired = [...artifacts.values()].filter((artifact) => artifact.expiresAt <= now);
      for (const artifact of expired) await remove(artifact.id);
      return expired.length;
    },

    usage: () => ({ count: artifacts.size, bytes: used, maximumBytes }),
  };
}

/** What is known of a content when all of it was seen. */
type Content = Pick<Artifact, "bytes" | "etag">;

/** Writes content and record of an artifact; at the same time where the size is known before. `take` says whether there is room. */
async function writeFiles(
  files: { content: string; record: string },
  content: Uint8Array | Readable,
  describe: (content: Content) => Artifact,
  take: (bytes: number) => boolean,
): Promise<Artifact> {
  if (!(content instanceof Uint8Array)) {
    const artifact = describe(await writeStream(files.content, content, take));
    await writeFile(files.record, JSON.stringify(artifact));
    return artifact;
  }
  const bytes = content.byteLength;
  if (!take(bytes)) throw storeFull();
  const writing = writeFile(files.content, content, { flag: "wx" });
  const artifact = describe({ bytes, etag: createHash("sha256").update(content).digest("hex") });
  const written = await Promise.allSettled([writing, writeFile(files.record, JSON.stringify(artifact))]);
  const failed = written.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return artifact;
}

/** Says how many bytes there were, and their hash. */
async function writeStream(
  file: string,
  content: Readable,
  take: (bytes: number) => boolean,
): Promise<Content> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      done(take(chunk.byteLength) ? null : storeFull(), chunk);
    },
  });
  await pipeline(content, counted, createWriteStream(file, { flags: "wx" }));
  return { bytes, etag: hash.digest("hex") };
}

async function readRecord(file: string): Promise<Artifact | undefined> {
  try {
    const result = checkArtifact(JSON.parse(await readFile(file, "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined;
  }
}

function storeFull(): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: "There is no room for generated files until older ones expire.",
    headers: { "Retry-After": "60" },
  });
}
