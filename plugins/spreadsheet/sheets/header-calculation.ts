/** The calculation of the document: sum of the articles, header discounts, taxes, total. */
import { sheetsOf, taxTotals } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Row, Sheet } from "../workbook/sheet.js";
import { priceLineColumns, priceLineRows } from "./price-lines.js";

/** The price lines of the document as a separate table. */
export function headerCalculation(context: ExportContext): Sheet {
  return {
    name: context.words.calculation,
    columns: priceLineColumns(context),
    rows: headerCalculationRows(context),
  };
}

/** The rows of the document's price lines. */
export async function* headerCalculationRows(context: ExportContext): AsyncGenerator<Row> {
  const { total, countedIds, prices } = context;
  const taxes = taxTotals(total, sheetsOf(countedIds, context), prices.sheets);
  const bases = new Map(taxes.map(({ line, base }) => [line, base]));
  for (const cells of priceLineRows(total, { column: 0, row: 0 }, context, bases)) yield { cells };
}
