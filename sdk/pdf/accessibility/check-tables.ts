import type { PdfFile } from "../pdf-file.js";
import { isKind } from "../pdf-object.js";
import { textOf } from "../pdf-text.js";
import { nameText, textEntry } from "../pdf-values.js";
import { attribute, type StructureElement, significantChildren } from "./structure-tree.js";
import { type AccessibilityFinding, finding, type TaggedDocument } from "./tagged-document.js";

/** Real tables are narrower; limits the memory that a wrong span can cost. */
const mostColumns = 1000;

/** Tables: the same number of columns in every row, and headers for every cell. */
export function* checkTables({ file, tree }: TaggedDocument): Generator<AccessibilityFinding> {
  const elements = tree?.elements ?? [];
  const identifiers = new Set(elements.flatMap(({ dictionary }) => textEntry(file, dictionary, "ID") ?? []));
  for (const table of elements.filter(({ type }) => type === "Table")) {
    const sections = rowsBySection(table);
    yield* columns(file, table, sections);
    yield* headers(file, table, sections.flat().flatMap(cells), identifiers);
  }
}

/** Rows of head, bodies and foot; spans do not cross sections. */
function rowsBySection(table: StructureElement): StructureElement[][] {
  const sections: StructureElement[][] = [];
  let loose: StructureElement[] = [];
  for (const child of significantChildren(table)) {
    if (child.kind !== "element") continue;
    if (child.type === "TR") loose.push(child);
    else if (["THead", "TBody", "TFoot"].includes(child.type)) {
      sections.push(loose, elements(child, ["TR"]));
      loose = [];
    }
  }
  return [...sections, loose].filter(({ length }) => length > 0);
}

function cells(row: StructureElement): StructureElement[] {
  return elements(row, ["TH", "TD"]);
}

function elements(parent: StructureElement, types: string[]): StructureElement[] {
  return significantChildren(parent).filter(
    (child): child is StructureElement => child.kind === "element" && types.includes(child.type),
  );
}

function* columns(
  file: PdfFile,
  table: StructureElement,
  sections: StructureElement[][],
): Generator<AccessibilityFinding> {
  const widths = sections.flatMap((rows) => widthsOf(file, rows));
  const [width = 0] = widths;
  const wrong = widths.findIndex((each) => each !== width);
  if (width === 0) yield finding("clause 7.5", "A table has no cells: leave it out.", table);
  else if (wrong !== -1)
    yield finding(
      "clause 7.5",
      `Row ${wrong + 1} of a table has ${widths[wrong]} columns and the first row ${width}: add cells, or a colspan that fits.`,
      sections.flat()[wrong] ?? table,
    );
}

/** Number of columns in each row of a section, including cells that span from rows above. */
function widthsOf(file: PdfFile, rows: StructureElement[]): number[] {
  let above: number[] = [];
  return rows.map((row) => {
    const taken = above.map((left) => left - 1);
    let column = 0;
    for (const cell of cells(row)) {
      while ((taken[column] ?? 0) > 0) column++;
      const height = span(file, cell, "RowSpan");
      for (let left = span(file, cell, "ColSpan"); left > 0; left--) taken[column++] = height;
    }
    above = Array.from(taken, (left) => Math.max(left ?? 0, 0));
    return above.filter((left) => left > 0).length;
  });
}

function span(file: PdfFile, cell: StructureElement, key: "RowSpan" | "ColSpan"): number {
  const value = attribute(file, cell, "Table", key);
  return typeof value === "number" ? Math.min(Math.max(value, 1), mostColumns) : 1;
}

function* headers(
  file: PdfFile,
  table: StructureElement,
  all: StructureElement[],
  identifiers: ReadonlySet<string>,
): Generator<AccessibilityFinding> {
  const heads = all.filter(({ type }) => type === "TH");
  if (heads.length === 0) {
    const advice = 'use <th scope="col"> or <th scope="row">, or lay it out without a table.';
    yield finding("15-003", `A table has no header cells: ${advice}`, table);
    return;
  }
  const usesHeaders = all.some((cell) => attribute(file, cell, "Table", "Headers") !== undefined);
  const lacking = heads.find((head) => scopeOf(file, head) === undefined);
  if (lacking !== undefined && !usesHeaders) {
    const advice = 'give the <th> a scope, "col" or "row".';
    yield finding("15-003", `A header cell does not say what it is for: ${advice}`, lacking);
  }
  const astray = all.find((cell) => headersOf(file, cell).some((id) => !identifiers.has(id)));
  if (astray !== undefined) {
    const advice = "look at the headers of its <td>.";
    yield finding("15-005", `A cell names a header cell that does not exist: ${advice}`, astray);
  }
}

function scopeOf(file: PdfFile, head: StructureElement): string | undefined {
  const scope = nameText(attribute(file, head, "Table", "Scope"));
  return scope !== undefined && ["Row", "Column", "Both"].includes(scope) ? scope : undefined;
}

function headersOf(file: PdfFile, cell: StructureElement): string[] {
  const value = attribute(file, cell, "Table", "Headers");
  const items = isKind(value, "array") ? value.items.map((each) => file.resolve(each)) : [];
  return items.flatMap((each) => (isKind(each, "string") ? [textOf(each)] : []));
}
