/** Plugins on their way to the other hosts, and from them. */
import { createReadStream } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { basename, isAbsolute, join, sep } from "node:path";
import { type PackedFile, writeArchive } from "../../system/archives/write-archive.js";
import { makeFolder } from "../../system/durable-files.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { hashedPieces } from "../../system/hashed-pieces.js";
import { integrityFile, readIntegrity } from "../packages/integrity.js";
import { sha256 } from "../packages/plugin-files.js";
import { readRecord, type Snapshot } from "../snapshots/snapshot.js";
import type { Staging } from "../sources/staging.js";

/**
 * What lies at a place as an archive: the file itself, or a folder packed with the files that its snapshot was made of, and with
 * those of its signed list. Throws a `Rejection` when a file has changed since; for an archive, its last read does.
 */
export async function archiveOf(
  place: string,
  snapshot: Snapshot,
  staging: Pick<Staging, "isArchiveOf">,
): Promise<AsyncIterable<Uint8Array>> {
  const isFile = await stat(place).then(
    (found) => found.isFile(),
    (error: unknown) => {
      throw errorCode(error) === "ENOENT" ? new Rejection(`${basename(place)} is gone`) : error;
    },
  );
  if (isFile)
    return hashedPieces(createReadStream(place), (hash) => {
      if (!staging.isArchiveOf(hash, snapshot))
        throw new Rejection(`${basename(place)} has changed since the plugin was staged`);
    });
  const record = await readRecord(snapshot.folder);
  const inputs = (record?.inputs ?? []).filter(({ path }) => !isAbsolute(path));
  const expected = new Map(inputs.map(({ path, sha256: hash }) => [path.split(sep).join("/"), hash]));
  const integrity = await readIntegrity(place);
  for (const [path, { sha256: hash }] of Object.entries(integrity?.files ?? {})) expected.set(path, hash);
  const files: PackedFile[] = [];
  for (const [path, hash] of expected) {
    const content = await readFile(join(place, path)).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    if (content === undefined || sha256(content) !== hash)
      throw new Rejection(`${path} has changed since the plugin was staged`);
    files.push({ path, content });
  }
  if (integrity !== undefined)
    files.push({ path: integrityFile, content: await readFile(join(place, integrityFile)) });
  const archive = writeArchive("package", files);
  return (async function* () {
    yield archive;
  })();
}

/** Writes an archive to a file for the duration of `use`. Throws a `Rejection` beyond `most` bytes. */
export async function withArchiveFile<T>(
  file: string,
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  most: number,
  use: () => Promise<T>,
): Promise<T> {
  await makeFolder(folder);
  try {
    const handle = await open(file, "w");
    try {
      let bytes = 0;
      for await (const piece of archive) {
        bytes += piece.length;
        if (bytes > most) throw new Rejection("its archive is larger than plugins.archives.bytes allows");
        await handle.appendFile(piece);
      }
    } finally {
      await handle.close();
    }
    return await use();
  } finally {
    await rm(file, { force: true });
  }
}
