/** Reads what the spreadsheet plugin writes, with a reader that is not its own. */
import { type CellValue, parseCsv, readXlsx, type Sheet } from "hucre";
import { calculated } from "./spreadsheet-formulas.js";

/** A row by the names of its columns; empty cells are missing. */
export type TableRow = Readonly<Record<string, CellValue>>;

/** One sheet of a workbook. */
export class BookSheet {
  readonly name: string;

  constructor(readonly sheet: Sheet) {
    this.name = sheet.name;
  }

  /** Names of the columns of the table whose header begins at this place, counted from 1. */
  columns(row = 1, column = 1): string[] {
    return (this.sheet.rows[row - 1] ?? []).slice(column - 1).map((value) => String(value ?? ""));
  }

  /** Rows of that table. */
  table(row = 1, column = 1): TableRow[] {
    const names = this.columns(row, column);
    return this.sheet.rows.slice(row).map((cells) => record(names, cells.slice(column - 1)));
  }

  /** Row number, from 1, of the row that begins with a text in a column counted from 1. */
  rowOf(text: string, column = 1): number {
    const index = this.sheet.rows.findIndex((cells) => cells[column - 1] === text);
    if (index < 0) throw new Error(`${this.name}: no row begins with "${text}"`);
    return index + 1;
  }

  /** All formulas. */
  formulas(): string[] {
    return [...(this.sheet.cells ?? [])].flatMap(([, { formula }]) => formula ?? []);
  }

  /** Formulas that give something else than what stands in their cell. */
  wrongFormulas(): string[] {
    const read = (row: number, column: number) => this.sheet.rows[row]?.[column];
    return [...(this.sheet.cells ?? [])].flatMap(([key, { formula }]) => {
      if (formula === undefined) return [];
      const [row = 0, column = 0] = key.split(",").map(Number);
      const value = calculated(formula, read);
      const shown = read(row, column);
      const isRight = typeof shown === "number" && Math.abs(value - shown) < 1e-6;
      return isRight ? [] : [`${this.name} ${key}: ${formula} is ${value}, not ${shown}`];
    });
  }

  /** All texts and numbers. */
  values(): CellValue[] {
    return this.sheet.rows.flat().filter((value) => value !== null);
  }
}

/** The sheets of a workbook by name. */
export async function readBook(bytes: Uint8Array): Promise<BookSheet[]> {
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  return sheets.map((sheet) => new BookSheet(sheet));
}

/** A CSV file: its columns and its rows. */
export interface ReadCsv {
  columns: string[];
  rows: Readonly<Record<string, string>>[];
}

export function readCsv(text: string, delimiter: string): ReadCsv {
  const [columns = [], ...rows] = parseCsv(text, { delimiter, typeInference: false }).map((cells) =>
    cells.map((value) => String(value ?? "")),
  );
  return {
    columns,
    rows: rows.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""]))),
  };
}

function record(names: readonly string[], cells: readonly CellValue[]): TableRow {
  return Object.fromEntries(
    names.flatMap((name, index): [string, CellValue][] => {
      const value = cells[index] ?? null;
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
}
