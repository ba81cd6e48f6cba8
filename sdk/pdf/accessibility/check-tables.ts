import type { PdfFile } from "../pdf-file.js";
import { isKind } from "../pdf-object.js";
import { textOf } from "../pdf-text.js";
import { nameText, textEntry } from "../pdf-values.js";
import { attribute, type StructureElement, significantChildren } from "./structure-tree.js";
import { type AccessibilityFinding, finding, type TaggedDocument } from "./tagged-document.js";

/** Real tables are narrower; limits the memory that a wrong span can cost. */
const mostColumns = 1000;

/** Tables: the same number of columns in every row, and headers for every cell. */
export function checkTables({ file, tree }: TaggedDocument): AccessibilityFinding[] {
  const tables = (tree?.elements ?? []).filter(({ type }) => type === "Table");
  const identifiers = new Set(
    (tree?.elements ?? []).flatMap(({ dictionary }) => textEntry(file, dictionary, "ID") ?? []),
  );
  return tables.flatMap((table) => {
    const sections = rowsBySection(table);
    const rows = sections.flat();
    return [...columns(file, table, sections), ...headers(file, table, rows.flatMap(cells), identifiers)];
  });
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

function columns(
  file: PdfFile,
  table: StructureElement,
  sections: StructureElement[][],
): AccessibilityFinding[] {
  const widths = sections.flatMap((rows) => widthsOf(file, rows));
  const [width = 0] = widths;
  if (width === 0) return [finding("clause 7.5", "A table has no cells: leave it out.", table)];
  const wrong = widths.findIndex((each) => each !== width);
  if (wrong === -1) return [];
  const row = sections.flat()[wrong] ?? table;
  return [
    finding(
      "clause 7.5",
      `Row ${wrong + 1} of a table has ${widths[wrong]} columns and the first row ${width}: add cells, or a colspan that fits.`,
      row,
    ),
  ];
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

function headers(
  file: PdfFile,
  table: StructureElement,
  all: StructureElement[],
  identifiers: ReadonlySet<string>,
): AccessibilityFinding[] {
  const heads = all.filter(({ type }) => type === "TH");
  if (heads.length === 0)
    return [
      finding(
        "15-003",
        'A table has no header cells: use <th scope="col"> or <th scope="row">, or lay it out without a table.',
        table,
      ),
    ];
  const found: AccessibilityFinding[] = [];
  const usesHeaders = all.some((cell) => attribute(file, cell, "Table", "Headers") !== undefined);
  const lacking = heads.find((head) => scopeOf(file, head) === undefined);
  if (lacking !== undefined && !usesHeaders)
    found.push(
      finding(
        "15-003",
        'A header cell does not say what it is for: give the <th> a scope, "col" or "row".',
        lacking,
      ),
    );
  const astray = all.find((cell) => headersOf(file, cell).some((id) => !identifiers.has(id)));
  if (astray !== undefined)
    found.push(
      finding(
        "15-005",
        "A cell names a header cell that does not exist: look at the headers of its <td>.",
        astray,
      ),
    );
  return found;
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
