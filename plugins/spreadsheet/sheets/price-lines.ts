/** Rows of price lines: name, condition, base and value. */
import { Exact, type PriceLine, purchaseValue } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Words } from "../words/english.js";
import { unitName } from "../words/words.js";
import type { Cell, CellStyle, Column, FormulaCell, NumberCell, TableRange } from "../workbook/sheet.js";

/** Columns of a price line; a sheet may have other columns before them. */
const columns = [
  "line",
  "conditionType",
  "amount",
  "amountUnit",
  "base",
  "value",
  "level",
  "counter",
] as const;
type PriceLineColumn = (typeof columns)[number];

/** The table columns of price lines. */
export function priceLineColumns({ words, currency }: ExportContext): Column[] {
  return columns.map((column) => ({
    header: column === "base" || column === "value" ? `${words[column]} (${currency})` : words[column],
  }));
}

/** Position of price lines in a table. */
interface Place {
  /** Number of columns before them. */
  column: number;
  /** Row index of the first line. */
  row: number;
}

/** Cells of one row. */
type PriceLineCells = readonly (Cell | undefined)[];

/**
 * The significant lines of a sheet that the request does not hide. `bases`: bases of lines if the sheet itself does not
 * give them.
 */
export function priceLineRows(
  lines: readonly PriceLine[],
  place: Place,
  context: ExportContext,
  bases: ReadonlyMap<PriceLine, Exact | undefined> = new Map(),
): PriceLineCells[] {
  const sum = new RunningSum();
  const isBought = purchaseValue(lines) !== undefined;
  const rows: PriceLineCells[] = [];
  for (const line of lines) {
    const isShown = !context.hidden.hides(line) && says(line, isBought);
    const origin = sum.next(line, isShown ? rows.length : undefined);
    if (!isShown) continue;
    const known: Origin = { ...origin, base: origin.base ?? bases.get(line) };
    const cells = priceLineCells(line, known, place, context);
    rows.push(columns.map((column) => cells[column]));
  }
  return rows;
}

/** Prices, taxes and their sums are significant even if zero. Discounts of zero and unknown purchase prices are not. */
function says(line: PriceLine, isBought: boolean): boolean {
  const { conditionClass } = line.conditionType ?? {};
  if (!line.value.isZero() || conditionClass === "price" || conditionClass === "tax") return true;
  if (!isSubtotal(line)) return false;
  if (line.line.value === undefined) return line.line.amount !== undefined;
  return line.tags.length > 0 && (line.sales || isBought);
}

/** Style of the name and value cells. */
function styleOf(line: PriceLine): { style?: CellStyle } {
  if (line.tags.includes("FINAL_VALUE")) return { style: "total" };
  return isSubtotal(line) ? { style: "subtotal" } : {};
}

function priceLineCells(
  priceLine: PriceLine,
  origin: Origin,
  place: Place,
  context: ExportContext,
): { readonly [Column in PriceLineColumn]: Cell | undefined } {
  const { labels } = context;
  const { line } = priceLine;
  const style = styleOf(priceLine);
  const label = labels.ofProject(line.label, "name of a price line");
  return {
    line: { kind: "text", text: label, ...style },
    conditionType: line.conditionType === undefined ? undefined : { kind: "text", text: line.conditionType },
    ...amountCells(line.amount, context.words),
    base: origin.base && money(origin.base, context),
    value: line.value && { ...valueCell(priceLine, origin, place, context), ...style },
    level: whole(line.level),
    counter: whole(line.counter),
  };
}

function valueCell(
  { line, value }: PriceLine,
  { base, terms }: Origin,
  place: Place,
  context: ExportContext,
): NumberCell | FormulaCell {
  const plain = money(value, context);
  const column = (name: PriceLineColumn): number => place.column + columns.indexOf(name);
  const calculated = (formula: (at: TableRange) => string): FormulaCell => ({
    ...plain,
    kind: "formula",
    formula,
  });
  if (terms !== undefined) {
    return calculated((at) =>
      terms.map((term) => at.cell(column("value"), place.row + term.place)).join("+"),
    );
  }
  const { digits } = context.rounding;
  const isProduct =
    line.amount?.kind === "percentage" &&
    base?.times(line.amount.value).div(100).toDecimalPlaces(digits, Exact.ROUND_HALF_UP).eq(value);
  if (isProduct !== true) return plain;
  return calculated((at) => `ROUND(${at.here(column("base"))}*${at.here(column("amount"))}/100,${digits})`);
}

