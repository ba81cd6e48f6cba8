/** Cells as fields of a CSV file. */
import type { Cell } from "../workbook/sheet.js";
import type { CsvFormat } from "./csv-format.js";

/**
 * What spreadsheet programs would take for a formula, the last four signs being full-width forms of the first; some of them
 * drop blanks and invisible characters before it.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/**
 * The text of a cell. Numbers have the decimal sign of the locale and no grouping, percentages are those of 100, dates are
 * ISO dates. A text that a spreadsheet program would calculate gets an apostrophe before it; numbers of this file never do.
 */
export function csvField(cell: Cell | undefined, { decimalSign }: CsvFormat): string {
  switch (cell?.kind) {
    case undefined:
    case "picture":
      return "";
    case "text":
      return csvText(cell.text);
    case "date":
      return csvText(cell.date);
    case "number":
    case "formula":
      return cell.value.replace(".", decimalSign);
  }
}

/** A text that nothing calculates. */
export function csvText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}
