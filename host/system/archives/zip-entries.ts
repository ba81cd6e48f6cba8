/** Reads ZIP archives with `yauzl`, which checks sizes, but neither checksums nor links. */
import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { shownValue } from "@slipway/sdk";
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { errorMessage, Rejection } from "../errors.js";
import type { ArchiveEntry, ArchiveSource } from "./archive-entry.js";

/** APPNOTE.TXT 6.3.10, 4.4.2.2: systems whose attributes are those of Unix (Unix, and OS X). */
const unixSystems = new Set([3, 19]);

/** 4.4.4: bits of the general purpose flag. */
const flags = { strongEncryption: 1 << 6, utf8: 1 << 11, hiddenDirectory: 1 << 13 };

/** File types of Unix, in the upper half of the external attributes (4.4.15). */
const types = { mask: 0o170000, file: 0o100000, folder: 0o040000, link: 0o120000 };

/** Attributes of Windows. */
const windows = { folder: 0x10, reparsePoint: 0x400 };

const longestMessage = 200;

/**
 * The entries of a ZIP archive, by its directory. Throws a `Rejection` for more than `most` entries, for entries other than plain
 * files and folders, and for content that programs read in different ways. Does not check names.
 */
export async function* zipEntries(archive: ArchiveSource, most: number): AsyncGenerator<ArchiveEntry> {
  const zip = await opened(archive);
  try {
    if (zip.entryCount > most) throw new Rejection(`the archive has more than ${most} entries`);
    const entries = await listed(zip);
    const names = withSlashes(entries.map(nameOf));
    for (const [index, entry] of entries.entries()) {
      const path = names[index] ?? "";
      await requireSameName(zip, entry, path);
      yield { ...described(entry, path), content: contentOf(zip, entry, path) };
    }
  } finally {
    zip.close();
  }
}

async function opened(archive: ArchiveSource): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false };
  try {
    if (typeof archive === "string") return await openPromise(archive, options);
    return await fromBufferPromise(archive, options);
  } catch (error) {
    throw explained(error);
  }
}

async function listed(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw explained(error);
  }
  return entries;
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields, versionMadeBy }: Entry): string {
  const isMarked = (generalPurposeBitFlag & flags.utf8) !== 0;
  // Archivers of macOS write UTF-8 without saying so.
  if (!isMarked && isOfUnix(versionMadeBy) && isUtf8(fileNameRaw)) return fileNameRaw.toString();
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

/** Old archivers of Windows separate all names by backslashes; beside slashes, a backslash could be meant as a character. */
function withSlashes(names: string[]): string[] {
  return names.some((name) => name.includes("/")) ? names : names.map((name) => name.replaceAll("\\", "/"));
}

/** Programs that ignore the directory would find another name. */
async function requireSameName(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  let name: Buffer;
  try {
    name = (await zip.readLocalFileHeaderPromise(entry)).fileName;
  } catch (error) {
    throw explained(error);
  }
  if (!name.equals(entry.fileNameRaw))
    throw new Rejection(`${shownValue(path)} has another name where its content is`);
}

function described(entry: Entry, path: string): Omit<ArchiveEntry, "content"> {
  const { uncompressedSize: size, externalFileAttributes: attributes, versionMadeBy } = entry;
  const refuse = (problem: string): Rejection => new Rejection(`${shownValue(path)} ${problem}`);
  const isUnix = isOfUnix(versionMadeBy);
  const mode = attributes >>> 16;
  const type = mode & types.mask;
  if (type === types.link || (!isUnix && (attributes & windows.reparsePoint) !== 0))
    throw refuse("is a link; an archive may contain only files and folders");
  if (isUnix && type !== 0 && type !== types.file && type !== types.folder)
    throw refuse("is neither a file nor a folder; an archive may contain nothing else");
  if (isEncrypted(entry)) throw refuse("needs a password");
  const isFolder = path.endsWith("/");
  if (isFolder && size > 0) throw refuse("is a folder with content");
  if (isFolder) return { path: path.slice(0, -1), kind: "folder", size: 0, executable: true };
  if (isUnix ? type === types.folder : (attributes & windows.folder) !== 0)
    throw refuse("is a folder by its attributes and a file by its name");
  if (!entry.canDecodeFileData())
    throw refuse(`is compressed by method ${entry.compressionMethod}; use Deflate, the usual one`);
  return { path, kind: "file", size, executable: isUnix && (mode & 0o111) !== 0 };
}

async function* contentOf(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    const pieces: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const piece of pieces) {
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw explained(error, `${shownValue(path)} is damaged`);
  }
  if (sum !== entry.crc32) throw new Rejection(`${shownValue(path)} is damaged: its checksum differs`);
}

function isOfUnix(versionMadeBy: number): boolean {
  return unixSystems.has(versionMadeBy >>> 8);
}

function isEncrypted(entry: Entry): boolean {
  const hidden = flags.strongEncryption | flags.hiddenDirectory;
  return entry.isEncrypted() || (entry.generalPurposeBitFlag & hidden) !== 0;
}

/** The library's error as a `Rejection`; disk errors stay as they are. */
function explained(error: unknown, what = "it is no ZIP archive, or a damaged one"): unknown {
  if (error instanceof Rejection || (error instanceof Error && "syscall" in error)) return error;
  return new Rejection(`${what}: ${errorMessage(error).slice(0, longestMessage)}`, { cause: error });
}
