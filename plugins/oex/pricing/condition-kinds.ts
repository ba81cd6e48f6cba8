/** Maps condition types to kinds of discounts and surcharges (OEX reference, section 9.7: `aTypeDis`, `aTypeSur`). */
import type { PricingProcedure } from "@slipway/sdk";
import type { PriceArea } from "../document/frames.js";
import type { Part, ProcedureParts } from "./procedure-parts.js";

/** Whether a condition applies to an item or to the whole document. */
export type ConditionPlace = "item" | "header";

/**
 * Discounts of the standard procedure with a known meaning: the basic discount from the price profile, the first
 * absolute one (special), and the first one on the whole document (volume). The procedure does not define the meaning
 * of the others or of surcharges; they are "other" ones, distinguished by number.
 */
const knownDiscounts: ReadonlyMap<string, string> = new Map([
  ["DIP10", "BD"],
  ["PDIP00", "BD"],
  ["DIA00", "SD"],
  ["PDIA00", "SD"],
  ["HDIP00", "VO"],
]);

/** D1 to D9 and S1 to S9. */
const numbers = 9;

const placeOfPart: Partial<Record<Part, ConditionPlace>> = {
  step: "item",
  change: "header",
  charge: "header",
};

/**
 * Assigns a kind to each condition type, per area and separately for items and header. Numbers follow the order of the
 * procedure's lines, used or not, so that a condition type has the same kind in all documents. From the ninth on,
 * condition types share the last number.
 */
export class ConditionKinds {
  private readonly discounts = new Map<string, string>();
  private readonly surcharges = new Map<string, string>();

  constructor({ lines }: PricingProcedure, { of }: ProcedureParts) {
    const counts = new Map<string, number>();
    const next = (series: string): number => {
      const count = Math.min((counts.get(series) ?? 0) + 1, numbers);
      counts.set(series, count);
      return count;
    };
    for (const line of [...lines].sort((a, b) => a.level - b.level || a.counter - b.counter)) {
      const found = of.get(line);
      const place = found === undefined ? undefined : placeOfPart[found.part];
      if (found === undefined || place === undefined || line.conditionType === undefined) continue;
      const series = `${found.area} ${place}`;
      const key = `${series} ${line.conditionType}`;
      if (this.surcharges.has(key)) continue;
      this.surcharges.set(key, `S${next(`S ${series}`)}`);
      const discount = knownDiscounts.get(line.conditionType) ?? `D${next(`D ${series}`)}`;
      this.discounts.set(key, discount);
    }
  }

  /** Code of a discount (`isDiscount`) or surcharge; the last number for condition types outside the procedure. */
  kindOf(area: PriceArea, place: ConditionPlace, conditionType: string, isDiscount: boolean): string {
    const kinds = isDiscount ? this.discounts : this.surcharges;
    return kinds.get(`${area} ${place} ${conditionType}`) ?? `${isDiscount ? "D" : "S"}${numbers}`;
  }
}
