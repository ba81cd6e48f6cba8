/** Positions of the parts of a sheet. */

import type { Sheet, TableRange } from "./sheet.js";
import { columnLetters, mostColumns, mostRows } from "./sheet-names.js";

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
