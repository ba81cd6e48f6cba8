/** Which lines the configuration hides (OEX reference, section 15.5). */
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { PriceArea } from "../document/frames.js";

type HideFlags = Pick<
  ExportConfiguration,
  "hideDiscounts" | "hideHeaderDiscounts" | "hidePurchaseDiscounts" | "hideSalesDiscounts"
>;

/**
 * Hidden discounts take the lines with them that would reveal them, and these are all that refer to them: no line that
 * stays loses its base.
 */
export interface HiddenLines {
  /** `SGRO`, `TGRO`, `DISI`, `SURI`. */
  discounts: boolean;
  /** `DISH`, `SURH`. */
  headerDiscounts: boolean;
}

export function hiddenLines(area: PriceArea, flags: HideFlags): HiddenLines {
  const ofArea = area === "P" ? flags.hidePurchaseDiscounts : flags.hideSalesDiscounts;
  const discounts = flags.hideDiscounts || ofArea;
  return { discounts, headerDiscounts: discounts || flags.hideHeaderDiscounts };
}
