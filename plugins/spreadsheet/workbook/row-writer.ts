/** Rows as the file has them. */
import type { StreamingXmlWriter, XmlAttributes } from "@slipway/sdk";
import { cellAddress } from "./addresses.js";
import { cellText, cutText, escapedCellText, longestText } from "./cell-text.js";
import { dayNumber, fileNumber } from "./cell-values.js";
import { boldScale } from "./column-widths.js";
import { heightOfLines, linesOf } from "./row-heights.js";
import {
  type Cell,
  type CellStyle,
  defaultPictureHeight,
  type FormulaCell,
  type NumberCell,
  type PictureCell,
  type Row,
  type Sheet,
  type TableRange,
  type TextCell,
} from "./sheet.js";
import type { SheetLayout } from "./sheet-layout.js";
import { SheetLinks } from "./sheet-links.js";
import type { CellFormat } from "./styles.js";
import type { SheetContext } from "./workbook-context.js";

/** Excel's own limit, in points. */
const highestRow = 409;
const deepestLevel = 7;

/** A picture in its cell; it is read when all rows are written. */
export interface PlacedPicture {
  readonly asset: string;
  readonly description: string;
  /** From 1. */
  readonly row: number;
  readonly column: number;
  /** Of the row, in points. */
  readonly height: number;
}

/** Writes the rows of one sheet, and remembers its pictures and links. */
export class RowWriter {
  readonly pictures: PlacedPicture[] = [];
  readonly links = new SheetLinks();
  readonly #writer: StreamingXmlWriter;
  readonly #sheet: Sheet;
  readonly #layout: SheetLayout;
  readonly #context: SheetContext;
  #widths: readonly number[] = [];

  constructor(writer: StreamingXmlWriter, sheet: Sheet, layout: SheetLayout, context: SheetContext) {
    this.#writer = writer;
    this.#sheet = sheet;
    this.#layout = layout;
    this.#context = context;
  }

  /** Widths of the columns in characters, known before the first row. */
  begin(widths: readonly number[]): void {
    this.#widths = widths;
  }

