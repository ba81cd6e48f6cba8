import { articleNumbers, inTurns, type ViewNode, walkNodes } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import { isPriced, type PricedNode } from "../request/priced-node.js";
import { unitName } from "../words/words.js";
import type { Cell, Row, Sheet } from "../workbook/sheet.js";
import { shortText } from "./article-texts.js";
import { linePrices } from "./line-amounts.js";
import { pageTexts } from "./page-texts.js";
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
