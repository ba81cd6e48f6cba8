/** What the parts of one workbook share while it is written. */
import type { Suppression } from "@slipway/sdk";
import type { CellStyles } from "./cell-styles.js";
import type { LibraryWorkbook } from "./library-workbook.js";
import type { NumberFormats } from "./number-formats.js";

/** Where pictures come from, and who hears what could not be written as it was. */
export interface WorkbookContext {
  /** The bytes of an asset, asked for one at a time; `session.asset` is one. */
  asset(key: string): Promise<Uint8Array | undefined>;
  suppress(suppression: Suppression): void;
  /** Ends the writing: the content then ends with its reason. */
  signal: AbortSignal;
}

/** What the sheets of one workbook have in common. */
export interface SheetContext {
  readonly library: LibraryWorkbook;
  readonly styles: CellStyles;
  readonly formats: NumberFormats;
  suppress(suppression: Suppression): void;
}
