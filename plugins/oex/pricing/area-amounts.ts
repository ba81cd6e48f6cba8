/** The amounts of a price sheet in one area, by the parts of a document. */
import { Exact, type Texts } from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";

/** A discount (below zero) or surcharge. */
export interface Step {
  /** Level and counter; identifies the same condition in all sheets. */
  key: string;
  level: number;
  counter: number;
  /** Level that the percentage refers to; undefined: the amount before it. */
  from: number | undefined;
  /** Empty if the sheet does not name the condition. */
  conditionType: string;
  label: Texts;
  value: Exact;
  /** In percent. */
  rate: Exact | undefined;
  /** Value of one unit as the sheet states it. */
  unitValue: Exact | undefined;
  /** A tax that is not a percentage. */
  charge: boolean;
}

/** A percentage tax of an item. */
export interface ItemTax {
  /** Type, category and rate. */
  key: string;
  type: string;
  category: string | undefined;
  rate: Exact;
  value: Exact;
}

/** Totals for the document's quantity, with two decimals. The lines lead from `gross` to `net` to `changed`. */
export interface AreaAmounts {
  area: PriceArea;
  /** A price is stated, even if it is 0.00. */
  priced: boolean;
  gross: Exact;
  /** Discounts and surcharges of the item that are not zero, in order of calculation. */
  steps: Step[];
  /** Before discounts of the header. */
  net: Exact;
  /** The item's part of the header's discounts and surcharges, and charges such as those by weight. */
  changes: Step[];
  /** After `changes`. */
  changed: Exact;
  /** Eco contribution and the like; part of `changes`. */
  charge: Exact;
  taxes: ItemTax[];
  /** Amounts after the taxes, such as the rounding of the total. */
  late: Exact;
  /** Quantity that the price refers to; undefined: one. */
  priceUnit: string | undefined;
  /** Gross price of one unit as the sheet states it, not rounded. */
  unitGross: Exact | undefined;
}

export const nothing: Exact = new Exact(0);

/** An item without a price. */
export function noAmounts(area: PriceArea): AreaAmounts {
  return amountsOf({ area, priced: false, net: nothing, steps: [], changes: [], taxes: [], late: nothing });
}

type GivenAmounts = Pick<AreaAmounts, "area" | "priced" | "net" | "taxes" | "late"> &
  Partial<Pick<AreaAmounts, "priceUnit" | "unitGross">> & {
    steps: readonly Step[];
    changes: readonly Step[];
  };

/**
 * Amounts for writing. The gross price is derived from the net price and the discounts, so that the lines always add
 * up. Amounts of currencies with more than two decimals are rounded here.
 */
export function amountsOf(given: GivenAmounts): AreaAmounts {
  const steps = roundedSteps(given.steps);
  const changes = roundedSteps(given.changes);
  const net = cents(given.net);
  return {
    ...given,
    gross: steps.length === 0 ? net : net.minus(total(steps)),
    steps,
    net,
    changes,
    changed: changes.length === 0 ? net : net.plus(total(changes)),
    charge: total(changes.filter(({ charge }) => charge)),
    priceUnit: given.priceUnit,
    unitGross: given.unitGross,
  };
}

/** The negative amount, which the format cannot express because it has no signs. */
export type Unwritable = "net" | "gross" | undefined;

/**
 * The amounts that can be written (OEX reference, section 20). An item with a negative net value counts as one without
 * a price, also in the header. A negative gross price is replaced by the net price without discounts.
 */
export function writable(amounts: AreaAmounts): { amounts: AreaAmounts; unwritable: Unwritable } {
  if (amounts.net.isNegative() && !amounts.net.isZero()) {
    return { amounts: noAmounts(amounts.area), unwritable: "net" };
  }
  if (amounts.gross.isNegative() && !amounts.gross.isZero()) {
    return {
      amounts: { ...amounts, steps: [], gross: amounts.net, unitGross: undefined },
      unwritable: "gross",
    };
  }
  return { amounts, unwritable: undefined };
}

/** Rounds to two decimals, half away from zero (OEX reference, section 15.4). */
export function cents(value: Exact): Exact {
  return value.decimalPlaces() <= 2 ? value : value.toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

export function total(steps: readonly Step[]): Exact {
  return steps.reduce((sum, { value }) => sum.plus(value), nothing);
}

function roundedSteps(steps: readonly Step[]): Step[] {
  return steps
    .map((step) => (step.value.decimalPlaces() > 2 ? { ...step, value: cents(step.value) } : step))
    .filter(({ value }) => !value.isZero());
}
