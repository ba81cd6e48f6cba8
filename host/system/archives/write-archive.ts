import { gzipSync } from "node:zlib";
import { Header, Pax } from "tar";

/** One file of an archive. */
export interface PackedFile {
  /** Below the top folder, "/" between folders. */
  path: string;
  content: Buffer;
}

const blockBytes = 512;
/** The time of files that npm packs; some archivers do not support earlier times. */
const packed = new Date("1985-10-26T08:15:00Z");
/** Offset of the operating system in the gzip header, which is not disclosed. */
const systemOffset = 9;
const unknownSystem = 255;

/**
 * A `.tgz` of files below one folder, such as "package" of `npm pack`. It does not depend on user, machine or time, only on the
 * version of zlib.
 */
export function writeArchive(topFolder: string, files: readonly PackedFile[]): Buffer {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const archive = gzipSync(
    Buffer.concat([...sorted.flatMap((file) => blocksOf(topFolder, file)), Buffer.alloc(2 * blockBytes)]),
    {
      level: 9,
    },
  );
  archive[systemOffset] = unknownSystem;
  return archive;
}

function blocksOf(topFolder: string, { path, content }: PackedFile): Buffer[] {
  const facts = {
    path: `${topFolder}/${path}`,
    mode: 0o644,
    uid: 0,
    gid: 0,
    size: content.length,
    mtime: packed,
    type: "File",
  } as const;
  const header = new Header(facts);
  const needsExtension = header.encode();
  const extension = needsExtension ? [new Pax({ path: facts.path, mtime: packed }).encode()] : [];
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return [...extension, header.block ?? Buffer.alloc(0), content, padding];
}
