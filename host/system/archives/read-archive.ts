import { Readable } from "node:stream";
import { type ArchiveLimits, archiveFiles } from "./archive-files.js";

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
