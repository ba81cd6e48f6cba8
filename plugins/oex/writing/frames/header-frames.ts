/** Document numbers and dates of the header (OEX reference, sections 6.1 and 6.2). */
import type { XmlWriter } from "@slipway/sdk";
import type { DocumentNumber, OexDate } from "../../document/frames.js";
import { writeOptional, writeValue } from "../values.js";

export function writeDocumentNumber(writer: XmlWriter, { type, context, number }: DocumentNumber): void {
  writer.open("hdrDocNo");
  writer.element("vDocNoType", type, { aDocContext: context });
  writeValue(writer, "vDocNo", number);
  writer.close();
}

export function writeDate(writer: XmlWriter, { type, timeZone, format, value, time }: OexDate): void {
  writer.open("hdrDateTime");
  writer.element("vDateTimeType", type);
  writeValue(writer, "vTimeZone", timeZone);
  writeValue(writer, "vDateValue", value, { aDateFormat: format });
  writeOptional(writer, "vTimeValue", time);
  writer.close();
}
