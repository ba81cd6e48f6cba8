/**
 * What a sheet of the export holds, row by row and without a word about the file: the workbook and CSV are made of the
 * same sheets. Rows and columns of the file count from 1, table rows and table columns (`TableRange`) from 0.
 */

/** One sheet: rows above the table, the table's header, its rows, and its totals, in this order. */
export interface Sheet {
  /** As the user reads it; the workbook cuts it to what a sheet may be called and makes it unique. */
  name: string;
  /** Where the first row and the first column go; row 1 and column 1 by default. */
  start?: { row: number; column: number };
  /** At least one. A table none of whose columns has a header has no header row. */
  columns: readonly Column[];
  /** Rows above the table's header, such as a title; not filtered. */
  lead?: readonly Row[];
  /** The table. Asked for one by one, once, and only as fast as the file takes them. */
  rows: AsyncIterable<Row>;
  /** Rows below the table, which the filter leaves where they are; called when the last row of `rows` is known. */
  totals?: () => Iterable<Row> | AsyncIterable<Row>;
  /** Whether header and first columns stay in sight; the header row alone by default. */
  freeze?: { header?: boolean; columns?: number };
  /** Whether the table's header offers a filter; default false. A table without header or rows has none. */
  filter?: boolean;
  /** Where the summary of an outline group (`Row.level`) stands; below by default. */
  summary?: "above" | "below";
  print?: PrintSettings;
}

/**
 * How a sheet prints. The header row and the first columns that stay in sight are repeated on each page, and the columns are
 * fitted to the width of a page, or of several where one would be too small to read.
 */
export interface PrintSettings {
  /** "landscape" by default. */
  orientation?: "portrait" | "landscape";
  /** Margins of the page in millimetres; top and bottom hold the texts of header and footer. */
  margins?: { left: number; right: number; top: number; bottom: number };
  header?: PageText;
  footer?: PageText;
}

/** A line above or below each printed page. Texts are literal; only `pages` has placeholders. */
export interface PageText {
  left?: string;
  center?: string;
  /** On the right, with `{page}` and `{pages}` for their numbers: "Page {page} of {pages}". */
  pages?: string;
}

export interface Column {
  /** Text of the header row; the name of the column in CSV. */
  header?: string;
  /** In characters: exactly, or fitted to the header and the first rows within bounds; fitted from 6 to 60 by default. */
  width?: number | { min: number; max: number };
  /** By default texts and dates stand left, numbers right, pictures in the middle. */
  align?: "left" | "center" | "right";
  /** Whether long texts break into lines in the cell; line breaks of the text itself always show. Default false. */
  wrap?: boolean;
}

/** One row. Cells stand under the columns from the first on; what is missing or undefined is empty. */
export interface Row {
  cells: readonly (Cell | undefined)[];
  /** Of all its cells that have none of their own. */
  style?: CellStyle;
  /** 0 (default) to 7: how deep in the outline. */
  level?: number;
  /** In points; by default as high as its texts, and `defaultPictureHeight` with a picture. */
  height?: number;
}

/** Row height in points of a row with a picture that states none. */
export const defaultPictureHeight = 60;

/** What a cell is for; how that looks is the workbook's own. */
export type CellStyle = "title" | "heading" | "subtotal" | "total" | "note";

/** What a cell holds. An empty one is undefined in its row. */
export type Cell = TextCell | NumberCell | DateCell | FormulaCell | PictureCell;

interface StyledCell {
  style?: CellStyle;
}

/** A text, never a formula or a number, whatever it looks like. */
export interface TextCell extends StyledCell {
  kind: "text";
  /** May hold line breaks. */
  text: string;
  /** Absolute URL (http, https, mailto) that a click opens; others are left out. */
  link?: string;
}

/** A number, in CSV exactly as given, in the workbook as nearly as spreadsheets know it (15 digits and more). */
export interface NumberCell extends StyledCell {
  kind: "number";
  /** Decimal such as "-1234.50", without exponent and grouping. A percentage is "12.5" for 12.5 %. */
  value: string;
  format?: NumberFormat;
}

/** How a number shows: `decimals` are exactly as many, without them as many as the number has (at most six). */
export type NumberFormat =
  | { kind: "number"; decimals?: number }
  | { kind: "percent"; decimals?: number }
  /** ISO 4217 code; shows with as many decimals as the currency has, unless stated. */
  | { kind: "currency"; currency: string; decimals?: number }
  /** Such as "kg" or "pcs". */
  | { kind: "unit"; unit: string; decimals?: number };

/** A day of the calendar, without time zone. */
export interface DateCell extends StyledCell {
  kind: "date";
  /** "2026-03-02", year 1900 or later; another text is written as it is. */
  date: string;
}

/** A formula with its result, for readers that do not calculate and for CSV. */
export interface FormulaCell extends StyledCell {
  kind: "formula";
  /** Without "=", in English with commas and A1 references, such as `SUM(C2:C9)`. */
  formula: string | ((at: TableRange) => string);
  /** The exact result as in `NumberCell.value`; that of a percentage is "12.5" where the formula gives 0.125. */
  value: string;
  format?: NumberFormat;
}

/** A picture that fills its cell as far as its proportions allow. */
export interface PictureCell extends StyledCell {
  kind: "picture";
  /** Key of the project's asset. */
  asset: string;
  /** What it shows, for those who do not see it. */
  description: string;
}

/** Addresses for a formula, from its own place. Rows of the table count from 0, columns too. */
export interface TableRange {
  /** Row of the formula's own cell, 1-based as in the file. */
  readonly row: number;
  /** How many rows of the table are written, the formula's own not counted. */
  readonly rows: number;
  /** A cell of the formula's own row: "C7". */
  here(column: number): string;
  /** A cell of the table: "C7". */
  cell(column: number, row: number): string;
  /** Cells of one column, both ends included: "C2:C9"; without ends all rows so far. At least one row must be there. */
  range(column: number, first?: number, last?: number): string;
}

/** All that a file holds. */
export interface Workbook {
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>;
  title: string;
  /** Who made the project. */
  author?: string;
  /** `host.now()`. */
  created: Date;
  /** Of numbers, prices and dates, such as "de_DE". */
  locale: string;
}