  /** One row at its place; `range` is for its formulas. */
  write(row: Row, range: TableRange): void {
    const height = statedHeight(row);
    this.#writer.open("row", {
      r: range.row,
      ht: height ?? this.#fittedHeight(row),
      customHeight: height === undefined ? undefined : 1,
      outlineLevel: row.level ? Math.min(row.level, deepestLevel) : undefined,
    });
    const width = this.#sheet.columns.length;
    const count = row.style === undefined ? Math.min(row.cells.length, width) : width;
    for (let index = 0; index < count; index++) {
      const cell = row.cells[index];
      if (cell !== undefined || row.style !== undefined) this.#cell(cell, index, row, range);
    }
    this.#writer.close();
  }

  /** The header of the table. `numbers` says which columns hold numbers, so that their headers stand right as they do. */
  writeHeader(row: number, numbers: readonly boolean[]): void {
    const headers = this.#sheet.columns.map(({ header = "" }) => header);
    const lines = headers.map((text, index) =>
      linesOf(text, { width: this.#widths[index] ?? 1, scale: boldScale }),
    );
    this.#writer.open("row", { r: row, ht: heightOfLines(Math.max(...lines)) });
    for (const [index, { header = "", align }] of this.#sheet.columns.entries()) {
      const place = cellAddress(row, this.#layout.firstColumn + index);
      const side = align ?? (numbers[index] ? "right" : undefined);
      this.#textCell(cellText(header), place, { style: "heading", align: side, wrap: true });
    }
    this.#writer.close();
  }

  #cell(cell: Cell | undefined, index: number, row: Row, range: TableRange): void {
    const style = cell?.style ?? row.style;
    const place = cellAddress(range.row, this.#layout.firstColumn + index);
    switch (cell?.kind) {
      case undefined:
        this.#writer.element("c", "", { r: place, s: this.#style({ style }) });
        break;
      case "text":
        this.#text(cell, place, index, style);
        break;
      case "date":
        this.#date(cell.date, place, index, style);
        break;
      case "number":
        this.#value(cell, this.#numberAttributes(cell, place, index, style));
        break;
      case "formula":
        this.#value(cell, this.#numberAttributes(cell, place, index, style), range);
        break;
      case "picture":
        this.#picture(cell, place, index, row, range);
        break;
    }
  }

  #text(cell: TextCell, place: string, index: number, style: CellStyle | undefined): void {
    const { text, link } = cell;
    const { align } = this.#sheet.columns[index] ?? {};
    const isLink = link !== undefined && this.links.add(place, link);
    this.#textCell(cellText(text), place, {
      style: style ?? (isLink ? "link" : undefined),
      align,
      wrap: this.#isWrapped(cell, index, style),
    });
  }

  #textCell(text: string, place: string, format: CellFormat): void {
    this.#writer.open("c", { r: place, s: this.#style(format), t: "inlineStr" });
    this.#writer.open("is");
    this.#writer.element("t", escapedCellText(this.#fitting(text, place)), { "xml:space": "preserve" });
    this.#writer.close();
    this.#writer.close();
  }

  #date(date: string, place: string, index: number, style: CellStyle | undefined): void {
    const number = dayNumber(date);
    if (number === undefined) {
      this.#text({ kind: "text", text: date }, place, index, style);
      return;
    }
    const align = this.#sheet.columns[index]?.align ?? "left";
    const s = this.#style({ style, align, number: this.#context.formats.date });
    this.#value({ kind: "number", value: String(number) }, { r: place, s });
  }

  #numberAttributes(
    { value, format }: NumberCell | FormulaCell,
    place: string,
    index: number,
    style: CellStyle | undefined,
  ): XmlAttributes {
    const { align } = this.#sheet.columns[index] ?? {};
    return { r: place, s: this.#style({ style, align, number: this.#context.formats.code(format, value) }) };
  }

  #value(cell: NumberCell | FormulaCell, attributes: XmlAttributes, range?: TableRange): void {
    this.#writer.open("c", attributes);
    if (cell.kind === "formula" && range !== undefined) {
      const { formula } = cell;
      this.#writer.element("f", typeof formula === "string" ? formula : formula(range));
    }
    this.#writer.element("v", fileNumber(cell.value, cell.format));
    this.#writer.close();
  }

  #picture(cell: PictureCell, place: string, index: number, row: Row, { row: number }: TableRange): void {
    const style = cell.style ?? row.style;
    if (style !== undefined) this.#writer.element("c", "", { r: place, s: this.#style({ style }) });
    this.pictures.push({
      asset: cell.asset,
      description: cell.description,
      row: number,
      column: this.#layout.firstColumn + index,
      height: this.#heightOf(row),
    });
  }

  #fitting(text: string, place: string): string {
    if (text.length <= longestText) return text;
    this.#context.suppress({
      id: "spreadsheet-value-changed",
      message: `A text of ${text.length} characters in ${place} of "${this.#sheet.name}" is cut: a cell has room for ${longestText}.`,
      scope: "WARN",
      additionalInformation: { sheet: this.#sheet.name, cell: place },
    });
    return cutText(text, longestText);
  }

  #style(format: CellFormat): number {
    return this.#context.styles.index(format);
  }

  /** In points. */
  #heightOf(row: Row): number {
    return statedHeight(row) ?? this.#fittedHeight(row) ?? defaultPictureHeight;
  }

  /** Undefined for a row of one line. */
  #fittedHeight({ cells, style }: Row): number | undefined {
    let lines = 1;
    let hasPicture = false;
    for (const [index, cell] of cells.entries()) {
      if (cell?.kind === "picture") hasPicture = true;
      if (cell?.kind !== "text" || !this.#isWrapped(cell, index, cell.style ?? style)) continue;
      const scale = (cell.style ?? style) === undefined ? 1 : boldScale;
      lines = Math.max(lines, linesOf(cell.text, { width: this.#widths[index] ?? 1, scale }));
    }
    const height = heightOfLines(lines);
    return hasPicture ? Math.max(height ?? 0, defaultPictureHeight) : height;
  }

  #isWrapped({ text }: TextCell, index: number, style: CellStyle | undefined): boolean {
    if (style === "title") return false;
    return this.#sheet.columns[index]?.wrap === true || /[\r\n]/.test(text);
  }
}

function statedHeight({ height }: Row): number | undefined {
  return height === undefined ? undefined : Math.min(Math.max(height, 1), highestRow);
}
