/** Human-readable text in PDF strings. */
import type { PdfString } from "./pdf-object.js";

/** Encodes a text: as ASCII if possible, otherwise as UTF-16. */
export function pdfText(text: string): PdfString {
  if (/^[\x20-\x7e\n\r\t]*$/.test(text)) return { kind: "string", bytes: text };
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  return { kind: "string", bytes: bytes.toString("latin1") };
}

/** Decodes a string: UTF-16 or UTF-8 with a byte order mark, otherwise Latin-1. */
export function textOf(string: PdfString): string {
  const bytes = Buffer.from(string.bytes, "latin1");
  if (string.bytes.startsWith("\xfe\xff"))
    return bytes
      .subarray(2, bytes.length - (bytes.length % 2))
      .swap16()
      .toString("utf16le");
  if (string.bytes.startsWith("\xef\xbb\xbf")) return bytes.subarray(3).toString("utf8");
  return string.bytes;
}

// Character classes of the PDF syntax.

export const regular = 0;
export const space = 1;
export const delimiter = 2;

const classes = new Uint8Array(256);
for (const each of [0, 9, 10, 12, 13, 32]) classes[each] = space;
for (const each of "()<>[]{}/%") classes[each.charCodeAt(0)] = delimiter;

/** `regular`, `space` or `delimiter`; the end of the data counts as space. */
export function classOf(byte: number | undefined): number {
  return byte === undefined ? space : (classes[byte] ?? space);
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

// PDF bytes as text with one character per byte.

const shortText = 24;

export function textBetween(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > shortText)
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}

/** A name without the slash, with escapes (`#20`) resolved. */
export function unescapedName(text: string): string {
  if (!text.includes("#")) return text;
  return text.replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The content of a string without brackets, with escapes and line ends resolved. */
export function unescaped(raw: string): string {
  return raw.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))|\r\n?/g, (_, octal?: string, character?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (character === undefined) return "\n";
    if (/^[\r\n]/.test(character)) return "";
    return escapes[character] ?? character;
  });
}
