/** Text of people in strings of a PDF. */
import type { PdfString } from "./pdf-object.js";

/** The string of a text: ASCII as it is, anything else as UTF-16. */
export function pdfText(text: string): PdfString {
  if (/^[\x20-\x7e\n\r\t]*$/.test(text)) return { kind: "string", bytes: text };
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  return { kind: "string", bytes: bytes.toString("latin1") };
}

/** The text of a string (UTF-16, UTF-8 with its mark, or else taken for Latin-1). */
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
