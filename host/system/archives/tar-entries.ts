/**
 * Reads tar archives block by block, with `tar` for the headers. `tar-stream` hides from its caller what has to be refused: it
 * accepts archives without an end or with entries after it, and malformed, large or global extended headers.
 */
import { shownValue } from "@slipway/sdk";
import { Header } from "tar";
import { Rejection } from "../errors.js";
import { type ArchiveEntry, endsEarly } from "./archive-entry.js";

/** The fields of a pax header that change the entry after it. */
interface ExtendedHeader {
  path?: string;
  size?: number;
  /** Target of a link. */
  linkpath?: string;
}

const space = 0x20;

const equalsSign = 0x3d;

const lineFeed = 0x0a;

const blockBytes = 512;
const longestHeader = 64 * 1024;

/**
 * The entries of an uncompressed tar archive up to its end. Throws a `Rejection` for entries other than plain files and folders,
 * and for content that programs read in different ways. Does not check names.
 */
export async function* tarEntries(reader: ByteReader): AsyncGenerator<ArchiveEntry> {
  let extended: ExtendedHeader = {};
  for (;;) {
    const header = await readHeader(reader);
    if (header === undefined) return;
    if (isAboutOthers(header)) {
      extended = { ...extended, ...(await readAboutOthers(reader, header)) };
      continue;
    }
    const entry = describeEntry(header, extended);
    extended = {};
    let remaining = entry.size;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        const piece = await reader.upTo(remaining);
        if (piece === undefined) throw endsEarly();
        remaining -= piece.length;
        yield piece;
      }
    };
    yield { ...entry, content: content() };
    for await (const _ of content());
    await exactly(reader, padding(entry.size));
  }
}

/** Whether a block of 512 bytes is the header of an entry. */
export function isTarHeader(block: Buffer): boolean {
  try {
    return new Header(block).cksumValid;
  } catch {
    return false;
  }
}

/** Undefined at the end of the archive: two empty blocks, and only zeros after them. */
async function readHeader(reader: ByteReader): Promise<Header | undefined> {
  const block = await exactly(reader, blockBytes);
  if (!isEmpty(block)) return decodeHeader(block);
  if (!isEmpty(await exactly(reader, blockBytes))) throw trailing();
  for (;;) {
    const piece = await reader.upTo(longestHeader);
    if (piece === undefined) return undefined;
    if (!isEmpty(piece)) throw trailing();
  }
}

function decodeHeader(block: Buffer): Header {
  let header: Header;
  try {
    header = new Header(block);
  } catch {
    throw notAnArchive();
  }
  if (!header.cksumValid || header.size === undefined || !Number.isSafeInteger(header.size))
    throw notAnArchive();
  return header;
}

const aboutOthers = new Set(["ExtendedHeader", "GlobalExtendedHeader", "NextFileHasLongPath"]);

function isAboutOthers({ type }: Header): boolean {
  return aboutOthers.has(type);
}

async function readAboutOthers(reader: ByteReader, { type, size = 0 }: Header): Promise<ExtendedHeader> {
  if (size > longestHeader) throw new Rejection("the archive has an extended header of more than 64 KB");
  const content = await exactly(reader, size);
  await exactly(reader, padding(size));
  if (type === "NextFileHasLongPath") return { path: decoded(content).replace(/\0$/, "") };
  const extended = readExtendedHeader(content);
  if (type === "ExtendedHeader") return extended;
  if (Object.keys(extended).length > 0) {
    throw new Rejection("the archive has a global header that changes names or sizes");
  }
  return {};
}

function describeEntry(header: Header, extended: ExtendedHeader): Omit<ArchiveEntry, "content"> {
  const { type, mode = 0 } = header;
  const path = extended.path ?? header.path ?? "";
  const shown = shownValue(path);
  if (type === "SymbolicLink" || type === "Link") {
    throw new Rejection(`${shown} is a link; an archive may contain only files and folders`);
  }
  if (type !== "File" && type !== "OldFile" && type !== "Directory") {
    throw new Rejection(
      `${shown} is neither a file nor a folder (${type}); an archive may contain nothing else`,
    );
  }
  if ((header.linkpath ?? "") !== "" || extended.linkpath !== undefined) {
    throw new Rejection(`${shown} is a file that names the target of a link`);
  }
  const isFolder = type === "Directory";
  if (isFolder) return { path: path.replace(/\/$/, ""), kind: "folder", size: 0, executable: true };
  return { path, kind: "file", size: extended.size ?? header.size ?? 0, executable: (mode & 0o111) !== 0 };
}

async function exactly(reader: ByteReader, length: number): Promise<Buffer> {
  const bytes = await reader.exactly(length);
  if (bytes.length < length) throw endsEarly();
  return bytes;
}

function padding(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function trailing(): Rejection {
  return new Rejection("the archive has data after its end");
}

function notAnArchive(): Rejection {
  return new Rejection("it is no tar archive, or a damaged one");
}

/** Reads records such as `21 path=package/x.js\n`, each of which begins with its length in bytes. */
function readExtendedHeader(content: Buffer): ExtendedHeader {
  const header: ExtendedHeader = {};
  for (let position = 0; position < content.length; ) {
    const gap = content.indexOf(space, position);
    const length = gap < 0 ? Number.NaN : wholeNumber(content.toString("latin1", position, gap));
    const end = position + length;
    if (!(end > gap + 1 && end <= content.length) || content[end - 1] !== lineFeed) throw malformed();
    const equals = content.indexOf(equalsSign, gap);
    if (!(equals > gap + 1 && equals < end)) throw malformed();
    const key = content.toString("latin1", gap + 1, equals);
    // Decoded late: archivers of macOS write file attributes whose values are not text.
    const value = (): string => decoded(content.subarray(equals + 1, end - 1));
    // Programs disagree about the content and the name of a sparse file.
    if (key.startsWith("GNU.sparse")) throw new Rejection("the archive has a sparse file");
    if (key === "path") header.path = value();
    if (key === "linkpath") header.linkpath = value();
    if (key === "size") header.size = wholeNumber(value());
    position = end;
  }
  if (Number.isNaN(header.size)) throw malformed();
  return header;
}

/** Refuses invalid UTF-8: each system would make another name of it. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Rejection("the archive has a name that is no UTF-8");
  }
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function malformed(): Rejection {
  return new Rejection("the archive has a malformed extended header");
}

/** Reads a stream in portions of requested sizes. */
export class ByteReader {
  private chunk: Buffer = Buffer.alloc(0);
  private readonly source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** At least one byte and at most `most`; undefined at the end. */
  async upTo(most: number): Promise<Buffer | undefined> {
    while (this.chunk.length === 0) {
      const next = await this.source.next();
      if (next.done === true) return undefined;
      this.chunk = next.value;
    }
    const piece = this.chunk.subarray(0, most);
    this.chunk = this.chunk.subarray(piece.length);
    return piece;
  }

  /** `length` bytes, or fewer if the stream ends before. */
  async exactly(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = await this.upTo(missing);
      if (piece === undefined) break;
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }
}
