/** Organisational data, texts and references (OEX reference, sections 6.3, 6.7 and 6.8). */
import type { XmlWriter } from "@slipway/sdk";
import type {
  OexLanguage,
  OexReference,
  OexText,
  OrganisationalDatum,
  TextLine,
} from "../../document/frames.js";
import { demanded, hasValue, writeValue } from "../values.js";
import type { FrameNames } from "./frame-names.js";

export function writeOrganisation(writer: XmlWriter, frames: FrameNames, datum: OrganisationalDatum): void {
  writer.open(frames.organisation);
  writer.element("vOrgDataType", datum.type);
  writeValue(writer, "vOrgDataValue", datum.value);
  writer.close();
}

export function writeText(writer: XmlWriter, frames: FrameNames, { type, language, lines }: OexText): void {
  if (lines.length === 0) throw new Error(`the text ${type} of the OEX document has no lines`);
  writer.open(frames.text);
  writer.element("vTextType", type);
  writeLanguage(writer, "vTextLanguage", language);
  writeLines(writer, "vTextContent", lines);
  writer.close();
}

/** Lines are numbered from 1 in each frame. */
export function writeLines(writer: XmlWriter, name: string, lines: TextLine[]): void {
  let number = 0;
  for (const { format, text } of lines) {
    number += 1;
    writeValue(writer, name, text, { aTextLineNo: number, aLineFormat: format });
  }
}

export function writeLanguage(writer: XmlWriter, name: string, { code, country }: OexLanguage): void {
  writeValue(writer, name, code, hasValue(country) ? { aLocale: country } : undefined);
}

export function writeReference(writer: XmlWriter, frames: FrameNames, reference: OexReference): void {
  const { type, mediaType, value, description } = reference;
  writer.open(frames.reference);
  writer.element("vReferenceType", type, { aMIMEType: demanded("aMIMEType", mediaType) });
  if (type === "XML") writer.cdataElement("vReferenceValue", demanded("vReferenceValue", value));
  else writeValue(writer, "vReferenceValue", value);
  writeValue(writer, "vReferenceDesc", description);
  writer.close();
}
