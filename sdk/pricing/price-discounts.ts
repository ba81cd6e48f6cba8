/** Converts discounts stated in articles to condition records of a procedure. */

import { zero } from "../locale/exact.js";
import type {
  Amount,
  ConditionRecord,
  ConditionType,
  PricingProcedure,
  ProcedureLine,
  ProductPrice,
} from "../project/document.js";
import { sortedLines } from "./procedures.js";

/** The tags of procedure lines for such discounts. */
const tags = { purchase: "PURCHASE_DISCOUNT", sales: "DISCOUNT" } as const;

/** The discounts of one item at their lines, and those without a line in the procedure. */
export interface PlacedDiscounts {
  records: ConditionRecord[];
  homeless: { side: ProductPrice["side"]; amount: Amount }[];
}

/** Finds the procedure lines for the discounts of items. */
export class DiscountLines {
  private readonly lines: { line: ProcedureLine; type: ConditionType }[];

  constructor(private readonly procedure: PricingProcedure) {
    const types = new Map(procedure.conditionTypes.map((type) => [type.name, type]));
    this.lines = sortedLines(procedure).flatMap((line) => {
      const type = types.get(line.conditionType ?? "");
      return type?.conditionClass === "priceModifier" && !type.header ? [{ line, type }] : [];
    });
  }

  /**
   * Each discount gets the first line after the previous discount's line that is for discounts of its side,
   * supports its kind of amount, and is not `taken` ("210.0") by a record of the item. This keeps discounts
   * in order.
   */
  place(
    itemId: string,
    prices: readonly ProductPrice[],
    isTaken: (level: number, counter: number) => boolean,
  ): PlacedDiscounts {
    const placed: PlacedDiscounts = { records: [], homeless: [] };
    for (const { side, discounts = [], perQuantity } of prices) {
      let from = 0;
      for (const { amount, label } of discounts) {
        const rule = amount.kind === "percentage" ? "percent" : "quantity";
        const value = zero.minus(amount.value);
        const otherSign = value.isNegative() ? "positive" : "negative";
        const index = this.lines.findIndex(
          ({ line, type }, place) =>
            place >= from &&
            line.tags.includes(tags[side]) &&
            type.rule === rule &&
            type.sign !== otherSign &&
            !isTaken(line.level, line.counter),
        );
        const found = this.lines[index]?.line;
        if (found === undefined) {
          placed.homeless.push({ side, amount });
          continue;
        }
        from = index + 1;
        const record: ConditionRecord = {
          scheme: this.procedure.name,
          itemId,
          level: found.level,
          counter: found.counter,
          amount: { ...amount, value: value.toFixed() },
        };
        if (label !== undefined) record.label = label;
        if (perQuantity !== undefined && amount.kind === "money") record.perQuantity = perQuantity;
        placed.records.push(record);
      }
    }
    return placed;
  }
}
