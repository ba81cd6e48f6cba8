/** The article list: one row per line of the view, and the totals. */
import { articleImages, inTurns, missingSheet, shownImage, type ViewNode, walkNodes } from "@slipway/sdk";
import { type ExportContext, isPriced, type PricedNode } from "../request/export-context.js";
import { unitName } from "../words/words.js";
import type { Cell, CellStyle, Row, Sheet } from "../workbook/sheet.js";
import { type ArticleColumn, ArticleColumns, type TextColumn, textColumns } from "./article-columns.js";
import { articleTexts, longText, shortText, statusName, typeName } from "./article-texts.js";
import { pageTexts } from "./header-data.js";
import {
  addAmounts,
  amountsOf,
  areEqual,
  countedAmounts,
  countedLines,
  type LineAmounts,
  lineAmounts,
  minus,
} from "./line-amounts.js";
import { type PriceRow, priceCells } from "./price-cells.js";

type TextColumns = { readonly [Column in TextColumn]?: string };

type Cells = ReadonlyMap<ArticleColumn, Cell>;

/** Maximum outline depth of a workbook. */
const deepestLevel = 7;

/**
 * The article list of a request. Rows that count in the total are marked with "x" in a separate column, which the sum
 * formulas use: marking an alternative adds it to the total.
 */
export function articleList(context: ExportContext, { pictures }: { pictures: boolean }): Sheet {
  const columns = new ArticleColumns(context, { pictures });
  const list = new ArticleList(columns, context);
  const { articleStartRow: row, articleStartColumn: column } = context.settings;
  return {
    name: context.words.articles,
    start: { row, column },
    columns: columns.headers(context),
    rows: list.rows(),
    totals: () => list.totals(),
    freeze: { header: true, columns: 1 },
    filter: true,
    summary: "above",
    print: pageTexts(context),
  };
}

class ArticleList {
  private readonly counted: ReadonlySet<ViewNode>;
  private rowCount = 0;
  /** Sum of the counted rows so far. */
  private listed: LineAmounts = {};

  constructor(
    private readonly columns: ArticleColumns,
    private readonly context: ExportContext,
  ) {
    this.counted = countedLines(context);
  }

  rows(): AsyncGenerator<Row> {
    return inTurns(this.below(this.context.nodes, { depth: 0, isPart: false }));
  }

  /** Amounts that the lines do not show, then the totals of the document. */
  *totals(): Generator<Row> {
    const { context } = this;
    const total = amountsOf(context.total, true);
    const rest = minus(total, this.listed);
    if (!areEqual(rest, {})) {
      const cells = new Map<ArticleColumn, Cell>(priceCells(rest, { kind: "plain" }, this.columns, context));
      cells.set("shortText", { kind: "text", text: context.words.notListed });
      cells.set("inTotal", counts);
      yield this.row(cells, "note");
    }
    const row: PriceRow = { kind: "sum", rows: [0, this.rowCount - 1] };
    const cells = new Map<ArticleColumn, Cell>(priceCells(total, row, this.columns, context));
    cells.set("position", { kind: "text", text: context.words.total });
    yield this.row(cells, "total");
  }

  private *below(
    nodes: readonly ViewNode[],
    { depth, isPart }: { depth: number; isPart: boolean },
  ): Generator<Row> {
    for (const node of nodes) {
      const place = this.rowCount;
      const cells = isPriced(node)
        ? this.articleCells(node, isPart, place)
        : this.frameCells(node, isPart, place);
      yield { ...this.row(cells, this.styleOf(node)), level: Math.min(depth, deepestLevel) };
      yield* this.below(node.children, { depth: depth + 1, isPart: isPart || isPriced(node) });
    }
  }

  /** Counts the rows; formulas refer to them by index. */
  private row(cells: Cells, style: CellStyle | undefined): Row {
    this.rowCount += 1;
    const row = { cells: this.columns.keys.map((key) => cells.get(key)) };
    return style === undefined ? row : { ...row, style };
  }

