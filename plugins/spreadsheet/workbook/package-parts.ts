/** The small parts of a workbook's package: what it holds, and what belongs to what. */
import { StreamingXmlWriter } from "@slipway/sdk";
import { cutText, plainText } from "./cell-text.js";
import type { Workbook } from "./sheet.js";
import { quotedSheetName } from "./sheet-names.js";

const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageFormat = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const spreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const longestProperty = 255;

/** A relationship from one part to another, or to an address outside. */
export interface Relationship {
  id: string;
  /** Such as "worksheet", or a whole URI. */
  type: string;
  target: string;
  external?: boolean;
}

/** The part that names what a part belongs to. */
export function relationships(list: Iterable<Relationship>): string {
  return part((writer) => {
    writer.open("Relationships", { xmlns: `${packageFormat}/relationships` });
    for (const { id, type, target, external } of list) {
      writer.element("Relationship", "", {
        Id: id,
        Type: type.includes(":") ? type : `${officeDocument}/${type}`,
        Target: target,
        TargetMode: external ? "External" : undefined,
      });
    }
    writer.close();
  });
}

/** `_rels/.rels`. */
export function packageRelationships(): string {
  return relationships([
    { id: "rId1", type: "officeDocument", target: "xl/workbook.xml" },
    {
      id: "rId2",
      type: `${packageFormat}/relationships/metadata/core-properties`,
      target: "docProps/core.xml",
    },
    { id: "rId3", type: "extended-properties", target: "docProps/app.xml" },
  ]);
}

/** `[Content_Types].xml`, with as many sheets and drawings as these numbers say. */
export function contentTypes(sheets: number, drawings: readonly number[]): string {
  const overrides: [part: string, type: string][] = [
    ["/xl/workbook.xml", `${spreadsheetType}.sheet.main+xml`],
    ["/xl/styles.xml", `${spreadsheetType}.styles+xml`],
    ["/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"],
    ["/docProps/app.xml", "application/vnd.openxmlformats-officedocument.extended-properties+xml"],
  ];
  for (let sheet = 1; sheet <= sheets; sheet++) {
    overrides.push([`/xl/worksheets/sheet${sheet}.xml`, `${spreadsheetType}.worksheet+xml`]);
  }
  for (const sheet of drawings) {
    overrides.push([
      `/xl/drawings/drawing${sheet}.xml`,
      "application/vnd.openxmlformats-officedocument.drawing+xml",
    ]);
  }
  return part((writer) => {
    writer.open("Types", { xmlns: `${packageFormat}/content-types` });
    for (const [extension, type] of defaultTypes) {
      writer.element("Default", "", { Extension: extension, ContentType: type });
    }
    for (const [name, type] of overrides) {
      writer.element("Override", "", { PartName: name, ContentType: type });
    }
    writer.close();
  });
}

const defaultTypes = [
  ["rels", "application/vnd.openxmlformats-package.relationships+xml"],
  ["xml", "application/xml"],
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["bmp", "image/bmp"],
] as const;

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  name: string;
  /** The row that is repeated on each printed page, from 1. */
  titleRow: number | undefined;
  /** The range with the filter, such as "A1:F20". */
  filter: string | undefined;
}

/** `xl/workbook.xml`. */
export function workbookPart(sheets: readonly ListedSheet[]): string {
  return part((writer) => {
    writer.open("workbook", { xmlns: spreadsheet, "xmlns:r": officeDocument });
    writer.open("bookViews");
    writer.element("workbookView", "", { activeTab: 0 });
    writer.close();
    writer.open("sheets");
    for (const [index, { name }] of sheets.entries()) {
      writer.element("sheet", "", { name, sheetId: index + 1, "r:id": `rId${index + 1}` });
    }
    writer.close();
    writeDefinedNames(writer, sheets);
    writer.close();
  });
}

function writeDefinedNames(writer: StreamingXmlWriter, sheets: readonly ListedSheet[]): void {
  if (!sheets.some(({ titleRow, filter }) => titleRow !== undefined || filter !== undefined)) return;
  writer.open("definedNames");
  for (const [localSheetId, { name, titleRow, filter }] of sheets.entries()) {
    const sheet = quotedSheetName(name);
    if (filter !== undefined) {
      const range = filter.replace(/([A-Z]+)(\d+)/g, "$$$1$$$2");
      writer.element("definedName", `${sheet}!${range}`, {
        name: "_xlnm._FilterDatabase",
        localSheetId,
        hidden: 1,
      });
    }
    if (titleRow !== undefined) {
      writer.element("definedName", `${sheet}!$${titleRow}:$${titleRow}`, {
        name: "_xlnm.Print_Titles",
        localSheetId,
      });
    }
  }
  writer.close();
}

/** `xl/_rels/workbook.xml.rels`. */
export function workbookRelationships(sheets: number): string {
  const list: Relationship[] = Array.from({ length: sheets }, (_, index) => ({
    id: `rId${index + 1}`,
    type: "worksheet",
    target: `worksheets/sheet${index + 1}.xml`,
  }));
  return relationships([...list, { id: `rId${sheets + 1}`, type: "styles", target: "styles.xml" }]);
}

/** `docProps/core.xml`. */
export function coreProperties({
  title,
  author,
  created,
}: Pick<Workbook, "title" | "author" | "created">): string {
  const time = created.toISOString().replace(/\.\d+Z$/, "Z");
  return part((writer) => {
    writer.open("cp:coreProperties", {
      "xmlns:cp": `${packageFormat}/metadata/core-properties`,
      "xmlns:dc": "http://purl.org/dc/elements/1.1/",
      "xmlns:dcterms": "http://purl.org/dc/terms/",
      "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    });
    writer.element("dc:title", property(title));
    if (author !== undefined) writer.element("dc:creator", property(author));
    writer.element("dcterms:created", time, { "xsi:type": "dcterms:W3CDTF" });
    writer.element("dcterms:modified", time, { "xsi:type": "dcterms:W3CDTF" });
    writer.close();
  });
}

/** `docProps/app.xml`. */
export function applicationProperties(): string {
  return part((writer) => {
    writer.open("Properties", {
      xmlns: "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    });
    writer.element("Application", "Slipway");
    writer.close();
  });
}

function property(text: string): string {
  return cutText(plainText(text).replace(/\s+/g, " ").trim(), longestProperty);
}

function part(write: (writer: StreamingXmlWriter) => void): string {
  const writer = new StreamingXmlWriter({ declaration: true });
  write(writer);
  return writer.take();
}
