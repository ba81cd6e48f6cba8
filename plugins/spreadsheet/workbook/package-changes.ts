/** Corrects and completes the small parts of the library's package. */
import { StreamingXmlWriter, type XmlWriter } from "@slipway/sdk";
import { SaxesParser } from "saxes";
import { quotedSheetName } from "./sheet-layout.js";

const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relationshipsFormat = "http://schemas.openxmlformats.org/package/2006/relationships";
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

/** A relationships part with these relationships. */
export function relationships(list: Iterable<Relationship>): string {
  return xmlText({ ...element("Relationships", { xmlns: relationshipsFormat }), children: related(list) });
}

/** Adds relationships to such a part. */
export function withRelationships(part: string, list: Iterable<Relationship>): string {
  const root = readXml(part);
  root.children.push(...related(list));
  return xmlText(root);
}

function related(list: Iterable<Relationship>): Element[] {
  return Array.from(list, ({ id, type, target }) =>
    element("Relationship", { Id: id, Type: `${officeDocument}/${type}`, Target: target }),
  );
}

/** `[Content_Types].xml` with the types of pictures and drawings. */
export function withDrawingTypes(part: string, sheets: readonly WrittenSheet[]): string {
  const root = readXml(part);
  for (const extension of pictureTypes)
    root.children.push(element("Default", { Extension: extension, ContentType: `image/${extension}` }));
  for (const [index, { hasDrawing }] of sheets.entries()) {
    const name = `/xl/drawings/drawing${index + 1}.xml`;
    if (hasDrawing) root.children.push(element("Override", { PartName: name, ContentType: drawingType }));
  }
  return xmlText(root);
}

/**
 * `xl/workbook.xml` with the names that filters and print titles need. The library's own print titles break with an
 * apostrophe in the name of the sheet. Also removes the claims that Excel calculated the file, so that other programs
 * recalculate, and the request that Excel removes the author.
 */
export function withNames(part: string, sheets: readonly WrittenSheet[]): string {
  const root = readXml(part);
  const names = sheets.flatMap(definedNames);
  replaceChild(root, "fileVersion");
  replaceChild(
    root,
    "calcPr",
    names.length === 0 ? undefined : { ...element("definedNames"), children: names },
  );
  const properties = childOf(root, "workbookPr").attributes;
  if (!("filterPrivacy" in properties)) throw notWritten("workbookPr with filterPrivacy");
  delete properties["filterPrivacy"];
  return xmlText(root);
}

/** `docProps/app.xml` without the claim that the file comes from Excel. */
export function withApplication(part: string): string {
  const root = readXml(part);
  childOf(root, "Application").text = "Slipway";
  replaceChild(root, "AppVersion");
  return xmlText(root);
}

function definedNames(
  { name, titleRow, titleColumns, filter }: WrittenSheet,
  localSheetId: number,
): Element[] {
  const sheet = quotedSheetName(name);
  const range = filter?.replace(/[A-Z]+|\d+/g, "$$$&");
  const titles: string[] = [];
  if (titleColumns !== undefined) titles.push(`${sheet}!${titleColumns.replace(/[A-Z]+/g, "$$$&")}`);
  if (titleRow !== undefined) titles.push(`${sheet}!$${titleRow}:$${titleRow}`);
  const names: Element[] = [];
  if (range !== undefined) {
    const attributes = { name: "_xlnm._FilterDatabase", localSheetId: String(localSheetId), hidden: "1" };
    names.push(element("definedName", attributes, `${sheet}!${range}`));
  }
  if (titles.length > 0) {
    const attributes = { name: "_xlnm.Print_Titles", localSheetId: String(localSheetId) };
    names.push(element("definedName", attributes, titles.join(",")));
  }
  return names;
}

/** An element of a small part: either text or children. */
interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

function element(name: string, attributes: Record<string, string> = {}, text = ""): Element {
  return { name, attributes, children: [], text };
}

/** @throws {Error} if the library does not write the element */
function childOf(parent: Element, name: string): Element {
  const found = parent.children.find((child) => child.name === name);
  if (found === undefined) throw notWritten(name);
  return found;
}

/** What is changed here would stay unnoticed as it is with another version of the library. */
function notWritten(what: string): Error {
  return new Error(`The spreadsheet library writes no ${what}.`);
}

/** Removes a child, or puts another one in its place. */
function replaceChild(parent: Element, name: string, replacement?: Element): void {
  const index = parent.children.indexOf(childOf(parent, name));
  parent.children.splice(index, 1, ...(replacement === undefined ? [] : [replacement]));
}

function readXml(part: string): Element {
  const top = element("");
  const open = [top];
  const parser = new SaxesParser({ xmlns: false });
  parser.on("opentag", ({ name, attributes }) => {
    const opened = element(name, { ...attributes });
    open.at(-1)?.children.push(opened);
    open.push(opened);
  });
  parser.on("text", (text) => {
    const current = open.at(-1);
    if (current !== undefined) current.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(part).close();
  const [root] = top.children;
  if (root === undefined) throw new Error("The spreadsheet library writes an empty part.");
  return root;
}

function xmlText(root: Element): string {
  const writer = new StreamingXmlWriter({ declaration: true });
  writeElement(writer, root);
  return writer.take();
}

function writeElement(writer: XmlWriter, { name, attributes, children, text }: Element): void {
  if (children.length === 0) {
    writer.element(name, text, attributes);
    return;
  }
  writer.open(name, attributes);
  for (const child of children) writeElement(writer, child);
  writer.close();
}
