/** Writes the elements around the items (OEX reference, section 3). */
import type { XmlWriter } from "@slipway/sdk";
import type { DocumentNumber, OexDate } from "../document/frames.js";
import type { OexDocument, OexHeader } from "../document/oex-document.js";
import { checkHeader } from "./format-limits.js";
import { type FormatNames, formatNames } from "./format-names.js";
import { writeAddress, writePartnerId } from "./frames/address-frames.js";
import { headerFrames, writeMeasures } from "./frames/frame-names.js";
import { writePricing } from "./frames/pricing-frame.js";
import { writeLanguage, writeOrganisation, writeReference, writeText } from "./frames/shared-frames.js";
import { demanded, writeOptional, writeValue, yesNo } from "./values.js";

/** The element whose last children are the items. */
export const documentElement = "oexDocument";

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
