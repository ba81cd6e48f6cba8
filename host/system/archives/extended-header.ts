import { Rejection } from "../rejection.js";

/** What a pax header says of the entry after it; the rest of it says nothing about content. */
export interface ExtendedHeader {
  path?: string;
  size?: number;
  /** Target of a link. */
  linkpath?: string;
}

const space = 0x20;
const lineFeed = 0x0a;

/** Reads records such as `21 path=package/x.js\n`, each of which begins with its length in bytes. */
export function readExtendedHeader(content: Buffer): ExtendedHeader {
  const header: ExtendedHeader = {};
  for (let position = 0; position < content.length; ) {
    const gap = content.indexOf(space, position);
    const length = gap < 0 ? Number.NaN : wholeNumber(content.toString("latin1", position, gap));
    const end = position + length;
    if (!(end > gap + 1 && end <= content.length) || content[end - 1] !== lineFeed) throw malformed();
    const record = decoded(content.subarray(gap + 1, end - 1));
    const equals = record.indexOf("=");
    if (equals < 1) throw malformed();
    const key = record.slice(0, equals);
    const value = record.slice(equals + 1);
    // What of a sparse file is in the archive and under which name it comes out, readers understand differently.
    if (key.startsWith("GNU.sparse")) throw new Rejection("the archive has a sparse file");
    if (key === "path") header.path = value;
    if (key === "linkpath") header.linkpath = value;
    if (key === "size") header.size = wholeNumber(value);
    position = end;
  }
  if (Number.isNaN(header.size)) throw malformed();
  return header;
}

/** UTF-8 as it has to be; what is not would name another file on every system. */
export function decoded(bytes: Buffer): string {
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
