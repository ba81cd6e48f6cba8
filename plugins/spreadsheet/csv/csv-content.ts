/** Sheets as CSV: UTF-8 with byte order mark, lines end with CR LF. */
import { stringify } from "csv-stringify/sync";
import type { Row, Sheet } from "../workbook/sheet.js";
import { csvField, csvText } from "./csv-fields.js";
import type { CsvFormat } from "./csv-format.js";

const byteOrderMark = "\ufeff";

/** Lines that become one piece of the file. */
const linesAtOnce = 200;

/** The table of a sheet with its header and its totals, piece by piece; where the sheet starts in a workbook is of no account. */
export async function* csvContent(sheet: Sheet, format: CsvFormat): AsyncGenerator<string> {
  const write = (lines: readonly string[][]): string =>
    stringify([...lines], {
      delimiter: format.separator,
      record_delimiter: "windows",
      quote_record_delimiter: true,
    });
  yield byteOrderMark;
  let lines = [sheet.columns.map(({ header }) => csvText(header ?? ""))];
  for await (const { cells } of allRows(sheet)) {
    lines.push(sheet.columns.map((_, index) => csvField(cells[index], format)));
    if (lines.length < linesAtOnce) continue;
    yield write(lines);
    lines = [];
  }
  if (lines.length > 0) yield write(lines);
}

async function* allRows(sheet: Sheet): AsyncGenerator<Row> {
  yield* sheet.rows;
  if (sheet.totals !== undefined) yield* sheet.totals();
}
