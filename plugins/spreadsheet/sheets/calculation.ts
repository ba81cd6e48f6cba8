import { articleNumbers, inTurns, sheetsOf, taxTotals, type ViewNode, walkNodes } from "@slipway/sdk";
import { type ExportContext, isPriced, type PricedNode } from "../request/export-context.js";
import { unitName } from "../words/words.js";
import type { Cell, Row, Sheet } from "../workbook/sheet.js";
import { shortText } from "./article-texts.js";
import { pageTexts } from "./header-data.js";
import { linePrices } from "./line-amounts.js";
import { priceLineColumns, priceLineRows } from "./price-lines.js";

/**
 * The price lines of all articles, one row each. Each row names its article, so that filters and pivot tables can use
 * it.
 */
export function calculation(context: ExportContext): Sheet {
  const { words } = context;
  const { calcStartRow: row, calcStartColumn: column } = context.settings;
  return {
    name: words.calculation,
    start: { row, column },
    columns: [
      { header: words.position },
      { header: words.articleNumber },
      { header: words.shortText, width: { min: 12, max: 40 } },
      { header: words.quantity },
      { header: words.unit },
      ...priceLineColumns(context),
    ],
    rows: inTurns(calculationRows(context)),
    freeze: { header: true, columns: 1 },
    filter: true,
    print: pageTexts(context),
  };
}

function* calculationRows(context: ExportContext): Generator<Row> {
  let written = 0;
  for (const node of pricedNodes(context.nodes)) {
    const named = articleCells(node, context);
    const place = { column: named.length, row: written };
    for (const cells of priceLineRows(linePrices(node, context), place, context)) {
      written += 1;
      yield { cells: [...named, ...cells] };
    }
  }
}

function* pricedNodes(nodes: readonly ViewNode[]): Generator<PricedNode> {
  for (const node of walkNodes(nodes)) if (isPriced(node) && !node.frame) yield node;
}

function articleCells(node: PricedNode, context: ExportContext): (Cell | undefined)[] {
  const { item } = node;
  const quantity = node.quantity ?? item.quantity;
  return [
    { kind: "text", text: node.position },
    { kind: "text", text: articleNumbers(item).shown },
    { kind: "text", text: shortText(item, context) },
    { kind: "number", value: quantity.value, format: { kind: "number" } },
    { kind: "text", text: unitName(context.words, quantity.unit) },
  ];
}

/**
 * The calculation of the document: sum of the articles, header discounts, taxes, total. The price lines of the
 * document as a separate table.
 */
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
