import type { Suppression } from "@slipway/sdk";
import type { CellStyles } from "./cell-styles.js";
import type { LibraryWorkbook } from "./library-workbook.js";
import type { NumberFormats } from "./number-formats.js";

/** Source of pictures, and receiver of reported changes. */
export interface WorkbookContext {
  /** The bytes of an asset, requested one at a time; implemented by `session.asset`. */
  asset(key: string): Promise<Uint8Array | undefined>;
  suppress(suppression: Suppression): void;
  /** Aborts writing: the content then fails with the signal's reason. */
  signal: AbortSignal;
}

/** State shared by the sheets of one workbook. */
export interface SheetContext {
  readonly library: LibraryWorkbook;
  readonly styles: CellStyles;
  readonly formats: NumberFormats;
  suppress(suppression: Suppression): void;
}
