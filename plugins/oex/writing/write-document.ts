/** Writes OEX documents of any size as text. */
import { DocumentXmlWriter, StreamingXmlWriter } from "@slipway/sdk";
import type { OexDocument } from "../document/oex-document.js";
import { formatNames } from "./format-names.js";
import { ItemSequence } from "./item-sequence.js";
import { beginDocument, documentElement, endDocument } from "./write-envelope.js";

/** Characters (UTF-16 units). */
const pieceLength = 65_536;

/**
 * The XML file in pieces of about 64 KB that never end inside a surrogate pair. Memory holds one piece or one item,
 * whichever is larger. Items are read while they are written; errors of their source are passed on.
 * @throws {Error} if the document has elements that its format lacks, or lacks a required value
 */
export async function* writeOexDocument(document: OexDocument): AsyncGenerator<string> {
  const envelope = writeEnvelope(document);
  yield* textPieces(envelope.before, pieceLength);
  const writer = new StreamingXmlWriter();
  const items = new ItemSequence(formatNames(document.format));
  for await (const item of document.items) {
    items.write(writer, item);
    if (writer.length >= pieceLength) yield* textPieces(writer.take(), pieceLength);
  }
  items.end(document.itemCount);
  yield writer.take() + envelope.after;
}

/**
 * The text before and after the items. Items belong between the header and the last end tag of the document element.
 */
function writeEnvelope(document: OexDocument): { before: string; after: string } {
  const writer = new DocumentXmlWriter({ declaration: true });
  beginDocument(writer, document);
  endDocument(writer);
  const text = writer.text();
  const end = text.lastIndexOf(`</${documentElement}>`);
  return { before: text.slice(0, end), after: text.slice(end) };
}

/**
 * Pieces of similar length: about `length` characters (UTF-16 units), less than twice as many. No piece ends inside a
 * surrogate pair. An empty text has no pieces.
 */
export function* textPieces(text: string, length: number): Generator<string> {
  const size = Math.ceil(text.length / Math.max(1, Math.floor(text.length / length)));
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + size - 1);
    const end = start + size + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
}
