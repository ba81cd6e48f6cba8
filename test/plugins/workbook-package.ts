/**
 * What is wrong with a workbook as a file: Excel says no more than that it had to repair something, and LibreOffice repairs
 * without a word. Knows nothing of the code that writes workbooks.
 */
import { posix } from "node:path";
import { readXml, type TestFile, type XmlElement, xmlElements } from "@slipway/sdk/testing";
import { readWholeArchive } from "../foreign-zip-reader.js";
import { order, unordered } from "./workbook-schema.js";

const relationshipType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a package that could be read. */
interface Package {
  files: ReadonlyMap<string, TestFile>;
  xml: ReadonlyMap<string, XmlElement>;
  problems: string[];
}

/** Every violation of the rules of the format, in words; none of a sound workbook. */
export async function workbookProblems(bytes: Uint8Array): Promise<string[]> {
  const files = await readWholeArchive(bytes).catch((error: unknown) => String(error));
  if (typeof files === "string") return [files];
  const problems: string[] = [];
  const xml = new Map<string, XmlElement>();
  for (const [name, file] of files) {
    if (!/\.(xml|rels)$/.test(name)) continue;
    try {
      xml.set(name, readXml(file.bytes));
    } catch (error) {
      problems.push(`${name}: ${error}`);
    }
  }
  const parts = { files, xml, problems };
  checkContentTypes(parts);
  for (const [name, root] of xml) {
    checkOrder(name, root, problems);
    checkRelationships(name, root, parts);
  }
  checkStyles(parts);
  for (const [name, root] of xml) if (root.name === "worksheet") checkSheet(name, root, parts);
  checkWorkbook(parts);
  return problems;
}

function checkContentTypes({ files, xml, problems }: Package): void {
  const types = xml.get("[Content_Types].xml");
  if (types === undefined) {
    problems.push("there are no content types");
    return;
  }
  const names = (kind: string, attribute: string): string[] =>
    types.children.filter(({ name }) => name === kind).map(({ attributes }) => attributes[attribute] ?? "");
  const extensions = names("Default", "Extension");
  const overrides = names("Override", "PartName");
  for (const name of overrides)
    if (!files.has(name.slice(1))) problems.push(`content types: no part ${name}`);
  for (const name of files.keys()) {
    const isTyped =
      overrides.includes(`/${name}`) || extensions.includes(name.slice(name.lastIndexOf(".") + 1));
    if (!isTyped && name !== "[Content_Types].xml") problems.push(`${name} has no content type`);
    if (
      /^xl\/(workbook|styles|worksheets\/sheet\d+|drawings\/drawing\d+)\.xml$/.test(name) &&
      !overrides.includes(`/${name}`)
    )
      problems.push(`${name} is no more than XML to the content types`);
  }
}

function checkOrder(part: string, root: XmlElement, problems: string[]): void {
  // Always the same, and from Office.
  if (root.name === "a:theme") return;
  for (const element of xmlElements(root)) {
    if (unordered.has(element.name)) continue;
    const allowed = order[element.name] ?? [];
    let last = 0;
    for (const { name } of element.children) {
      const place = allowed.indexOf(name);
      if (place < 0) problems.push(`${part}: <${name}> is unknown in <${element.name}>`);
      else if (place < last) problems.push(`${part}: <${name}> comes too late in <${element.name}>`);
      else last = place;
    }
  }
}

