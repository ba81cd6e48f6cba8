import { PDFArray, PDFNumber } from "@cantoo/pdf-lib";
import { nameOf, textEntry, textOf } from "./pdf-values.js";
import { attribute, type StructureElement, significantChildren } from "./structure-tree.js";
import { type AccessibilityFinding, finding, type TaggedDocument } from "./tagged-document.js";

/** Nobody prints wider tables; a larger span is a mistake that must not cost memory. */
const mostColumns = 1000;

/** Tables: as many columns in every row, with headers that can be told for every cell. */
export function checkTables({ tree }: TaggedDocument): AccessibilityFinding[] {
  const tables = (tree?.elements ?? []).filter(({ type }) => type === "Table");
  const identifiers = new Set(
    (tree?.elements ?? []).flatMap(({ dictionary }) => textEntry(dictionary, "ID") ?? []),
  );
  return tables.flatMap((table) => {
    const sections = rowsBySection(table);
    const rows = sections.flat();
    return [...columns(table, sections), ...headers(table, rows.flatMap(cells), identifiers)];
  });
}

/** Rows of head, bodies and foot; spans do not leave their section. */
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

function columns(table: StructureElement, sections: StructureElement[][]): AccessibilityFinding[] {
  const widths = sections.flatMap(widthsOf);
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

/** Columns that each row of a section fills, those that reach into it from above included. */
function widthsOf(rows: StructureElement[]): number[] {
  let above: number[] = [];
  return rows.map((row) => {
    const taken = above.map((left) => left - 1);
    let column = 0;
    for (const cell of cells(row)) {
      while ((taken[column] ?? 0) > 0) column++;
      const height = span(cell, "RowSpan");
      for (let left = span(cell, "ColSpan"); left > 0; left--) taken[column++] = height;
    }
    above = Array.from(taken, (left) => Math.max(left ?? 0, 0));
    return above.filter((left) => left > 0).length;
  });
}

function span(cell: StructureElement, key: "RowSpan" | "ColSpan"): number {
  const value = attribute(cell, "Table", key);
  return value instanceof PDFNumber ? Math.min(Math.max(value.asNumber(), 1), mostColumns) : 1;
}

function headers(
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
  const usesHeaders = all.some((cell) => attribute(cell, "Table", "Headers") !== undefined);
  const lacking = heads.find((head) => scopeOf(head) === undefined);
  if (lacking !== undefined && !usesHeaders)
    found.push(
      finding(
        "15-003",
        'A header cell does not say what it is for: give the <th> a scope, "col" or "row".',
        lacking,
      ),
    );
  const astray = all.find((cell) => headersOf(cell).some((id) => !identifiers.has(id)));
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

function scopeOf(head: StructureElement): string | undefined {
  const scope = nameOf(attribute(head, "Table", "Scope"));
  return scope !== undefined && ["Row", "Column", "Both"].includes(scope) ? scope : undefined;
}

function headersOf(cell: StructureElement): string[] {
  const value = attribute(cell, "Table", "Headers");
  return value instanceof PDFArray ? value.asArray().flatMap((each) => textOf(each) ?? []) : [];
}
