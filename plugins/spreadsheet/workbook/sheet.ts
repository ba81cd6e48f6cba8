/**
 * Sheets of the export, independent of the file format: workbook and CSV are made from the same sheets. Rows and
 * columns of the file count from 1, table rows and table columns (`TableRange`) from 0.
 */

/** One sheet: rows above the table, table header, table rows and totals, in this order. */
export interface Sheet {
  /** Display name; the workbook shortens it to a valid name and makes it unique. */
  name: string;
  /** Position of the first row and column; row 1 and column 1 by default. */
  start?: { row: number; column: number };
  /** At least one. Without any header text the table has no header row. */
  columns: readonly Column[];
  /** Rows above the table's header, such as a title; not filtered. */
  lead?: readonly Row[];
  /** The table rows. Read once, one by one, and only as fast as the file is written. */
  rows: AsyncIterable<Row>;
  /** Rows below the table, not filtered; called after the last row of `rows`. */
  totals?: () => Iterable<Row> | AsyncIterable<Row>;
  /** Whether header and first columns are frozen; by default only the header row. */
  freeze?: { header?: boolean; columns?: number };
  /** Whether the table's header offers a filter; default false. A table without header or rows has none. */
  filter?: boolean;
  /** Position of the summary of an outline group (`Row.level`); below by default. */
  summary?: "above" | "below";
  print?: PrintSettings;
}

/**
 * Print settings of a sheet. The header row and the frozen columns are repeated on each page. The columns are fitted to
 * the width of one page, or of several if one would be too small to read.
 */
export interface PrintSettings {
  /** "landscape" by default. */
  orientation?: "portrait" | "landscape";
  /** Page margins in millimetres; header and footer are inside the top and bottom margins. */
  margins?: { left: number; right: number; top: number; bottom: number };
  header?: PageText;
  footer?: PageText;
}

/** A line above or below each printed page. Texts are literal; only `pages` has placeholders. */
export interface PageText {
  left?: string;
  center?: string;
  /** On the right, with the placeholders `{page}` and `{pages}`: "Page {page} of {pages}". */
  pages?: string;
}

export interface Column {
  /** Text of the header row and name of the column in CSV. */
  header?: string;
  /**
   * In characters: a fixed width, or bounds for a width fitted to the header and the first rows; default bounds: 6 to
   * 60.
   */
  width?: number | { min: number; max: number };
  /** By default texts and dates are left-aligned, numbers right-aligned, pictures centred. */
  align?: "left" | "center" | "right";
  /** Whether long texts wrap in the cell; line breaks of the text itself always show. Default: false. */
  wrap?: boolean;
}

/** One row. Cells are in column order; missing or undefined cells are empty. */
export interface Row {
  cells: readonly (Cell | undefined)[];
  /** Style of all cells without their own style. */
  style?: CellStyle;
  /** Outline level, 0 (default) to 7. */
  level?: number;
  /** In points; by default fitted to its texts, and at least `defaultPictureHeight` with a picture. */
  height?: number;
}

/** Default height in points of a row with a picture. */
export const defaultPictureHeight = 60;

/** The purpose of a cell; the workbook defines its appearance. */
export type CellStyle = "title" | "heading" | "subtotal" | "total" | "note";

/** The content of a cell. An empty cell is undefined in its row. */
export type Cell = TextCell | NumberCell | DateCell | FormulaCell | PictureCell;

interface StyledCell {
  style?: CellStyle;
}

/** A text; never interpreted as a formula or number. */
export interface TextCell extends StyledCell {
  kind: "text";
  /** May contain line breaks. */
  text: string;
  /** Absolute link URL (http, https, mailto); others are left out. */
  link?: string;
}

/** A number; exact in CSV, with the precision of spreadsheets (at least 15 digits) in the workbook. */
export interface NumberCell extends StyledCell {
  kind: "number";
  /** Decimal such as "-1234.50", without exponent and grouping. A percentage is "12.5" for 12.5 %. */
  value: string;
  format?: NumberFormat;
}

/**
 * Display format of a number. `decimals`: fixed number of decimals; by default as many as the number has (at most six).
 */
export type NumberFormat =
  | { kind: "number"; decimals?: number }
  | { kind: "percent"; decimals?: number }
  /** ISO 4217 code; by default with the decimals of the currency. */
  | { kind: "currency"; currency: string; decimals?: number }
  /** For example "kg" or "pcs". */
  | { kind: "unit"; unit: string; decimals?: number };

/** A calendar day without a time zone. */
export interface DateCell extends StyledCell {
  kind: "date";
  /** "2026-03-02", March 1900 or later; other texts are written unchanged. */
  date: string;
}

/** A formula with its result, for readers that do not calculate and for CSV. */
export interface FormulaCell extends StyledCell {
  kind: "formula";
  /** Without "=", in English with commas and A1 references, such as `SUM(C2:C9)`. */
  formula: string | ((at: TableRange) => string);
  /** The exact result as in `NumberCell.value`; a percentage is "12.5" if the formula gives 0.125. */
  value: string;
  format?: NumberFormat;
}

/** A picture, scaled to its cell with its proportions kept. */
export interface PictureCell extends StyledCell {
  kind: "picture";
  /** Key of the project's asset. */
  asset: string;
  /** Alternative text. */
  description: string;
}

/** Addresses for a formula, relative to its position. Table rows and columns count from 0. */
export interface TableRange {
  /** Row of the formula's cell, from 1 as in the file. */
  readonly row: number;
  /** Number of table rows written so far, without the formula's own. */
  readonly rows: number;
  /** A cell of the formula's own row: "C7". */
  here(column: number): string;
  /** A cell of the table: "C7". */
  cell(column: number, row: number): string;
  /** Cells of one column, both ends included: "C2:C9". Default: all rows so far. Needs at least one row. */
  range(column: number, first?: number, last?: number): string;
}

/** The content of a workbook file. */
export interface Workbook {
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>;
  title: string;
  /** Creator of the project. */
  author?: string;
  /** `host.now()`. */
  created: Date;
  /** Locale of numbers, prices and dates, such as "de_DE". */
  locale: string;
}
