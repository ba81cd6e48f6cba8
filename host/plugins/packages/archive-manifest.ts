import { createReadStream } from "node:fs";
import { type ArchiveLimits, archiveFiles, shownBytes } from "../../system/archives/archive-files.js";
import { Rejection } from "../../system/rejection.js";
import { type Manifest, manifestName, parseManifest } from "./manifest.js";
import { largestDescription } from "./plugin-file.js";
import { noManifest, requireArchiveSize } from "./unpack-archive.js";

/**
 * The manifest in a plugin's archive, of which every byte is read and nothing is written. Throws a `Rejection` for
 * whatever a host would refuse about the archive or the manifest.
 */
export async function archiveManifest(
  file: string,
  limits: ArchiveLimits,
  sdkVersion: string,
): Promise<Manifest> {
  await requireArchiveSize(file, limits);
  let manifest: Buffer | undefined;
  for await (const { path, kind, size, content } of archiveFiles(createReadStream(file), limits)) {
    const isManifest = kind === "file" && path === manifestName;
    if (isManifest && size > largestDescription)
      throw new Rejection(`${manifestName} is larger than ${shownBytes(largestDescription)}`);
    const pieces: Buffer[] = [];
    for await (const piece of content) if (isManifest) pieces.push(piece);
    if (isManifest) manifest = Buffer.concat(pieces);
  }
  if (manifest === undefined) throw noManifest();
  return parseManifest(manifest, sdkVersion);
}
