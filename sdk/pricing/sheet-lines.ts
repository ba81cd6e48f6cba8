/**
 * Reading sheets: lines with what the procedure says of them, values by tag, unit prices, which lines a document shows, and
 * stated prices: an absent price differs from a price of zero.
 */
import { Exact, plus, zero } from "../locale/exact.js";
import type {
  ConditionType,
  Item,
  Money,
  PricingProcedure,
  ProcedureLine,
  Sheet,
  SheetLine,
} from "../project/document.js";
import { type CompiledProcedure, compileProcedure, type Section } from "./compiled-procedure.js";
import { type HalfWay, Rounding } from "./rounding.js";

/** A line of a sheet and its procedure line, which has the tags and the print control. */
export interface JoinedLine {
  /** The line of the sheet. */
  readonly line: SheetLine;
  /** Undefined for external sheets that do not match the procedure. */
  readonly procedureLine: ProcedureLine | undefined;
  /** The tags of the procedure line, such as "DISCOUNT" or "ITEM_NET_VALUE". */
  readonly tags: readonly string[];
  /** Whether the line has data and is not replaced by a subsequent price. */
  readonly active: boolean;
}

export type { Section } from "./compiled-procedure.js";

/** The lines in order, joined by level and counter, or else with counter 0 of the level. */
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

/** The sum of the values of the active lines with a tag, such as "NET_VALUE", if any. */
export function valueOfTag(sheet: Sheet, procedure: PricingProcedure, tag: string): Money | undefined {
  const values = linesWithTag(sheet, procedure, tag).flatMap(({ line }) => line.value ?? []);
  const [first, ...others] = values;
  if (first === undefined || others.length === 0) return first;
  const total = others.reduce((sum, { value }) => sum.plus(value), new Exact(first.value));
  const rounding = Rounding.toUnit(first.currency, procedure);
  return { value: rounding.statedText(total), currency: first.currency };
}

/**
 * The price per unit: `total` divided by `quantity`, rounded. Reports, workbooks and exports print the unit
 * prices of this function, with the rounding of the procedure. Undefined for a quantity of zero.
 */
export function perUnit(total: Exact, quantity: Exact | string, rounding: Rounding): Exact | undefined {
  if (quantity === "1") return rounding.round(total);
  const count = new Exact(quantity);
  return count.isZero() ? undefined : rounding.round(total.div(count));
}

/**
 * The price per unit: the amount in the line, or else its value divided by the quantity of the sheet. Halves
 * are rounded as the procedure says; without a procedure, to the even neighbour.
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
    return per === "1" || new Exact(per).eq(1)
      ? { value, currency }
      : quotient({ value, currency }, per, halfWay);
  }
  return line.value === undefined || sheet.quantity === undefined
    ? undefined
    : quotient(line.value, sheet.quantity.value, halfWay);
}

/** A price after the discounts of its item. */
export interface NetPrice {
  /** Per unit, rounded; undefined for a quantity of zero. */
  unit: Money | undefined;
  /** For the whole quantity. */
  total: Money;
}

/**
 * Net price of an item before header discounts, rounded as the procedure says; undefined if the item has no
 * price, not even 0.00.
 */
export function netPrice(sheet: Sheet, procedure: PricingProcedure): NetPrice | undefined {
  if (!hasPrice(sheet, procedure)) return undefined;
  const net = linesWithTag(sheet, procedure, "ITEM_NET_VALUE")[0]?.line;
  if (net?.value === undefined) return undefined;
  return { unit: unitPrice(net, sheet, procedure), total: net.value };
}

/** Whether the net value is based on a sales price (in a sum: of any part). */
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
 * Breaks divide a procedure into sections: the one with the net value is about sales, those before it about
 * purchase, those after it are the summary.
 */
export function sectionOf(line: ProcedureLine, procedure: PricingProcedure): Section {
  return compileProcedure(procedure).sectionOf(line.level);
}

/** Whether a document may show the line; procedures tag hidden lines with "INVISIBLE". */
export function isVisible(line: Pick<JoinedLine, "tags">): boolean {
  return !line.tags.includes("INVISIBLE");
}

function quotient({ value, currency }: Money, quantity: string, halfWay: HalfWay): Money | undefined {
  const rounding = Rounding.toUnit(currency, { halfWay });
  const price = perUnit(new Exact(value), quantity, rounding);
  return price && { value: rounding.text(price), currency };
}

/** A single item of the document, or its totals. */
export type PrintPlace = "position" | "header";

interface Control {
  place: PrintPlace | undefined;
  changed: boolean;
  nonZero: boolean;
}

/**
 * The lines that the procedure shows at this place. Never: lines without data, replaced prices, and lines
 * tagged INVISIBLE. `...Always` always shows a line, `...NonZero` if it is not zero, `...Changed` if it
 * differs from the preceding subtotal (a condition: if it is not zero), `...ChangedNonZero` if both apply.
 * Without print control, conditions and subtotals are shown at positions if they are not zero; texts and
 * breaks are not shown.
 */
export function printedLines(sheet: Sheet, procedure: PricingProcedure, place: PrintPlace): JoinedLine[] {
  let before = new Exact(0);
  return joinLines(sheet, procedure).filter((joined) => {
    const value = new Exact(joined.line.value?.value ?? joined.line.amount?.value ?? 0);
    const isSubtotal = joined.procedureLine?.kind === "subtotal";
    const changed = isSubtotal ? !value.eq(before) : !value.isZero();
    if (isSubtotal && joined.line.value !== undefined) before = value;
    if (!joined.active || !isVisible(joined)) return false;
    const control = controlOf(joined);
    return control.place === place && (!control.changed || changed) && (!control.nonZero || !value.isZero());
  });
}

