/** The part of one sheet, generated on demand. */

import { Stream, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Worksheet } from "@jsreport/exceljs";
import { RequestError, StreamingXmlWriter } from "@slipway/sdk";
import { columnPixels, columnWidths } from "./cell-sizes.js";
import { type PlacedPicture, RowWriter } from "./row-writer.js";
import type { Cell, Row, Sheet } from "./sheet.js";
import { cellAddress, mostRows, type SheetLayout, sheetLayout, tableRange } from "./sheet-layout.js";
import { prepareSheet, sheetOptions } from "./sheet-settings.js";
import type { SheetContext } from "./workbook-context.js";

/** End of a sheet's text as the library writes it. */
const end = "</worksheet>";
/** Where the head of a sheet ends and its rows begin. */
const rowsBegin = "<sheetData";

const wrongOrder = /(<pageSetUpPr[^<>]*>)(<outlinePr[^<>]*>)/;

/** Number of rows that determine the column widths. */
const rowsForWidths = 200;

/** The id of a drawing's relationship. */
export const drawingRelationship = "drawing1";

/** Writes one sheet. Pictures, filter and widths are known only after its content is read. */
export class SheetPart {
  readonly name: string;
  readonly layout: SheetLayout;
  readonly #sheet: Sheet;
  readonly #context: SheetContext;
  #nextRow: number;
  /** Number of table rows so far. */
  #tableRows = 0;
  #widths: number[] = [];
  #pictures: readonly PlacedPicture[] = [];
  #filter: string | undefined;

  /** @throws {RangeError} if the sheet has no columns, or no room for them */
  constructor(sheet: Sheet, name: string, context: SheetContext) {
    this.name = name;
    this.layout = sheetLayout(sheet);
    this.#sheet = sheet;
    this.#context = context;
    this.#nextRow = this.layout.firstRow;
  }

  get pictures(): readonly PlacedPicture[] {
    return this.#pictures;
  }

  /** The range with the filter, such as "A1:F20". */
  get filter(): string | undefined {
    return this.#filter;
  }

