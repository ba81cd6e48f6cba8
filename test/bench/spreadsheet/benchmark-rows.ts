/**
 * Rows as exports have them: thirty cells of texts, amounts, formulas and days, all different. Uses the part itself, for the
 * types of what its writer takes.
 */
import type { Cell, Column, Row } from "../../../plugins/spreadsheet/workbook/sheet.js";

export const columns: readonly Column[] = Array.from({ length: 30 }, (_, index) => ({
  header: `Column ${index + 1}`,
}));

/** So many rows; with a picture of its own in each, where pictures are wanted. */
export async function* benchmarkRows(count: number, pictures = false): AsyncGenerator<Row> {
  for (let row = 0; row < count; row++) {
    const cells: Cell[] = columns.map((_, column) => cellOf(row, column));
    if (pictures) cells[0] = { kind: "picture", asset: String(row), description: `Article ${row}` };
    yield { cells };
  }
}

function cellOf(row: number, column: number): Cell {
  const value = `${row * 7 + column}.25`;
  const format = { kind: "currency", currency: "EUR" } as const;
  switch (column % 6) {
    case 3:
      return { kind: "number", value, format };
    case 4:
      return {
        kind: "formula",
        formula: (at) => `${at.here(column - 1)}*2`,
        value: `${(row * 7 + column - 1) * 2}.5`,
        format,
      };
    case 5:
      return { kind: "date", date: `2026-03-${String((row % 28) + 1).padStart(2, "0")}` };
    default:
      return { kind: "text", text: `Text ${column} of row ${row}` };
  }
}

const pictureBytes = 20_000;
/** Of a PNG of 300 by 300 points; what follows does not matter to who writes it. */
const pictureHeader = Buffer.from("89504e470d0a1a0a0000000d494844520000012c0000012c0802000000", "hex");

/** A picture of its own for each key. */
export function benchmarkPicture(key: string): Uint8Array {
  const bytes = Buffer.alloc(pictureBytes, key);
  pictureHeader.copy(bytes);
  return bytes;
}
