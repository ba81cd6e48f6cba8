/**
 * An OEX document built as a whole by xmlbuilder2: the yardstick for the one that is streamed. Uses the part itself: only
 * the streaming is different.
 */
import { DocumentXmlWriter } from "@slipway/sdk";
import type { OexDocument } from "../../plugins/oex/document/oex-document.js";
import { formatNames } from "../../plugins/oex/writing/format-names.js";
import { ItemSequence } from "../../plugins/oex/writing/item-sequence.js";
import { beginDocument, endDocument } from "../../plugins/oex/writing/write-document.js";

/** The whole document in one piece, by the functions that write the streamed one. */
export async function* writeWholeDocument(document: OexDocument): AsyncGenerator<string> {
  const writer = new DocumentXmlWriter({ declaration: true });
  const items = new ItemSequence(formatNames(document.format));
  beginDocument(writer, document);
  for await (const item of document.items) items.write(writer, item);
  items.end(document.itemCount);
  endDocument(writer);
  yield writer.text();
}
