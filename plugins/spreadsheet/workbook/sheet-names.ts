/** Valid sheet names and cell addresses. */
import { cutText, plainText } from "./cell-values.js";

const longestName = 31;

/** Assigns unique names to the sheets of one workbook. */
export class SheetNames {
  /** Excel reserves "History". */
  readonly #taken = new Set(["history"]);

  /** The name without forbidden characters, at most 31 UTF-16 units long, with a number if it is taken. */
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

/** A sheet name for use in a reference. */
export function quotedSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Removes leading and trailing blanks and apostrophes. */
function trimmed(name: string): string {
  return /[^\s'](?:.*[^\s'])?/s.exec(name)?.[0] ?? "";
}

/** Equal for names that differ only in case. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

// Cell addresses in letters and numbers.

/** Limits of the format. */
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
