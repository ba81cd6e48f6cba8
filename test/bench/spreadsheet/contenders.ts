/**
 * Who writes the same cells: the plugin's writer, and the library below it alone. Uses the part itself: only writing is
 * measured, without a project and without HTTP.
 */
import { Writable } from "node:stream";
import ExcelJS from "@jsreport/exceljs";
import type { Cell, Column, Row } from "../../../plugins/spreadsheet/workbook/sheet.js";
import { sheetLayout, tableRange } from "../../../plugins/spreadsheet/workbook/sheet-layout.js";
import { writeWorkbook } from "../../../plugins/spreadsheet/workbook/write-workbook.js";
import { shownPicture } from "../../plugins/shown-picture.js";
import { benchmarkPicture } from "./benchmark-rows.js";

/** A table to write. */
export interface Table {
  columns: readonly Column[];
  rows: AsyncIterable<Row>;
}

export const contenders = { writer: byWriter, library: byLibrary };
export type Contender = keyof typeof contenders;

const created = new Date("2026-03-02T09:30:00Z");

/** Bytes that came out. */
async function byWriter({ columns, rows }: Table): Promise<number> {
  const content = writeWorkbook(
    { sheets: [{ name: "Articles", columns, rows }], title: "Benchmark", created, locale: "de_DE" },
    {
      picture: async (key) => shownPicture(benchmarkPicture(key)),
      leaveOut: (key) => {
        throw new Error(key);
      },
      suppress: ({ message }) => {
        throw new Error(message);
      },
      signal: new AbortController().signal,
    },
  );
  let bytes = 0;
  for await (const chunk of content) bytes += chunk.length;
  return bytes;
}

/** The same cells by the shortest way that the library has; without pictures. */
async function byLibrary({ columns, rows }: Table): Promise<number> {
  let bytes = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    useSharedStrings: false,
  });
  const sheet = workbook.addWorksheet("Articles");
  const layout = sheetLayout({ name: "Articles", columns, rows });
  if (layout.headerRow !== undefined) sheet.addRow(columns.map(({ header }) => header)).commit();
  let count = 0;
  for await (const { cells } of rows) {
    const range = tableRange(layout, layout.firstTableRow + count, count);
    const row = sheet.addRow(cells.map((cell) => libraryValue(cell, range)));
    for (const [index, cell] of cells.entries()) {
      if (cell?.kind === "number" || cell?.kind === "formula")
        row.getCell(index + 1).numFmt = "#,##0.00\\ [$€-407]";
      if (cell?.kind === "date") row.getCell(index + 1).numFmt = "[$-407]dd.mm.yyyy";
    }
    row.commit();
    count++;
    // Nothing else lets it write what it has.
    if (count % 500 === 0) await new Promise(setImmediate);
  }
  sheet.commit();
  await workbook.commit();
  return bytes;
}

function libraryValue(cell: Cell | undefined, range: ReturnType<typeof tableRange>): ExcelJS.CellValue {
  switch (cell?.kind) {
    case "text":
      return cell.text;
    case "number":
      return Number(cell.value);
    case "formula": {
      const formula = typeof cell.formula === "string" ? cell.formula : cell.formula(range);
      return { formula, result: Number(cell.value), date1904: false };
    }
    case "date":
      return new Date(`${cell.date}T00:00:00Z`);
    default:
      return null;
  }
}
