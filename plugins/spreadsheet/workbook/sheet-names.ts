/** Names that sheets may have. */
import { cutText, plainText } from "./cell-text.js";

const longestName = 31;

/** Gives each sheet of one workbook a name of its own. */
export class SheetNames {
  /** Excel keeps "History" for itself. */
  readonly #taken = new Set(["history"]);

  /** The name without what is not allowed, at most 31 UTF-16 units long, with a number where it is there already. */
  unique(name: string): string {
    const clean = plainText(name)
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/\s+/g, " ");
    const wanted = trimmed(cutText(trimmed(clean), longestName)) || "Sheet";
    let unique = wanted;
    for (let number = 2; this.#taken.has(folded(unique)); number++) {
      const suffix = ` (${number})`;
      unique = `${trimmed(cutText(wanted, longestName - suffix.length))}${suffix}`;
    }
    this.#taken.add(folded(unique));
    return unique;
  }
}

/** A sheet's name in a reference. */
export function quotedSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Neither begins nor ends with blanks or an apostrophe. */
function trimmed(name: string): string {
  return /[^\s'](?:.*[^\s'])?/s.exec(name)?.[0] ?? "";
}

/** The same for names that differ in case alone. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

// Cells by the letters and numbers of a sheet.

/** What a sheet of the format can hold. */
export const mostRows = 1_048_576;
export const mostColumns = 16_384;

/** The letters of a column that counts from 1: 1 is "A", 28 is "AB". */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** "C7" of row 7 and column 3. */
export function cellAddress(row: number, column: number): string {
  return `${columnLetters(column)}${row}`;
}
