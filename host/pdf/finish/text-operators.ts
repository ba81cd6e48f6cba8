/** Operators of a page's content that say which text is where. */
import { operatorCode } from "@slipway/sdk/runtime/pdf";

export const fontChoice = operatorCode("Tf");
export const markWithProperties = operatorCode("BDC");
export const plainMark = operatorCode("BMC");
export const endOfMark = operatorCode("EMC");
/** Operators that show text. */
export const showing = new Set(["Tj", "TJ", "'", '"'].map(operatorCode));
