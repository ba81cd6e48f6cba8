import type { Session, Suppression } from "@slipway/sdk";
import type { CellStyles } from "./cell-styles.js";
import type { LibraryWorkbook } from "./library-workbook.js";
import type { NumberFormats } from "./number-formats.js";

/** Source of pictures, and receiver of reported changes. */
export interface WorkbookContext {
  /** A picture by its key, requested one at a time; implemented by `session.picture`. */
  picture: Session["picture"];
  /** Hears of a picture that is left out; the reason has no full stop. */
  leaveOut(key: string, reason: string): void;
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
