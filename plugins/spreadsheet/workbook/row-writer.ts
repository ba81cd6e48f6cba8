/** Writes rows with the library. */
import type { CellValue, Row as LibraryRow, Worksheet } from "@jsreport/exceljs";
import { boldScale, heightOfLines, linesOf } from "./cell-sizes.js";
import type { CellFormat } from "./cell-styles.js";
import { cellText, cutText, dayNumber, longestText, numericValue, textValue } from "./cell-values.js";
import {
  type CellStyle,
  defaultPictureHeight,
  type PictureCell,
  type Row,
  type Sheet,
  type TableRange,
  type TextCell,
} from "./sheet.js";
import { cellAddress, type SheetLayout } from "./sheet-layout.js";
import { deepestLevel } from "./sheet-settings.js";
import type { SheetContext } from "./workbook-context.js";

/** Excel's limit per sheet. */
const mostLinks = 65_530;

const longestTarget = 2079;

/** Excel's own limit, in points. */
const highestRow = 409;
const usualHeight = 15;
/** Number of empty rows that can be skipped at once without slowing the library down. */
const longestSkip = 1000;

/** A picture in its cell; it is read after all rows are written. */
export interface PlacedPicture {
  readonly asset: string;
  readonly description: string;
  /** From 1. */
  readonly row: number;
  readonly column: number;
  /** Height of the row, in points. */
  readonly height: number;
}

/** Output of a row writer. */
export interface RowTarget {
  /** The library's sheet, with its columns set. */
  sheet: Worksheet;
  layout: SheetLayout;
  /** Column widths, in characters. */
  widths: readonly number[];
}

/** Writes the rows of one sheet in order, and collects its pictures. */
export class RowWriter {
  readonly pictures: PlacedPicture[] = [];
  readonly #sheet: Sheet;
  readonly #target: RowTarget;
  readonly #context: SheetContext;
  #links = 0;

  constructor(sheet: Sheet, target: RowTarget, context: SheetContext) {
    this.#sheet = sheet;
    this.#target = target;
    this.#context = context;
    for (let row = longestSkip; row < target.layout.firstRow; row += longestSkip)
      target.sheet.getRow(row).commit();
  }

  /** Writes one row. `range`: for its formulas. */
  write(row: Row, range: TableRange): void {
    const written = this.#target.sheet.getRow(range.row);
    const height = statedHeight(row) ?? this.#fittedHeight(row);
    if (height !== undefined) written.height = height;
    if (row.level) written.outlineLevel = Math.min(row.level, deepestLevel);
    const width = this.#sheet.columns.length;
    const count = row.style === undefined ? Math.min(row.cells.length, width) : width;
    for (let index = 0; index < count; index++) this.#cell(written, index, row, range);
    commit(written);
  }

