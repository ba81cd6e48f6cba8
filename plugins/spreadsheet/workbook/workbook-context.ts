/** What the parts of one workbook share while it is written. */
import type { Suppression } from "@slipway/sdk";
import type { NumberFormats } from "./number-formats.js";
import type { Styles } from "./styles.js";

/** Where pictures come from, and who hears what could not be written as it was. */
export interface WorkbookContext {
  /** The bytes of an asset, asked for one at a time; `session.asset` is one. */
  asset(key: string): Promise<Uint8Array | undefined>;
  suppress(suppression: Suppression): void;
  /** Ends the writing: the content then ends with its reason. */
  signal: AbortSignal;
}

/** The styles and formats that the sheets of one workbook have in common. */
export interface SheetContext {
  readonly styles: Styles;
  readonly formats: NumberFormats;
  suppress(suppression: Suppression): void;
}
