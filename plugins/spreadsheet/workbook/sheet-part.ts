/** The part of one sheet, as text that comes when it is asked for. */
import { RequestError, StreamingXmlWriter } from "@slipway/sdk";
import { cellAddress, mostRows } from "./addresses.js";
import { columnPixels, columnWidths } from "./column-widths.js";
import { type PlacedPicture, RowWriter } from "./row-writer.js";
import type { Cell, Row, Sheet } from "./sheet.js";
import { writeFoot, writeHead } from "./sheet-frame.js";
import { type SheetLayout, sheetLayout, tableRange } from "./sheet-layout.js";
import type { SheetLinks } from "./sheet-links.js";
import type { SheetContext } from "./workbook-context.js";

/** So many rows decide how wide columns are. */
const rowsForWidths = 200;
const piece = 32 * 1024;

/** The id of a drawing's relationship. */
export const drawingRelationship = "drawing1";

/** Writes one sheet; all but its layout is known when its content has been read. */
export class SheetPart {
  readonly name: string;
  readonly layout: SheetLayout;
  readonly #sheet: Sheet;
  readonly #writer = new StreamingXmlWriter({ declaration: true });
  readonly #rows: RowWriter;
  #nextRow: number;
  /** Rows of the table so far. */
  #tableRows = 0;
  #widths: number[] = [];
  #filter: string | undefined;

  /** @throws RangeError when the sheet has no columns, or no room for them. */
  constructor(sheet: Sheet, name: string, context: SheetContext) {
    this.name = name;
    this.layout = sheetLayout(sheet);
    this.#sheet = sheet;
    this.#rows = new RowWriter(this.#writer, sheet, this.layout, context);
    this.#nextRow = this.layout.firstRow;
  }

  get pictures(): readonly PlacedPicture[] {
    return this.#rows.pictures;
  }

  get links(): SheetLinks {
    return this.#rows.links;
  }

  /** The range with the filter, such as "A1:F20". */
  get filter(): string | undefined {
    return this.#filter;
  }

  /** Pixels of a column, which counts from 1. */
  columnPixels(column: number): number {
    return columnPixels(this.#widths[column - this.layout.firstColumn] ?? 0);
  }

  /**
   * The XML in pieces; the next rows are asked for when a piece has been taken.
   * @throws RequestError 422 when there are more rows than a sheet can hold.
   */
  async *content(isFirst: boolean): AsyncGenerator<string> {
    const { columns, filter = false, lead = [], print = {}, totals } = this.#sheet;
    const rows = this.#sheet.rows[Symbol.asyncIterator]();
    try {
      const first = await firstRows(rows);
      this.#widths = columnWidths(columns, { rows: first, filter });
      this.#rows.begin(this.#widths);
      writeHead(this.#writer, this.#sheet, {
        layout: this.layout,
        widths: this.#widths,
        rows: first,
        isFirst,
      });
      for (const row of lead) this.#write(row);
      this.#writeHeader(first);
      for (const row of first) yield* this.#tableRow(row);
      if (first.length === rowsForWidths) {
        for (let next = await rows.next(); next.done !== true; next = await rows.next())
          yield* this.#tableRow(next.value);
      }
    } finally {
      await rows.return?.();
    }
    const lastTableRow = this.#nextRow - 1;
    for await (const row of totals?.() ?? []) {
      this.#write(row);
      yield* this.#full();
    }
    this.#writeFoot(print, filter ? lastTableRow : undefined);
    yield this.#writer.take();
  }

  *#tableRow(row: Row): Generator<string> {
    this.#write(row);
    this.#tableRows++;
    yield* this.#full();
  }

  *#full(): Generator<string> {
    if (this.#writer.length >= piece) yield this.#writer.take();
  }

  #write(row: Row): void {
    if (this.#nextRow > mostRows) {
      throw new RequestError({
        id: "spreadsheet-too-many-rows",
        code: 422,
        message: `The sheet "${this.name}" has more than the ${mostRows} rows that a sheet can hold; choose fewer items, or CSV.`,
        additionalInformation: { sheet: this.name, rows: mostRows },
      });
    }
    this.#rows.write(row, tableRange(this.layout, this.#nextRow, this.#tableRows));
    this.#nextRow++;
  }

  #writeHeader(rows: readonly Row[]): void {
    if (this.layout.headerRow === undefined) return;
    this.#rows.writeHeader(
      this.layout.headerRow,
      this.#sheet.columns.map((_, index) => rows.some(({ cells }) => isNumber(cells[index]))),
    );
    this.#nextRow++;
  }

  #writeFoot(print: Parameters<typeof writeFoot>[1], lastFiltered: number | undefined): void {
    const { headerRow, firstColumn, lastColumn } = this.layout;
    if (lastFiltered !== undefined && headerRow !== undefined && lastFiltered > headerRow) {
      this.#filter = `${cellAddress(headerRow, firstColumn)}:${cellAddress(lastFiltered, lastColumn)}`;
    }
    writeFoot(this.#writer, print, {
      layout: this.layout,
      lastRow: this.#nextRow - 1,
      filter: this.#filter,
      links: this.links,
      drawing: this.pictures.length > 0 ? drawingRelationship : undefined,
    });
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
