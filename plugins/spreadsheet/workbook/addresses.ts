/** Cells by the letters and numbers of a sheet. */

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
