import { open } from "node:fs/promises";
import { Rejection } from "../errors.js";
import { type ArchiveSource, endsEarly } from "./archive-entry.js";
import { isTarHeader } from "./tar-entries.js";

/** Supported formats, by the usual ending of their names. */
export type ArchiveFormat = "tgz" | "tar" | "zip";

const blockBytes = 512;

const gzip = [0x1f, 0x8b];

/** APPNOTE.TXT 6.3.10: a local file header (4.3.7), and the end of an empty archive (4.3.16). */
const zips = [
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 5, 6],
];

/** First bytes of unsupported formats. */
const others: readonly [name: string, start: readonly number[]][] = [
  ["an xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ["a bzip2 archive", [0x42, 0x5a, 0x68]],
  ["a 7z archive", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["a RAR archive", [0x52, 0x61, 0x72, 0x21, 0x1a, 7]],
  ["a Zstandard archive", [0x28, 0xb5, 0x2f, 0xfd]],
  ["an LZ4 archive", [4, 0x22, 0x4d, 0x18]],
  ["an lzip archive", [0x4c, 0x5a, 0x49, 0x50]],
  ["a compress archive (.tar.Z)", [0x1f, 0x9d]],
  ["one part of a ZIP archive of several", [0x50, 0x4b, 7, 8]],
];

/** The format of an archive by its first bytes; its name does not matter. Throws a `Rejection` that names any other format. */
export async function archiveFormat(archive: ArchiveSource): Promise<ArchiveFormat> {
  const block = typeof archive === "string" ? await firstBlock(archive) : archive.subarray(0, blockBytes);
  const starts = (bytes: readonly number[]): boolean => bytes.every((byte, index) => block[index] === byte);
  if (block.length === 0) throw endsEarly();
  if (starts(gzip)) return "tgz";
  if (zips.some(starts)) return "zip";
  if (block.length === blockBytes && isTarHeader(block)) return "tar";
  if (block.toString("latin1").trimStart().startsWith("<"))
    throw new Rejection("it is a web page or XML, not an archive; download the archive again");
  const other = others.find(([, start]) => starts(start))?.[0];
  throw new Rejection(
    other === undefined
      ? "it is no .tgz, .tar or .zip archive, or a damaged one"
      : `it is ${other}; pack it as .tgz, .tar or .zip`,
  );
}

async function firstBlock(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(blockBytes), 0, blockBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