  private styleOf(node: ViewNode): CellStyle | undefined {
    if (node.item.type === "folder") return "heading";
    if (node.item.type === "text") return "note";
    return isPriced(node) && this.isSum(node) ? "subtotal" : undefined;
  }

  /** A folder or a text. */
  private frameCells(node: ViewNode, isPart: boolean, place: number): Cells {
    const { item, position } = node;
    const { context } = this;
    const cells = textCells({
      position,
      type: typeName(node, isPart, context.words),
      shortText: shortText(item, context),
      longText: longText(item, context),
    });
    if (item.type !== "folder" || item.showSubTotal !== true) return cells;
    const amounts = countedAmounts(node.children, this.counted, context);
    return new Map([...cells, ...priceCells(amounts, this.sumRow(node, place), this.columns, context)]);
  }

  private articleCells(node: PricedNode, isPart: boolean, place: number): Cells {
    const { item } = node;
    const { context } = this;
    const quantity = node.quantity ?? item.quantity;
    const cells = textCells({
      position: node.position,
      type: typeName(node, isPart, context.words),
      shortText: shortText(item, context),
      longText: longText(item, context),
      ...articleTexts(item, context),
      unit: unitName(context.words, quantity.unit),
      status: statusName(item, context),
      inTotal: this.counted.has(node) ? "x" : "",
      notInQuotes: item.nonOffer === true ? "x" : "",
      notInOrders: item.nonOrder === true ? "x" : "",
    });
    cells.set("quantity", { kind: "number", value: quantity.value, format: { kind: "number" } });
    const picture = this.picture(node);
    if (picture !== undefined) cells.set("picture", picture);
    for (const [key, cell] of this.prices(node, quantity.value, place)) cells.set(key, cell);
    return cells;
  }

  private prices(node: PricedNode, quantity: string, place: number): Cells {
    if (node.frame) return new Map();
    const amounts = lineAmounts(node, this.context);
    if (amounts === undefined) {
      this.context.suppress(missingSheet(node.item, this.context));
      return new Map();
    }
    if (this.counted.has(node)) this.listed = addAmounts([this.listed, amounts]);
    const row: PriceRow = this.isSum(node, amounts)
      ? { ...this.sumRow(node, place), quantity }
      : { kind: "line", quantity };
    return priceCells(amounts, row, this.columns, this.context);
  }

  /** Whether the price of a line is the sum of the counted lines below it. */
  private isSum(node: PricedNode, amounts = lineAmounts(node, this.context)): boolean {
    if (amounts === undefined || this.counted.has(node) || node.children.length === 0) return false;
    const below = countedAmounts(node.children, this.counted, this.context);
    return !areEqual(below, {}) && areEqual(below, addAmounts([amounts]));
  }

  private sumRow(node: ViewNode, place: number): PriceRow & { kind: "sum" } {
    const lines = [...walkNodes(node.children)].length;
    return { kind: "sum", rows: [place + 1, place + lines] };
  }

  private picture(node: PricedNode): Cell | undefined {
    const { project, preferredImageColumn, imageTag, suppress } = this.context;
    if (this.columns.index("picture") === undefined) return undefined;
    const preference = { column: preferredImageColumn, tag: imageTag };
    const shown = shownImage(node.item, articleImages(project, node.item, preference), suppress);
    if (shown === undefined) return undefined;
    return { kind: "picture", asset: shown.key, description: shortText(node.item, this.context) };
  }
}

const counts: Cell = { kind: "text", text: "x" };

/** Text cells of columns, without empty texts. */
function textCells(texts: TextColumns): Map<ArticleColumn, Cell> {
  return new Map(
    textColumns.flatMap((key): [ArticleColumn, Cell][] => {
      const text = texts[key] ?? "";
      return text === "" ? [] : [[key, { kind: "text", text }]];
    }),
  );
}
