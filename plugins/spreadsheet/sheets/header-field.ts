import type { Cell } from "../workbook/sheet.js";

/** One thing that a project says of itself. */
export interface HeaderField {
  section: string;
  field: string;
  content: Cell;
}
