/** Bytes of an XML file as text. */
import { brokenFile } from "./broken-file.js";

/** The text, and how many characters had to be replaced because their bytes mean nothing in the file's encoding. */
export interface DecodedXml {
  text: string;
  replaced: number;
}

const replacement = /\uFFFD/g;

/**
 * Decodes by byte order mark, else by the XML declaration, else as UTF-8. Bytes that mean nothing become U+FFFD.
 * @throws RequestError 400 for an encoding that is not known.
 */
export function decodeXml(bytes: Uint8Array, entry?: string): DecodedXml {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(bytes) ?? "utf-8";
  const decoder = decoderFor(encoding, entry);
  const text = decoder.decode(bytes);
  return { text, replaced: text.match(replacement)?.length ?? 0 };
}

function decoderFor(encoding: string, entry?: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    throw brokenFile(
      `the encoding "${encoding.slice(0, 40)}" is not known`,
      { ...(entry === undefined ? {} : { entry }), line: 1, column: 1 },
      error,
    );
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  return /^(?:ï»¿)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
}
