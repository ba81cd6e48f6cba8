/** Writes OEX documents of any size as text: the items, and the elements around them (OEX reference, section 3). */
import { DocumentXmlWriter, type RepeatedText, StreamingXmlWriter, type XmlWriter } from "@slipway/sdk";
import type { DocumentNumber, OexDate, OexDocument, OexHeader } from "../document/oex-document.js";
import { checkHeader, type FormatNames, formatNames } from "./format-names.js";
import {
  headerFrames,
  writeAddress,
  writeLanguage,
  writeMeasures,
  writeOrganisation,
  writePartnerId,
  writePricing,
  writeReference,
  writeText,
} from "./frames.js";
import { ItemSequence } from "./item-sequence.js";
import { demanded, pieceLength, writeOptional, writeValue, yesNo } from "./values.js";

/**
 * The XML file in pieces of 64 KB or less that never end inside a surrogate pair; each picture is a separate piece. Memory
 * needs one piece or one item, whichever is larger. Items are read while they are written; errors of their source are passed on.
 * @throws {Error} if the document has elements that its format lacks, or lacks a required value
 */
export async function* writeOexDocument(document: OexDocument): AsyncGenerator<string | RepeatedText> {
  const envelope = textOfEnvelope(document);
  yield* textPieces(envelope.before, pieceLength);
  const writer = new StreamingXmlWriter();
  const items = new ItemSequence(formatNames(document.format));
  for await (const item of document.items) {
    items.write(writer, item);
    if (writer.length >= pieceLength) yield* itemPieces(writer);
  }
  items.end(document.itemCount);
  yield* itemPieces(writer);
  yield envelope.after;
}

function* itemPieces(writer: StreamingXmlWriter): Generator<string | RepeatedText> {
  for (const chunk of writer.takeChunks()) {
    if (typeof chunk === "string") yield* textPieces(chunk, pieceLength);
    else yield chunk;
  }
}

/**
 * The text before and after the items. Items belong between the header and the last end tag of the document element.
 */
function textOfEnvelope(document: OexDocument): { before: string; after: string } {
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

/** The element whose last children are the items. */
const documentElement = "oexDocument";

const schemaInstances = "http://www.w3.org/2001/XMLSchema-instance";

/** Writes everything before the items; the surrounding elements stay open. */
export function beginDocument(writer: XmlWriter, document: OexDocument): void {
  const { format, application, header, itemCount } = document;
  const names = formatNames(format);
  checkHeader(header, format);
  writer.open("oexDocFrame", {
    aMajor: names.major,
    "xmlns:xsi": schemaInstances,
    "xsi:noNamespaceSchemaLocation": names.schema,
  });
  writer.open("oexApplication");
  writeValue(writer, "vAppName", application.name);
  writer.open("eAppVersion", {
    aMajor: demanded("eAppVersion/@aMajor", application.major),
    aMinor: demanded("eAppVersion/@aMinor", application.minor),
  });
  writer.close();
  writer.close();
  writer.open("oexFile", { aDocumentCount: 1 });
  writer.element("vDocumentType", format.type, { aMajor: names.major, aMinor: names.minor, aBuild: 0 });
  writer.open(documentElement, { aDocNo: 1, aItemCount: itemCount, aAction: "C" });
  writeHeader(writer, names, header);
}

/** Closes the elements that `beginDocument` left open. */
export function endDocument(writer: XmlWriter): void {
  for (let open = 0; open < 3; open += 1) writer.close();
}

/** The header of a document (OEX reference, section 4). */
function writeHeader(writer: XmlWriter, names: FormatNames, header: OexHeader): void {
  writer.open("docHeader", names.headerHasAction ? { aAction: "C" } : undefined);
  writeOwnValues(writer, names, header);
  for (const number of header.documentNumbers) writeDocumentNumber(writer, number);
  for (const date of header.dates) writeDate(writer, date);
  for (const datum of header.organisation) writeOrganisation(writer, headerFrames, datum);
  for (const address of header.addresses) writeAddress(writer, address);
  for (const text of header.texts) writeText(writer, headerFrames, text);
  for (const reference of header.references) writeReference(writer, headerFrames, reference);
  writePricing(writer, headerFrames, header.pricing, names.pricedUnit);
  writer.close();
}

function writeOwnValues(writer: XmlWriter, names: FormatNames, header: OexHeader): void {
  writeValue(writer, names.documentNumber, header.number);
  writeValue(writer, "vClientNumber", header.clientNumber);
  for (const id of header.clientIds) writePartnerId(writer, "vClientID", id);
  writeValue(writer, "vVendorNumber", header.vendorNumber);
  for (const id of header.supplierIds) writePartnerId(writer, "vSupplierID", id);
  writeValue(writer, "vDocCurrency", header.currency);
  if (header.partialDelivery !== undefined) {
    writer.element("vPartialDelivery", yesNo(header.partialDelivery));
  }
  writeLanguage(writer, "vDocLanguage", header.language);
  writeOptional(writer, "vOrderType", header.orderType);
  writeMeasures(writer, header);
}

/** Document numbers of the header (OEX reference, section 6.1). */
function writeDocumentNumber(writer: XmlWriter, { type, context, number }: DocumentNumber): void {
  writer.open("hdrDocNo");
  writer.element("vDocNoType", type, { aDocContext: context });
  writeValue(writer, "vDocNo", number);
  writer.close();
}

function writeDate(writer: XmlWriter, { type, timeZone, format, value, time }: OexDate): void {
  writer.open("hdrDateTime");
  writer.element("vDateTimeType", type);
  writeValue(writer, "vTimeZone", timeZone);
  writeValue(writer, "vDateValue", value, { aDateFormat: format });
  writeOptional(writer, "vTimeValue", time);
  writer.close();
}
