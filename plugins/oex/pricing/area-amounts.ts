/** What a sheet says of one area, read into the parts that a document knows. */
import { Exact, type Texts } from "@slipway/sdk";
import type { PriceArea } from "../document/frames.js";

/** A discount or surcharge: below zero it is a discount. */
export interface Step {
  /** Level and counter: the same condition in all sheets. */
  key: string;
  level: number;
  counter: number;
  /** Level whose value it is a percentage of; undefined: of what is left. */
  from: number | undefined;
  /** Empty where a sheet does not tell what changed its value. */
  conditionType: string;
  label: Texts;
  value: Exact;
  /** In percent. */
  rate: Exact | undefined;
  /** What the sheet states for one unit. */
  unitValue: Exact | undefined;
  /** A tax that is no percentage. */
  charge: boolean;
}

/** A percent tax that an item has. */
export interface ItemTax {
  /** Type, category and rate. */
  key: string;
  type: string;
  category: string | undefined;
  rate: Exact;
  value: Exact;
}

/** Totals of the document's quantity, with two decimals: the lines lead from `gross` to `net` to `changed`. */
export interface AreaAmounts {
  area: PriceArea;
  /** A price is stated, be it 0.00. */
  priced: boolean;
  gross: Exact;
  /** Discounts and surcharges of the item that are not zero, in order of calculation. */
  steps: Step[];
  /** Before discounts of the header. */
  net: Exact;
  /** Its part of the header's discounts and surcharges, and charges by weight and the like. */
  changes: Step[];
  /** After them. */
  changed: Exact;
  /** Eco contribution and the like; part of `changes`. */
  charge: Exact;
  taxes: ItemTax[];
  /** What the session adds after the taxes, such as the rounding of the total. */
  late: Exact;
  /** The quantity that the price is for; undefined: one. */
  priceUnit: string | undefined;
  /** Gross price of one unit as the sheet states it, not rounded. */
  unitGross: Exact | undefined;
}

export const nothing: Exact = new Exact(0);

/** An item without a price. */
export function noAmounts(area: PriceArea): AreaAmounts {
  return amountsOf({ area, priced: false, net: nothing, steps: [], changes: [], taxes: [], late: nothing });
}

export interface GivenAmounts {
  area: PriceArea;
  priced: boolean;
  net: Exact;
  steps: readonly Step[];
  changes: readonly Step[];
  taxes: ItemTax[];
  late: Exact;
  priceUnit?: string | undefined;
  unitGross?: Exact | undefined;
}

/**
 * Amounts as they are written. The gross price is what the discounts leave the net price of, so that the lines always
 * add up. Amounts of currencies with more than two decimals are rounded here.
 */
export function amountsOf(given: GivenAmounts): AreaAmounts {
  const steps = roundedSteps(given.steps);
  const changes = roundedSteps(given.changes);
  const net = cents(given.net);
  return {
    area: given.area,
    priced: given.priced,
    gross: net.minus(total(steps)),
    steps,
    net,
    changes,
    changed: net.plus(total(changes)),
    charge: total(changes.filter(({ charge }) => charge)),
    taxes: given.taxes,
    late: given.late,
    priceUnit: given.priceUnit,
    unitGross: given.unitGross,
  };
}

/** What about the amounts has no place in the format, which knows no signs. */
export type Unwritable = "net" | "gross" | undefined;

/**
 * The amounts that can be written (OEX reference, section 20). With a negative net value the item counts as one without
 * a price, in the header as well; a negative gross price is replaced by the net price, without discounts.
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

/** With two decimals, half away from zero (OEX reference, section 15.4). */
export function cents(value: Exact): Exact {
  return value.toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

export function total(steps: readonly Step[]): Exact {
  return steps.reduce((sum, { value }) => sum.plus(value), nothing);
}

function roundedSteps(steps: readonly Step[]): Step[] {
  return steps
    .map((step) => (step.value.decimalPlaces() > 2 ? { ...step, value: cents(step.value) } : step))
    .filter(({ value }) => !value.isZero());
}