function controlOf({ procedureLine }: JoinedLine): Control {
  const [, place, rule] =
    /^(Position|Header)(Always|(?:Changed)?(?:NonZero)?)$/.exec(procedureLine?.printControl ?? "") ?? [];
  if (place !== undefined && rule !== undefined && rule !== "") {
    return {
      place: place === "Position" ? "position" : "header",
      changed: rule.startsWith("Changed"),
      nonZero: rule.endsWith("NonZero"),
    };
  }
  const prints =
    procedureLine?.printControl === undefined &&
    (procedureLine?.kind === "condition" || procedureLine?.kind === "subtotal");
  return { place: prints ? "position" : undefined, changed: false, nonZero: true };
}

/** A line of one sheet, or the sum of the same line in several sheets. */
export interface PriceLine extends JoinedLine {
  /** Zero if the line has no value. */
  value: Exact;
  /** Undefined for lines that are not conditions. */
  conditionType: ConditionType | undefined;
  /** Whether it is part of the sales price; purchase prices must not reach customers. */
  sales: boolean;
}

/** Reads the sheets of one procedure, each once. */
export class SheetReader {
  private readonly compiled: CompiledProcedure;
  private readonly read = new WeakMap<Sheet, PriceLine[]>();

  constructor(procedure: PricingProcedure) {
    this.compiled = compileProcedure(procedure);
  }

  /** The effective lines of a sheet: without headings, empty slots and replaced prices. */
  lines(sheet: Sheet): PriceLine[] {
    const known = this.read.get(sheet);
    if (known !== undefined) return known;
    const lines = sheet.lines.filter(statesSomething).map(this.priceLine);
    this.read.set(sheet, lines);
    return lines;
  }

  /**
   * Adds up matching lines of the sheets of equal articles: every variant price keeps its own line. Amounts
   * are kept if all are equal.
   */
  sum(sheets: readonly Sheet[]): PriceLine[] {
    const [only] = sheets;
    if (only !== undefined && sheets.length === 1) return this.lines(only);
    const sums = new Map<string, PriceLine>();
    for (const sheet of sheets) {
      const occurrences = new Map<string, number>();
      for (const line of this.lines(sheet)) {
        const name = identity(line.line);
        const occurrence = occurrences.get(name) ?? 0;
        occurrences.set(name, occurrence + 1);
        const key = `${name} ${occurrence}`;
        const sum = sums.get(key);
        sums.set(key, sum === undefined ? line : added(sum, line));
      }
    }
    return [...sums.values()].sort(byPlace);
  }

  /** The sum of the lines with a tag in several sheets. */
  value(sheets: readonly Sheet[], tag: string): Exact {
    return sheets.reduce((sum, sheet) => plus(sum, tagged(this.lines(sheet), tag)?.value ?? zero), zero);
  }

  private readonly priceLine = (line: SheetLine): PriceLine => {
    const procedureLine = this.compiled.find(line.level, line.counter)?.line;
    return {
      line,
      procedureLine,
      tags: procedureLine?.tags ?? [],
      active: true,
      value: line.value === undefined ? zero : new Exact(line.value.value),
      conditionType: this.compiled.types.get(line.conditionType ?? procedureLine?.conditionType ?? ""),
      sales: procedureLine !== undefined && this.compiled.sectionOf(procedureLine.level) === "sales",
    };
  };
}

/** The last visible line with a tag. */
export function tagged(lines: readonly PriceLine[], tag: string): PriceLine | undefined {
  return lines.findLast((line) => line.tags.includes(tag) && isVisible(line));
}

function statesSomething({ inactive = [], value, amount }: SheetLine): boolean {
  return inactive.length === 0 && (value !== undefined || amount !== undefined);
}

function identity(line: SheetLine): string {
  const rate = line.taxType === undefined ? "" : JSON.stringify(line.amount ?? null);
  return `${line.level}.${line.counter} ${line.conditionType} ${line.taxType} ${line.taxCategory} ${rate}`;
}

function added(sum: PriceLine, line: PriceLine): PriceLine {
  const { amount, value: _, ...rest } = sum.line;
  const currency = sum.line.value?.currency ?? line.line.value?.currency;
  const value = sum.value.plus(line.value);
  const agreed = JSON.stringify(amount) === JSON.stringify(line.line.amount) ? amount : undefined;
  return {
    ...sum,
    value,
    line: {
      ...rest,
      ...(agreed === undefined ? {} : { amount: agreed }),
      ...(currency === undefined ? {} : { value: { value: value.toFixed(), currency } }),
    },
  };
}

function byPlace(left: PriceLine, right: PriceLine): number {
  return left.line.level - right.line.level || left.line.counter - right.line.counter;
}

/** The purchase price by the lines of a sheet; undefined if none is stated. */
export function purchaseValue(lines: readonly PriceLine[]): Exact | undefined {
  const purchase = tagged(lines, "PURCHASE_VALUE");
  if (purchase === undefined) return undefined;
  const isStated = lines.some(
    ({ line, sales, conditionType }) =>
      line.level < purchase.line.level && !sales && conditionType?.conditionClass === "price",
  );
  return isStated || !purchase.value.isZero() ? purchase.value : undefined;
}

/** The net value of an item before header discounts; undefined where nothing states a sales price. A set has its parts' prices. */
export function salesValue(item: Item, lines: readonly PriceLine[]): Exact | undefined {
  const net = tagged(lines, "ITEM_NET_VALUE")?.value;
  if (net === undefined || !net.isZero() || item.type === "setArticle") return net;
  const isStated = lines.some((line) => line.sales && line.conditionType?.conditionClass === "price");
  return isStated ? net : undefined;
}