/** Each reference has a relationship, and each relationship a part. */
function checkRelationships(part: string, root: XmlElement, { files, xml, problems }: Package): void {
  if (part.endsWith(".rels")) {
    const folder = posix.dirname(posix.dirname(part));
    const ids = root.children.map(({ attributes }) => attributes["Id"]);
    if (new Set(ids).size !== ids.length) problems.push(`${part}: an id is there twice`);
    for (const { attributes } of root.children) {
      const { Target = "", TargetMode } = attributes;
      if (TargetMode === "External") {
        if (!URL.canParse(Target)) problems.push(`${part}: "${Target}" is no address`);
      } else if (!files.has(posix.join(folder, Target))) problems.push(`${part}: no part ${Target}`);
    }
    return;
  }
  const related = xml.get(posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`));
  const ids = new Set(related?.children.map(({ attributes }) => attributes["Id"]));
  for (const { name, attributes } of xmlElements(root)) {
    for (const attribute of ["r:id", "r:embed"]) {
      const id = attributes[attribute];
      if (id !== undefined && !ids.has(id)) problems.push(`${part}: <${name}> has no relationship ${id}`);
    }
  }
}

function checkStyles({ xml, problems }: Package): void {
  const styles = xml.get("xl/styles.xml");
  if (styles === undefined) {
    problems.push("there are no styles");
    return;
  }
  const numbers = list(styles, "numFmts").map(({ attributes }) => Number(attributes["numFmtId"]));
  if (new Set(numbers).size !== numbers.length) problems.push("two number formats have one number");
  const counts = { fontId: "fonts", fillId: "fills", borderId: "borders", xfId: "cellStyleXfs" };
  for (const { attributes } of list(styles, "cellXfs")) {
    for (const [attribute, name] of Object.entries(counts)) {
      if (Number(attributes[attribute]) >= list(styles, name).length)
        problems.push(`styles: no ${name} ${attributes[attribute]}`);
    }
    const number = Number(attributes["numFmtId"]);
    if (number >= 164 && !numbers.includes(number)) problems.push(`styles: no number format ${number}`);
  }
  for (const { name, attributes, children } of styles.children) {
    if (attributes["count"] !== undefined && Number(attributes["count"]) !== children.length)
      problems.push(`styles: wrong count of ${name}`);
  }
}

function checkSheet(part: string, sheet: XmlElement, { xml, problems }: Package): void {
  const styles = xml.get("xl/styles.xml");
  const formats = styles === undefined ? 0 : list(styles, "cellXfs").length;
  let lastRow = 0;
  for (const { attributes, children } of list(sheet, "sheetData")) {
    const row = Number(attributes["r"]);
    if (!(row > lastRow && row <= 1_048_576))
      problems.push(`${part}: row ${attributes["r"]} after row ${lastRow}`);
    lastRow = row;
    let lastColumn = 0;
    for (const cell of children) {
      const { column, row: own } = place(cell.attributes["r"] ?? "");
      if (own !== row || !(column > lastColumn && column <= 16_384))
        problems.push(`${part}: cell ${cell.attributes["r"]} in row ${row}`);
      lastColumn = column;
      if (Number(cell.attributes["s"] ?? 0) >= formats)
        problems.push(`${part}: no style ${cell.attributes["s"]}`);
      checkContent(part, cell, problems);
    }
  }
}

function checkContent(part: string, { attributes, children }: XmlElement, problems: string[]): void {
  const value = children.find(({ name }) => name === "v");
  const inline = children.find(({ name }) => name === "is");
  const type = attributes["t"];
  if (
    (type === "inlineStr") !== (inline !== undefined) ||
    (type === "str") !== (type !== undefined && !inline)
  )
    problems.push(`${part}: ${attributes["r"]} is not what it says`);
  const isNumber = type === undefined && value !== undefined;
  if (isNumber && (value.text.trim() === "" || !Number.isFinite(Number(value.text))))
    problems.push(`${part}: "${value.text}" in ${attributes["r"]} is no number`);
  const runs = inline === undefined ? [] : [...xmlElements(inline)].filter(({ name }) => name === "t");
  const text = type === "str" ? (value?.text ?? "") : runs.map(({ text }) => text).join("");
  if (decoded(text).length > 32_767) problems.push(`${part}: the text in ${attributes["r"]} is too long`);
}

function checkWorkbook({ xml, problems }: Package): void {
  const workbook = xml.get("xl/workbook.xml");
  if (workbook === undefined) {
    problems.push("there is no workbook");
    return;
  }
  const names = list(workbook, "sheets").map(({ attributes }) => attributes["name"] ?? "");
  if (names.length === 0) problems.push("there is no sheet");
  if (new Set(names.map((name) => name.toLowerCase())).size !== names.length)
    problems.push("two sheets have one name");
  for (const name of names) {
    if (!/^(?!')[^[\]:*?/\\]{1,31}(?<!')$/.test(name) || name.toLowerCase() === "history")
      problems.push(`a sheet is named "${name}"`);
  }
  for (const { attributes, text } of list(workbook, "definedNames")) {
    const sheet = names[Number(attributes["localSheetId"])];
    if (sheet === undefined || !text.startsWith(`'${sheet.replaceAll("'", "''")}'!$`))
      problems.push(`a name refers to ${text}`);
  }
  const root = xml.get("_rels/.rels")?.children ?? [];
  if (!root.some(({ attributes }) => attributes["Type"] === `${relationshipType}/officeDocument`))
    problems.push("nothing says which part is the workbook");
}

/** The children of the first child of a name. */
function list(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.find((child) => child.name === name)?.children ?? [];
}

function place(address: string): { column: number; row: number } {
  const [, letters = "", row = ""] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
  return {
    column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
    row: Number(row),
  };
}

function decoded(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
