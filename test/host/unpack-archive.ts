/** Unpacks archives to a chosen place. Uses the part itself: a host unpacks to a place of its own, and then bundles. */
import { rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { unpackedFolder } from "../../host/plugins/packages/packages.js";

/** The target must not exist. Returns the SHA-256 of the archive. */
export async function unpackArchive(
  file: string,
  target: string,
  limits: Parameters<typeof unpackedFolder>[2],
): Promise<string> {
  const folder = await unpackedFolder(file, dirname(target), limits);
  await rename(folder, target);
  return basename(folder);
}
