/** Cells of the price columns. */
import type { ExportContext } from "../request/export-context.js";
import type { Cell } from "../workbook/sheet.js";
import type { ArticleColumns } from "./article-columns.js";
import type { LineAmounts } from "./line-amounts.js";
import { type PriceColumn, priceValues, rateColumns, sumColumns } from "./price-columns.js";
import {
  countedSum,
  derivedFormula,
  type FormulaRow,
  lineFormula,
  type WriteFormula,
} from "./price-formulas.js";

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
