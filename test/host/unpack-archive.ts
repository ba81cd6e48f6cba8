/** Unpacks archives of plugins into a folder of the test's choice. Uses the part itself: a host unpacks into its own. */
import { rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { unpackedFolder } from "../../host/plugins/packages/unpack-archive.js";
import type { ArchiveLimits } from "../../host/system/archives/archive-files.js";

/** `target` must not exist. Returns the SHA-256 of the archive, hexadecimal. */
export async function unpackArchive(file: string, target: string, limits: ArchiveLimits): Promise<string> {
  const folder = await unpackedFolder(file, dirname(target), limits);
  await rename(folder, target);
  return basename(folder);
}
