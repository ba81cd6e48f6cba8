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
  let used = 0;
  const contentFile = (id: string): string => join(folder, `${id}.content`);
  const recordFile = (id: string): string => join(folder, `${id}.json`);

  const keep = (artifact: Artifact): void => {
    artifacts.set(artifact.id, artifact);
    used += artifact.bytes;
  };

  const remove = async (id: string): Promise<void> => {
    used -= artifacts.get(id)?.bytes ?? 0;
    artifacts.delete(id);
    await rm(recordFile(id), { force: true });
    await rm(contentFile(id), { force: true });
  };

  return {
    async open() {
      await mkdir(folder, { recursive: true });
      const names = await readdir(folder);
      for (const name of names.filter((each) => each.endsWith(".json"))) {
        const artifact = await readRecord(join(folder, name));
        if (artifact !== undefined && name === `${artifact.id}.json`) keep(artifact);
        else log.warn("A record of a generated file cannot be read; it is removed", { name });
      }
      const known = new Set([...artifacts.keys()].flatMap((id) => [`${id}.content`, `${id}.json`]));
      const swept = names.filter((name) => !known.has(name));
      for (const name of swept) await rm(join(folder, name), { force: true, recursive: true });
      if (swept.length > 0) log.info("Removed what an earlier run left incomplete", { files: swept.length });
    },

    async create(file) {
      if (used >= maximumBytes) throw storeFull();
      const id = randomBytes(18).toString("base64url");
      try {
        const created = Date.now();
        const record = { id, name: cleanFilename(file.name), mediaType: file.mediaType, created };
        const artifact = await writeFiles(
          { content: contentFile(id), record: `${recordFile(id)}.part` },
          file.content,
          { ...record, expiresAt: created + lifetime },
          maximumBytes - used,
        );
        await rename(`${recordFile(id)}.part`, recordFile(id));
        keep(artifact);
        return artifact;
      } catch (error) {
        await rm(`${recordFile(id)}.part`, { force: true });
        await remove(id);
        throw storageError(error);
      }
    },

    async find(id) {
      const artifact = artifacts.get(id);
      return artifact !== undefined && artifact.expiresAt > Date.now() ? artifact : undefined;
    },

    read: (artifact, range) => createReadStream(contentFile(artifact.id), range ?? {}),

    async removeExpired(now) {
      const expired = [...artifacts.values()].filter((artifact) => artifact.expiresAt <= now);
      for (const artifact of expired) await remove(artifact.id);
      return expired.length;
    },
  };
}

/** Writes content and record of an artifact; at the same time where the size is known before. */
async function writeFiles(
  files: { content: string; record: string },
  content: Uint8Array | Readable,
  known: Omit<Artifact, "bytes" | "etag">,
  room: number,
): Promise<Artifact> {
  if (!(content instanceof Uint8Array)) {
    const artifact = { ...known, ...(await writeStream(files.content, content, room)) };
    await writeFile(files.record, JSON.stringify(artifact));
    return artifact;
  }
  const bytes = content.byteLength;
  if (bytes > room) throw storeFull();
  const writing = writeFile(files.content, content, { flag: "wx" });
  const artifact = { ...known, bytes, etag: createHash("sha256").update(content).digest("hex") };
  const written = await Promise.allSettled([writing, writeFile(files.record, JSON.stringify(artifact))]);
  const failed = written.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return artifact;
}

/** Says how many bytes there were, and their hash. */
async function writeStream(
  file: string,
  content: Readable,
  room: number,
): Promise<{ bytes: number; etag: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      done(bytes > room ? storeFull() : null, chunk);
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
