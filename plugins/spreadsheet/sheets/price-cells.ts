/**
 * Cells of the price columns, with formulas for derived amounts. A formula is used only if it gives exactly the
 * value of its cell.
 */

import { Exact } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Cell, TableRange } from "../workbook/sheet.js";
import type { ArticleColumns } from "./article-columns.js";
import type { LineAmounts } from "./line-amounts.js";
import { type PriceColumn, priceValues, rateColumns, sumColumns } from "./price-columns.js";

/** The kind of a row, which determines its formulas. */
export type PriceRow =
  /** An article: quantity times price. */
  | { kind: "line"; quantity: string }
  /** The sum of the counted lines between two table rows, both included; unit prices only with a quantity. */
  | { kind: "sum"; quantity?: string; rows: readonly [number, number] }
  /** Without formulas. */
  | { kind: "plain"; quantity?: string };

/** Cells by column; absent amounts have no cell. */
export function priceCells(
  amounts: LineAmounts,
  row: PriceRow,
  columns: ArticleColumns,
  context: ExportContext,
): Map<PriceColumn, Cell> {
  const values = priceValues(amounts, row.quantity, context);
  const { digits } = context.rounding;
  const known = new Map<PriceColumn | "quantity", string>(values);
  if (row.quantity !== undefined) known.set("quantity", row.quantity);
  const formulaRow: FormulaRow = { index: columns.index, values: known, digits };
  const cells = new Map<PriceColumn, Cell>();
  for (const column of columns.prices) {
    const value = values.get(column);
    if (value === undefined) continue;
    const format = rateColumns.has(column)
      ? ({ kind: "percent", decimals: 2 } as const)
      : ({ kind: "number", decimals: digits } as const);
    const formula = formulaOf(column, row, formulaRow);
    cells.set(
      column,
      formula === undefined ? { kind: "number", value, format } : { kind: "formula", formula, value, format },
    );
  }
  return cells;
}

function formulaOf(column: PriceColumn, row: PriceRow, known: FormulaRow): WriteFormula | undefined {
  if (row.kind === "plain") return undefined;
  if (row.kind === "line") return lineFormula(column, known);
  return sumColumns.has(column) ? countedSum(column, known, row.rows) : derivedFormula(column, known);
}

/** Writes a formula for the position of its cell. */
type WriteFormula = (at: TableRange) => string;

/** Column indices and values of one row. */
interface FormulaRow {
  /** Index of a column in the table; undefined if it is hidden. */
  index(column: PriceColumn | "quantity" | "inTotal"): number | undefined;
  values: ReadonlyMap<PriceColumn | "quantity", string>;
  /** Number of decimals of amounts. */
  digits: number;
}

/** The formula of an article line: quantity times price, otherwise as `derivedFormula`. */
function lineFormula(column: PriceColumn, row: FormulaRow): WriteFormula | undefined {
  switch (column) {
    case "purchaseValue":
      return product(row, "purchaseValue", "purchasePrice");
    case "listValue":
      return product(row, "listValue", "listPrice");
    case "netValue":
      return product(row, "netValue", "netPrice");
    default:
      return derivedFormula(column, row);
  }
}

/** The formula of an amount derived from other columns, for any kind of row. */
function derivedFormula(column: PriceColumn, row: FormulaRow): WriteFormula | undefined {
  switch (column) {
    case "discount":
      return sum(row, column, ["netValue"], ["listValue"]);
    case "finalNetValue":
      return sum(row, column, ["netValue", "headerDiscount"]);
    case "totalWithTax":
      return sum(row, column, [netColumn(row), "tax"]);
    case "margin":
      return sum(row, column, [netColumn(row)], ["purchaseValue"]);
    case "discountRate":
      return ratio(row, "discount", "listValue");
    case "marginRate":
      return ratio(row, "margin", netColumn(row));
    default:
      return undefined;
  }
}

/** The sum formula of the counted lines between two table rows. */
function countedSum(
  column: PriceColumn,
  { index }: Pick<FormulaRow, "index">,
  [first, last]: readonly [number, number],
): WriteFormula | undefined {
  const [own, counted] = [index(column), index("inTotal")];
  if (own === undefined || counted === undefined || last < first) return undefined;
  return (at) => `SUMIF(${at.range(counted, first, last)},"x",${at.range(own, first, last)})`;
}

function netColumn({ index }: FormulaRow): PriceColumn {
  return index("finalNetValue") === undefined ? "netValue" : "finalNetValue";
}

function product(row: FormulaRow, own: PriceColumn, price: PriceColumn): WriteFormula | undefined {
  const terms = located(row, ["quantity", price]);
  const value = row.values.get(own);
  if (terms === undefined || value === undefined) return undefined;
  const [quantity, each] = terms;
  if (quantity === undefined || each === undefined || !quantity.value.times(each.value).eq(value))
    return undefined;
  return (at) => `ROUND(${at.here(quantity.index)}*${at.here(each.index)},${row.digits})`;
}

function sum(
  row: FormulaRow,
  own: PriceColumn,
  addends: readonly PriceColumn[],
  subtrahends: readonly PriceColumn[] = [],
): WriteFormula | undefined {
  const [plus, minus] = [located(row, addends), located(row, subtrahends)];
  const value = row.values.get(own);
  if (plus === undefined || minus === undefined || value === undefined) return undefined;
  const total = [...plus.map((term) => term.value), ...minus.map((term) => term.value.negated())];
  if (!total.reduce((left, right) => left.plus(right), new Exact(0)).eq(value)) return undefined;
  return (at) => {
    const added = plus.map((term) => at.here(term.index)).join("+");
    return [added, ...minus.map((term) => at.here(term.index))].join("-");
  };
}

function ratio(row: FormulaRow, part: PriceColumn, whole: PriceColumn): WriteFormula | undefined {
  const [above, below] = located(row, [part, whole]) ?? [];
  if (above === undefined || below === undefined || below.value.isZero()) return undefined;
  return (at) => `ROUND(${at.here(above.index)}/${at.here(below.index)},4)`;
}

/** Indices and values of columns; undefined if any is missing. */
function located(
  { index, values }: FormulaRow,
  columns: readonly (PriceColumn | "quantity")[],
): { index: number; value: Exact }[] | undefined {
  const found = columns.flatMap((column) => {
    const [place, value] = [index(column), values.get(column)];
    return place === undefined || value === undefined ? [] : [{ index: place, value: new Exact(value) }];
  });
  return found.length === columns.length ? found : undefined;
}
