/** The header of a document (OEX reference, section 4). */
import type { XmlWriter } from "@slipway/sdk";
import type { OexHeader } from "../document/oex-document.js";
import type { FormatNames } from "./format-names.js";
import { writeAddress, writePartnerId } from "./frames/address-frames.js";
import { headerFrames } from "./frames/frame-names.js";
import { writeDate, writeDocumentNumber } from "./frames/header-frames.js";
import { writeMeasures } from "./frames/measures.js";
import { writePricing } from "./frames/pricing-frame.js";
import { writeLanguage, writeOrganisation, writeReference, writeText } from "./frames/shared-frames.js";
import { writeOptional, writeValue, yesNo } from "./values.js";

export function writeHeader(writer: XmlWriter, names: FormatNames, header: OexHeader): void {
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
