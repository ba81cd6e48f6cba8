/**
 * The cells of a workbook that is there already, to write them again. Uses the part itself, for the types of what its writer
 * takes.
 */
import { readFile } from "node:fs/promises";
import { type Cell as ReadCell, readXlsx } from "hucre/xlsx";
import type { Cell, Row } from "../../../plugins/spreadsheet/workbook/sheet.js";
import type { Table } from "./contenders.js";

/** All rows of its sheets, one below the other. */
export async function readTable(file: string): Promise<Table> {
  const { sheets } = await readXlsx(await readFile(file));
  const rows: Row[] = [];
  let width = 1;
  for (const { rows: values, cells } of sheets) {
    for (const [row, ofRow] of values.entries()) {
      width = Math.max(width, ofRow.length);
      rows.push({ cells: ofRow.map((value, column) => cellOf(value, cells?.get(`${row},${column}`))) });
    }
  }
  return { columns: Array.from({ length: width }, () => ({})), rows: oneByOne(rows) };
}

function cellOf(value: unknown, { formula }: Partial<ReadCell> = {}): Cell | undefined {
  if (typeof value === "string") return value === "" ? undefined : { kind: "text", text: value };
  if (value instanceof Date) return { kind: "date", date: value.toISOString().slice(0, 10) };
  if (typeof value !== "number") return undefined;
  const decimal = { value: value.toFixed(4) };
  return formula === undefined ? { kind: "number", ...decimal } : { kind: "formula", formula, ...decimal };
}

async function* oneByOne(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
