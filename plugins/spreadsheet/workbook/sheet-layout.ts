/** Positions of the parts of a sheet. */
import { cutText, plainText } from "./cell-values.js";
import type { Sheet, TableRange } from "./sheet.js";

/** A frozen header below this row would fill the whole window. */
const mostFrozenRows = 20;

/** Rows and columns count from 1. */
export interface SheetLayout {
  readonly firstRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Undefined for a table without header. */
  readonly headerRow: number | undefined;
  readonly firstTableRow: number;
  /** Numbers of frozen rows and columns. */
  readonly frozen: { readonly rows: number; readonly columns: number };
  /** The frozen columns of the table, such as "A:B". */
  readonly titleColumns: string | undefined;
}

/** @throws {RangeError} if the sheet has no columns, or they exceed the format's limits at its start position */
export function sheetLayout({ columns, start, lead = [], freeze = {} }: Sheet): SheetLayout {
  const { row, column } = start ?? { row: 1, column: 1 };
  const lastColumn = column + columns.length - 1;
  if (columns.length === 0) throw new RangeError("A sheet needs a column.");
  if (!isPlace(row, mostRows) || !isPlace(column, mostColumns) || lastColumn > mostColumns) {
    throw new RangeError(
      `A sheet has no room for ${columns.length} columns at row ${row}, column ${column}.`,
    );
  }
  const afterLead = row + lead.length;
  const headerRow = columns.some(({ header }) => header !== undefined) ? afterLead : undefined;
  const rows =
    freeze.header !== false && headerRow !== undefined && headerRow <= mostFrozenRows ? headerRow : 0;
  const frozenColumns = freeze.columns ? column - 1 + Math.min(freeze.columns, columns.length) : 0;
  return {
    firstRow: row,
    firstColumn: column,
    lastColumn,
    headerRow,
    firstTableRow: headerRow === undefined ? afterLead : headerRow + 1,
    frozen: { rows, columns: frozenColumns },
    titleColumns:
      frozenColumns === 0 ? undefined : `${columnLetters(column)}:${columnLetters(frozenColumns)}`,
  };
}

/** The addresses for a formula in `row`, with `rows` table rows written. */
export function tableRange(layout: SheetLayout, row: number, rows: number): TableRange {
  const letters = (column: number): string => columnLetters(layout.firstColumn + column);
  const cell = (column: number, tableRow: number): string =>
    `${letters(column)}${layout.firstTableRow + tableRow}`;
  return {
    row,
    rows,
    here: (column) => `${letters(column)}${row}`,
    cell,
    range: (column, first = 0, last = rows - 1) => `${cell(column, first)}:${cell(column, last)}`,
  };
}

function isPlace(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

// Valid sheet names and cell addresses.

const longestName = 31;

/** Assigns unique names to the sheets of one workbook. */
export class SheetNames {
  /** Excel reserves "History". */
  readonly #taken = new Set(["history"]);

  /** The name without forbidden characters, at most 31 UTF-16 units long, with a number if it is taken. */
  unique(name: string): string {
    const clean = plainText(name)
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/\s+/g, " ");
    const wanted = trimmed(cutText(trimmed(clean), longestName)) || "Sheet";
    let unique = wanted;
    for (let number = 2; this.#taken.has(folded(unique)); number++) {
      const suffix = ` (${number})`;
      unique = `${trimmed(cutText(wanted, longestName - suffix.length))}${suffix}`;
    }
    this.#taken.add(folded(unique));
    return unique;
  }
}

/** A sheet name for use in a reference. */
export function quotedSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Removes leading and trailing blanks and apostrophes. */
function trimmed(name: string): string {
  return /[^\s'](?:.*[^\s'])?/s.exec(name)?.[0] ?? "";
}

/** Equal for names that differ only in case. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

// Cell addresses in letters and numbers.

/** Limits of the format. */
export const mostRows = 1_048_576;
const mostColumns = 16_384;

/** The letters of a column that counts from 1: 1 is "A", 28 is "AB". */
function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** "C7" of row 7 and column 3. */
export function cellAddress(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}
