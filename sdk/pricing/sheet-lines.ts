/** Reading sheets: lines with what the procedure says of them, values by tag, unit prices. */

import { Exact } from "../exact.js";
import type { Money, PricingProcedure, ProcedureLine, Sheet, SheetLine } from "../project/document.js";
import { compileProcedure, type Section } from "./compiled-procedure.js";
import { type HalfWay, Rounding } from "./rounding.js";

/** A line of a sheet and the procedure line that it belongs to: tags and print control are on that one only. */
export interface JoinedLine {
  /** The line of the sheet. */
  readonly line: SheetLine;
  /** Undefined on sheets that came from outside and do not fit the procedure. */
  readonly procedureLine: ProcedureLine | undefined;
  /** Those of the procedure line, such as "DISCOUNT" or "ITEM_NET_VALUE". */
  readonly tags: readonly string[];
  /** The line counts: it has data, and no subsequent price replaces it. */
  readonly active: boolean;
}

export type { Section } from "./compiled-procedure.js";

/** The lines in order, joined by level and counter, else with counter 0 of the level. */
export function joinLines(sheet: Sheet, procedure: PricingProcedure): JoinedLine[] {
  const compiled = compileProcedure(procedure);
  return sheet.lines.map((line) => {
    const procedureLine = compiled.find(line.level, line.counter)?.line;
    return {
      line,
      procedureLine,
      tags: procedureLine?.tags ?? [],
      active: line.inactive === undefined || line.inactive.length === 0,
    };
  });
}

/** The active lines with a tag, such as "DISCOUNT" or "VAT". */
export function linesWithTag(sheet: Sheet, procedure: PricingProcedure, tag: string): JoinedLine[] {
  return joinLines(sheet, procedure).filter(({ active, tags }) => active && tags.includes(tag));
}

/** The values of the active lines with a tag, such as "NET_VALUE", added up; undefined when there is none. */
export function valueOfTag(sheet: Sheet, procedure: PricingProcedure, tag: string): Money | undefined {
  const values = linesWithTag(sheet, procedure, tag).flatMap(({ line }) => line.value ?? []);
  const [first, ...others] = values;
  if (first === undefined || others.length === 0) return first;
  const total = others.reduce((sum, { value }) => sum.plus(value), new Exact(first.value));
  const rounding = new Rounding(first.currency, "0", procedure.halfWay);
  return { value: rounding.statedText(total), currency: first.currency };
}

/**
 * The price of one unit: `total` by `quantity`, rounded. Reports, workbooks and exports print unit prices that this
 * function gives, with the rounding of the procedure. Undefined for a quantity of zero.
 */
export function perUnit(total: Exact, quantity: Exact | string, rounding: Rounding): Exact | undefined {
  const count = new Exact(quantity);
  return count.isZero() ? undefined : rounding.round(total.div(count));
}

/**
 * The price of one unit: the amount that the line states, else its value divided by the quantity of the sheet. A half of
 * the smallest amount goes where the procedure says; a call without one cannot know, and takes the even neighbour.
 */
export function unitPrice(
  line: SheetLine,
  sheet: Sheet,
  procedure?: Pick<PricingProcedure, "halfWay">,
): Money | undefined {
  const halfWay = procedure?.halfWay ?? "even";
  if (line.amount?.kind === "money") {
    const { value, currency } = line.amount;
    const per = line.qtyRelation?.value ?? "1";
    return new Exact(per).eq(1) ? { value, currency } : quotient({ value, currency }, per, halfWay);
  }
  return line.value === undefined || sheet.quantity === undefined
    ? undefined
    : quotient(line.value, sheet.quantity.value, halfWay);
}

/** A price after the discounts of its item. */
export interface NetPrice {
  /** Of one unit, rounded; undefined for a quantity of zero. */
  unit: Money | undefined;
  /** Of the whole quantity. */
  total: Money;
}

/** Net price of an item before header discounts, rounded as the procedure says; undefined when the item has no price at all, not even 0.00. */
export function netPrice(sheet: Sheet, procedure: PricingProcedure): NetPrice | undefined {
  if (!hasPrice(sheet, procedure)) return undefined;
  const net = linesWithTag(sheet, procedure, "ITEM_NET_VALUE")[0]?.line;
  if (net?.value === undefined) return undefined;
  return { unit: unitPrice(net, sheet, procedure), total: net.value };
}

/** Whether a sales price (in a sum: of any part) is behind the net value. */
function hasPrice(sheet: Sheet, procedure: PricingProcedure): boolean {
  const { types, sectionOf } = compileProcedure(procedure);
  return joinLines(sheet, procedure).some(
    ({ active, line, procedureLine }) =>
      active &&
      line.value !== undefined &&
      procedureLine !== undefined &&
      types.get(procedureLine.conditionType ?? "")?.conditionClass === "price" &&
      sectionOf(procedureLine.level) === "sales",
  );
}

/**
 * Breaks divide a procedure. The part with the net value is about sales, a part before it about purchase, one after it
 * sums up.
 */
export function sectionOf(line: ProcedureLine, procedure: PricingProcedure): Section {
  return compileProcedure(procedure).sectionOf(line.level);
}

/** Whether a document may show the line; a procedure marks those that it may not with "INVISIBLE". */
export function isVisible(line: Pick<JoinedLine, "tags">): boolean {
  return !line.tags.includes("INVISIBLE");
}

function quotient({ value, currency }: Money, quantity: string, halfWay: HalfWay): Money | undefined {
  const rounding = new Rounding(currency, "0", halfWay);
  const price = perUnit(new Exact(value), quantity, rounding);
  return price && { value: rounding.text(price), currency };
}
