/** Corrects and completes the small parts of the library's package. */
import { StreamingXmlWriter, type XmlAttributes } from "@slipway/sdk";
import { quotedSheetName } from "./sheet-names.js";

const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageFormat = "http://schemas.openxmlformats.org/package/2006";
const drawingType = "application/vnd.openxmlformats-officedocument.drawing+xml";
const pictureTypes = ["png", "jpeg"];

/** A written sheet. */
export interface WrittenSheet {
  readonly name: string;
  /** The row repeated on each printed page, from 1. */
  readonly titleRow: number | undefined;
  /** The columns repeated on each printed page, such as "A:B". */
  readonly titleColumns: string | undefined;
  /** The range with the filter, such as "A1:F20". */
  readonly filter: string | undefined;
  readonly hasDrawing: boolean;
}

/** A relationship from one part to another. */
export interface Relationship {
  id: string;
  /** Such as "image". */
  type: string;
  target: string;
}

/** The relationships part of a part. */
export function relationships(list: Iterable<Relationship>): string {
  const empty = `<Relationships xmlns="${packageFormat}/relationships"></Relationships>`;
  return withRelationships(`<?xml version="1.0" encoding="UTF-8"?>${empty}`, list);
}

/** Adds relationships to such a part. */
export function withRelationships(part: string, list: Iterable<Relationship>): string {
  const elements = Array.from(list, ({ id, type, target }) =>
    element("Relationship", { Id: id, Type: `${officeDocument}/${type}`, Target: target }),
  );
  return changed(part, /<\/Relationships>/, `${elements.join("")}</Relationships>`);
}

/** `[Content_Types].xml` with the types of pictures and drawings. */
export function withDrawingTypes(part: string, sheets: readonly WrittenSheet[]): string {
  const defaults = pictureTypes.map((extension) =>
    element("Default", { Extension: extension, ContentType: `image/${extension}` }),
  );
  const overrides = sheets.map(({ hasDrawing }, index) => {
    const name = `/xl/drawings/drawing${index + 1}.xml`;
    return hasDrawing ? element("Override", { PartName: name, ContentType: drawingType }) : "";
  });
  return changed(part, /<\/Types>/, `${defaults.join("")}${overrides.join("")}</Types>`);
}

/**
 * `xl/workbook.xml` with the names that filters and print titles need. The library's own print titles break with an
 * apostrophe in the name of the sheet. Also removes the claims that Excel calculated the file, so that other programs
 * recalculate, and that Excel shall remove the author.
 */
export function withNames(part: string, sheets: readonly WrittenSheet[]): string {
  const names = sheets.flatMap(definedNames).join("");
  const plain = changed(changed(part, /<fileVersion [^<>]*>/, ""), / filterPrivacy="1"/, "");
  return changed(plain, /<calcPr [^<>]*>/, names === "" ? "" : `<definedNames>${names}</definedNames>`);
}

/** `docProps/app.xml` without the claim that the file comes from Excel. */
export function withApplication(part: string): string {
  const named = changed(part, />Microsoft Excel</, ">Slipway<");
  return changed(named, /<AppVersion>[^<]*<\/AppVersion>/, "");
}

function definedNames(
  { name, titleRow, titleColumns, filter }: WrittenSheet,
  localSheetId: number,
): string[] {
  const sheet = quotedSheetName(name);
  const range = filter?.replace(/[A-Z]+|\d+/g, "$$$&");
  const titles: string[] = [];
  if (titleColumns !== undefined) titles.push(`${sheet}!${titleColumns.replace(/[A-Z]+/g, "$$$&")}`);
  if (titleRow !== undefined) titles.push(`${sheet}!$${titleRow}:$${titleRow}`);
  const names: string[] = [];
  if (range !== undefined) {
    const attributes = { name: "_xlnm._FilterDatabase", localSheetId, hidden: 1 };
    names.push(element("definedName", attributes, `${sheet}!${range}`));
  }
  if (titles.length > 0) {
    const attributes = { name: "_xlnm.Print_Titles", localSheetId };
    names.push(element("definedName", attributes, titles.join(",")));
  }
  return names;
}

/** @throws {Error} if the library's output has no match */
function changed(part: string, what: RegExp, replacement: string): string {
  if (!what.test(part)) throw new Error(`The spreadsheet library writes no ${what.source}.`);
  return part.replace(what, () => replacement);
}

function element(name: string, attributes: XmlAttributes, text = ""): string {
  const writer = new StreamingXmlWriter();
  writer.element(name, text, attributes);
  return writer.take();
}