function money(value: Exact, { rounding }: ExportContext): NumberCell {
  return {
    kind: "number",
    value: rounding.text(value),
    format: { kind: "number", decimals: rounding.digits },
  };
}

function amountCells(
  amount: PriceLine["line"]["amount"],
  words: Words,
): Record<"amount" | "amountUnit", Cell | undefined> {
  switch (amount?.kind) {
    case undefined:
      return { amount: undefined, amountUnit: undefined };
    case "percentage":
      return {
        // As 12.5 instead of 0.125, because the column also has amounts of money; the unit column has the percent sign.
        amount: { kind: "number", value: amount.value, format: { kind: "number" } },
        amountUnit: { kind: "text", text: "%" },
      };
    case "money":
      return {
        amount: { kind: "number", value: amount.value, format: { kind: "number" } },
        amountUnit: { kind: "text", text: amount.currency },
      };
    case "quantity":
      return {
        amount: { kind: "number", value: amount.value, format: { kind: "number" } },
        amountUnit: { kind: "text", text: unitName(words, amount.unit) },
      };
  }
}

function whole(value: number): Cell {
  return { kind: "number", value: String(value), format: { kind: "number", decimals: 0 } };
}

// Finds the lines that a price line is computed from.

/** A visible line with its index among the visible lines. */
interface ShownLine {
  line: PriceLine;
  place: number;
}

/** Inputs of one price line. */
interface Origin {
  /** Base of a percentage; undefined if it cannot be derived from the visible lines. */
  base: Exact | undefined;
  /** The visible lines that it is the sum of; undefined if it is not a sum. */
  terms: readonly ShownLine[] | undefined;
}

/** Longer formulas are hard to read, and a cell is limited to 8,192 characters. */
const mostTerms = 30;

/**
 * Follows the running sum of a procedure through the lines of a sheet: conditions add to it, plain subtotals state it.
 * Sums that include a hidden line are not revealed.
 */
class RunningSum {
  private readonly earlier: ShownLine[] = [];
  /** Terms of the sum from the last subtotal on, inclusive; undefined if a hidden line is among them. */
  private terms: ShownLine[] | undefined = [];
  private wasSales = false;

  /** Call for each line in order. `place`: undefined for a hidden line. */
  next(line: PriceLine, place: number | undefined): Origin {
    if (line.sales !== this.wasSales) this.terms = [];
    this.wasSales = line.sales;
    const shown = place === undefined ? undefined : { line, place };
    const origin = isSubtotal(line) ? this.subtotal(line, shown) : this.condition(line, shown);
    if (shown !== undefined) this.earlier.push(shown);
    return origin;
  }

  private condition(line: PriceLine, shown: ShownLine | undefined): Origin {
    const { from } = line.procedureLine ?? {};
    const of = from === undefined ? this.terms : this.between(from, from);
    const base = of === undefined || of.length === 0 ? undefined : sumOf(of);
    if (shown !== undefined) this.terms?.push(shown);
    else if (!line.value.isZero()) this.terms = undefined;
    return { base: base !== undefined && explains(line, base) ? base : undefined, terms: undefined };
  }

  private subtotal(line: PriceLine, shown: ShownLine | undefined): Origin {
    const { from, to, parent } = line.procedureLine ?? {};
    const isRunning = from === undefined && parent === undefined;
    const terms = from === undefined ? this.terms?.slice() : this.between(from, to ?? from);
    if (isRunning) this.terms = shown && [shown];
    const isSum =
      terms !== undefined && terms.length > 0 && terms.length <= mostTerms && sumOf(terms).eq(line.value);
    return { base: undefined, terms: isSum ? terms : undefined };
  }

  private between(first: number, last: number): ShownLine[] {
    return this.earlier.filter(({ line: { line } }) => line.level >= first && line.level <= last);
  }
}

/** Whether a line states a sum without adding to it. */
function isSubtotal({ procedureLine }: PriceLine): boolean {
  return procedureLine?.kind === "subtotal";
}

/** Whether the percentage of the base is the line's value, within the rounding to cents. */
function explains({ line, value }: PriceLine, base: Exact): boolean {
  if (line.amount?.kind !== "percentage") return false;
  return base.times(line.amount.value).div(100).minus(value).abs().lt("0.01");
}

function sumOf(lines: readonly ShownLine[]): Exact {
  return lines.reduce((sum, { line }) => sum.plus(line.value), new Exact(0));
}