  /** Width of a column in pixels; columns count from 1. */
  columnPixels(column: number): number {
    return columnPixels(this.#widths[column - this.layout.firstColumn] ?? 0);
  }

  /**
   * The XML in pieces; the next rows are read when a piece has been taken.
   * @throws {RequestError} 422 if there are more rows than a sheet can hold
   */
  async *content(): AsyncGenerator<Uint8Array> {
    const { columns, filter = false, lead = [], totals } = this.#sheet;
    const { layout } = this;
    const rows = this.#sheet.rows[Symbol.asyncIterator]();
    try {
      const first = await firstRows(rows);
      const widths = columnWidths(columns, { rows: first, filter });
      this.#widths = widths;
      const sheet = this.#context.library.addSheet(
        this.name,
        sheetOptions(this.#sheet, { layout, rows: first, widths }),
      );
      const text = new SheetText(sheet);
      prepareSheet(sheet, { widths, layout });
      const writer = new RowWriter(this.#sheet, { sheet, layout, widths }, this.#context);
      this.#pictures = writer.pictures;
      for (const row of lead) this.#write(writer, row);
      this.#writeHeader(writer, first);
      for (const row of first) {
        this.#writeTableRow(writer, row);
        yield* text.take();
      }
      if (first.length === rowsForWidths) {
        for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
          this.#writeTableRow(writer, next.value);
          yield* text.take();
        }
      }
      const lastTableRow = this.#nextRow - 1;
      for await (const row of totals?.() ?? []) {
        this.#write(writer, row);
        yield* text.take();
      }
      if (filter) this.#filter = this.#filterTo(lastTableRow);
      if (this.#filter !== undefined) sheet.autoFilter = this.#filter;
      sheet.commit();
      yield await text.takeLast(this.#lastElements());
    } finally {
      await rows.return?.();
    }
  }

  #writeTableRow(writer: RowWriter, row: Row): void {
    this.#write(writer, row);
    this.#tableRows++;
  }

  #write(writer: RowWriter, row: Row): void {
    if (this.#nextRow > mostRows) {
      throw new RequestError({
        id: "spreadsheet-too-many-rows",
        code: 422,
        message: `The sheet "${this.name}" would have more than ${mostRows} rows, the most that a workbook can hold. Choose fewer items, or CSV.`,
        additionalInformation: { sheet: this.name, rows: mostRows },
      });
    }
    writer.write(row, tableRange(this.layout, this.#nextRow, this.#tableRows));
    this.#nextRow++;
  }

  #writeHeader(writer: RowWriter, rows: readonly Row[]): void {
    if (this.layout.headerRow === undefined) return;
    writer.writeHeader(
      this.layout.headerRow,
      this.#sheet.columns.map((_, index) => rows.some(({ cells }) => isNumber(cells[index]))),
    );
    this.#nextRow++;
  }

  #filterTo(lastRow: number): string | undefined {
    const { headerRow, firstColumn, lastColumn } = this.layout;
    if (headerRow === undefined || lastRow <= headerRow) return undefined;
    return `${cellAddress(headerRow, firstColumn)}:${cellAddress(lastRow, lastColumn)}`;
  }

  #lastElements(): string {
    const { firstRow, firstColumn, lastColumn } = this.layout;
    const last = cellAddress(Math.max(this.#nextRow - 1, firstRow), lastColumn);
    const sqref = `${cellAddress(firstRow, firstColumn)}:${last}`;
    const writer = new StreamingXmlWriter();
    // Article numbers are texts on purpose.
    writer.open("ignoredErrors");
    writer.element("ignoredError", "", { sqref, numberStoredAsText: 1 });
    writer.close();
    if (this.#pictures.length > 0) writer.element("drawing", "", { "r:id": drawingRelationship });
    return writer.take();
  }
}

function isNumber(cell: Cell | undefined): boolean {
  return cell?.kind === "number" || cell?.kind === "formula";
}

async function firstRows(rows: AsyncIterator<Row>): Promise<Row[]> {
  const first: Row[] = [];
  while (first.length < rowsForWidths) {
    const next = await rows.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  return first;
}

/** Collects the blocks that the library writes of a sheet, and passes them on before the next row is written. */
class SheetText {
  #blocks: Buffer[] = [];
  /** All before the rows; undefined once they have begun. */
  #head: Buffer | undefined = Buffer.alloc(0);
  readonly #collector: Writable;

  /** `sheet` must not have rows yet. */
  constructor(sheet: Worksheet) {
    // Sheets of the streaming writer have a `stream`, but the library has no type for it.
    if (!("stream" in sheet) || !(sheet.stream instanceof Stream)) {
      throw new Error("The spreadsheet library does not give the text of its sheets.");
    }
    this.#collector = new Writable({
      write: (block: Buffer, _encoding, done) => {
        this.#add(block);
        done();
      },
    });
    sheet.stream.pipe(this.#collector);
  }

  /** The blocks written since the last call. */
  *take(): Generator<Uint8Array> {
    for (const block of this.#blocks.splice(0)) yield block;
  }

  /** The rest of a committed sheet, with appended elements that the library cannot write. */
  async takeLast(elements: string): Promise<Uint8Array> {
    await finished(this.#collector);
    const text = Buffer.concat(this.#blocks.splice(0)).toString("latin1");
    if (!text.endsWith(end))
      throw new Error(`The spreadsheet library ends a sheet with "${text.slice(-20)}".`);
    return Buffer.from(text.slice(0, -end.length) + elements + end, "latin1");
  }

  #add(block: Buffer): void {
    if (this.#head === undefined) {
      this.#blocks.push(block);
      return;
    }
    this.#head = Buffer.concat([this.#head, block]);
    if (!this.#head.includes(rowsBegin)) return;
    this.#blocks.push(inOrder(this.#head));
    this.#head = undefined;
  }
}

/** The format requires the outline properties before the page properties; Excel rejects other files. */
function inOrder(head: Buffer): Buffer {
  return Buffer.from(head.toString("latin1").replace(wrongOrder, "$2$1"), "latin1");
}
