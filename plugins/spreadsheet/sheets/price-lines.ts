/** Rows of price lines: name, condition, base and value. */
import { Exact, type PriceLine, purchaseValue } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Words } from "../words/english.js";
import { unitName } from "../words/words.js";
import type { Cell, CellStyle, Column, FormulaCell, NumberCell, TableRange } from "../workbook/sheet.js";
import { isSubtotal, type Origin, RunningSum } from "./running-sum.js";

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
export interface Place {
  /** Number of columns before them. */
  column: number;
  /** Row index of the first line. */
  row: number;
}

/** Cells of one row. */
export type PriceLineCells = readonly (Cell | undefined)[];

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