  /** Writes the table header. `numbers`: whether each column has numbers, so that its header is right-aligned too. */
  writeHeader(row: number, numbers: readonly boolean[]): void {
    const { columns } = this.#sheet;
    const written = this.#target.sheet.getRow(row);
    const lines = columns.map(({ header = "" }, index) =>
      linesOf(header, { width: this.#target.widths[index] ?? 1, scale: boldScale }),
    );
    const height = heightOfLines(Math.max(...lines));
    if (height !== undefined) written.height = height;
    for (const [index, { header = "", align }] of columns.entries()) {
      const side = align ?? (numbers[index] ? "right" : undefined);
      const value = textValue(this.#fitting(cellText(header), row, index));
      this.#set(written, index, value, { style: "heading", align: side, wrap: true });
    }
    commit(written);
  }

  #cell(written: LibraryRow, index: number, row: Row, range: TableRange): void {
    const cell = row.cells[index];
    const style = cell?.style ?? row.style;
    const { align } = this.#sheet.columns[index] ?? {};
    switch (cell?.kind) {
      case undefined:
        if (style !== undefined) this.#set(written, index, null, { style });
        break;
      case "text":
        this.#text(written, cell, index, style);
        break;
      case "date":
        this.#date(written, cell.date, index, style);
        break;
      case "number":
      case "formula": {
        const number = this.#context.formats.code(cell.format, cell.value);
        this.#set(written, index, numericValue(cell, range), { style, align, number });
        break;
      }
      case "picture":
        if (style !== undefined) this.#set(written, index, null, { style });
        this.#picture(cell, index, row, range);
        break;
    }
  }

  #text(written: LibraryRow, cell: TextCell, index: number, style: CellStyle | undefined): void {
    const text = this.#fitting(cellText(cell.text), written.number, index);
    const target = this.#linkOf(cell, text);
    this.#set(written, index, textValue(text, target), {
      style: style ?? (target === undefined ? undefined : "link"),
      align: this.#sheet.columns[index]?.align,
      wrap: this.#isWrapped(cell, index, style),
    });
  }

  #date(written: LibraryRow, date: string, index: number, style: CellStyle | undefined): void {
    const number = dayNumber(date);
    if (number === undefined) {
      this.#text(written, { kind: "text", text: date }, index, style);
      return;
    }
    const align = this.#sheet.columns[index]?.align ?? "left";
    this.#set(written, index, number, { style, align, number: this.#context.formats.date });
  }

  #picture(cell: PictureCell, index: number, row: Row, { row: number }: TableRange): void {
    this.pictures.push({
      asset: cell.asset,
      description: cell.description,
      row: number,
      column: this.#target.layout.firstColumn + index,
      height: statedHeight(row) ?? this.#fittedHeight(row) ?? defaultPictureHeight,
    });
  }

  #set(written: LibraryRow, index: number, value: CellValue, format: CellFormat): void {
    const cell = written.getCell(this.#target.layout.firstColumn + index);
    cell.value = value;
    cell.style = this.#context.styles.style(format);
  }

  #fitting(text: string, row: number, index: number): string {
    if (text.length <= longestText) return text;
    const place = cellAddress(row, this.#target.layout.firstColumn + index);
    this.#context.suppress({
      id: "spreadsheet-value-changed",
      message: `The text in ${place} of the sheet "${this.#sheet.name}" was cut, because it has ${text.length} characters and a cell at most ${longestText}.`,
      scope: "WARN",
      additionalInformation: { sheet: this.#sheet.name, cell: place },
    });
    return cutText(text, longestText);
  }

  /** The library does not support links without text. */
  #linkOf({ link }: TextCell, text: string): string | undefined {
    if (link === undefined || text.trim() === "" || this.#links === mostLinks) return undefined;
    const target = linkTarget(link);
    if (target !== undefined) this.#links++;
    return target;
  }

  /** Undefined for a row of one line. */
  #fittedHeight({ cells, style }: Row): number | undefined {
    let lines = 1;
    let hasPicture = false;
    for (const [index, cell] of cells.entries()) {
      if (cell?.kind === "picture") hasPicture = true;
      if (cell?.kind !== "text" || !this.#isWrapped(cell, index, cell.style ?? style)) continue;
      const scale = (cell.style ?? style) === undefined ? 1 : boldScale;
      lines = Math.max(lines, linesOf(cell.text, { width: this.#target.widths[index] ?? 1, scale }));
    }
    const height = heightOfLines(lines);
    return hasPicture ? Math.max(height ?? 0, defaultPictureHeight) : height;
  }

  #isWrapped({ text }: TextCell, index: number, style: CellStyle | undefined): boolean {
    if (style === "title") return false;
    return this.#sheet.columns[index]?.wrap === true || /[\r\n]/.test(text);
  }
}

function commit(row: LibraryRow): void {
  // The library omits rows without values, even if their cells have styles.
  if (row.cellCount > 0 && !row.hasValues && row.height === undefined) row.height = usualHeight;
  row.commit();
}

function statedHeight({ height }: Row): number | undefined {
  return height === undefined ? undefined : Math.min(Math.max(height, 1), highestRow);
}

/** The link target: absolute http, https and mailto URLs; undefined for others. */
function linkTarget(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { href, protocol } = new URL(link);
  const isAllowed = ["http:", "https:", "mailto:"].includes(protocol);
  return isAllowed && href.length <= longestTarget ? href : undefined;
}
