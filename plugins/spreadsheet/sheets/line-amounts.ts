/** Amounts of one line of the article list. */
import {
  Exact,
  groupSheet,
  isSumOfParts,
  isVisible,
  itemStatus,
  lineItemIds,
  lineSheets,
  type PriceLine,
  printedItemIds,
  purchaseValue,
  salesValue,
  tagged,
  type ViewNode,
} from "@slipway/sdk";
import { type ExportContext, isPriced, type PricedNode } from "../request/export-context.js";

/** Line amounts that add up to the document's. */
const additiveAmounts = [
  "purchaseListValue",
  "purchaseValue",
  "listValue",
  "netValue",
  "finalNetValue",
  "tax",
  "totalWithTax",
] as const;
type AdditiveAmount = (typeof additiveAmounts)[number];

/** Unknown amounts are absent, as opposed to zero. */
export type LineAmounts = { readonly [Amount in AdditiveAmount]?: Exact | undefined };

/**
 * The amounts of a line without the lines below it; undefined for a frame and without a price sheet. For a pseudo
 * article it is the sum of its parts.
 */
export function lineAmounts(node: PricedNode, context: ExportContext): LineAmounts | undefined {
  if (node.frame) return undefined;
  const lines = linePrices(node, context);
  return lines.length === 0 ? undefined : amountsOf(lines, salesValue(node.item, lines) !== undefined);
}

/** The price lines of an article; empty without a price sheet. */
export function linePrices(node: PricedNode, context: ExportContext): readonly PriceLine[] {
  const { sheets, calculation, procedure } = context.prices;
  if (isPseudoArticle(node)) {
    const parts = printedItemIds(node.children, context);
    if (parts.length > 0) return sheets.lines(groupSheet(calculation, procedure, parts));
  }
  const own = lineSheets(node, context);
  return own.length === 0 ? [] : sheets.sum(own);
}

export function amountsOf(lines: readonly PriceLine[], isPriced: boolean): LineAmounts {
  const value = (tag: string): Exact | undefined => tagged(lines, tag)?.value;
  const bought = purchaseValue(lines);
  const purchase = bought && { purchaseListValue: value("GROSS_PURCHASE_PRICE"), purchaseValue: bought };
  if (!isPriced) return { ...purchase };
  return {
    ...purchase,
    listValue: value("GROSS_SALES_PRICE"),
    netValue: value("ITEM_NET_VALUE"),
    finalNetValue: value("NET_VALUE") ?? value("ITEM_NET_VALUE"),
    tax: taxOf(lines),
    totalWithTax: value("FINAL_VALUE"),
  };
}

/** Sums of amounts; amounts that no part has are absent. */
export function addAmounts(parts: Iterable<LineAmounts>): LineAmounts {
  const sums = new Map<AdditiveAmount, Exact>();
  for (const part of parts) {
    for (const amount of additiveAmounts) {
      const value = part[amount];
      if (value !== undefined) sums.set(amount, value.plus(sums.get(amount) ?? 0));
    }
  }
  return Object.fromEntries(sums);
}

/** Whether all amounts are equal; absent amounts count as zero. */
export function areEqual(one: LineAmounts, other: LineAmounts): boolean {
  return additiveAmounts.every((amount) => (one[amount] ?? zero).eq(other[amount] ?? zero));
}

/** The non-zero differences. */
export function minus(one: LineAmounts, other: LineAmounts): LineAmounts {
  return Object.fromEntries(
    additiveAmounts.flatMap((amount): [AdditiveAmount, Exact][] => {
      const rest = (one[amount] ?? zero).minus(other[amount] ?? zero);
      return rest.isZero() ? [] : [[amount, rest]];
    }),
  );
}

/** Whether a line is an article that only groups its parts. */
function isPseudoArticle({ item }: ViewNode): boolean {
  return item.type === "article" && item.pseudoArticle === true;
}

const zero = new Exact(0);

/** Taxes and contributions between the net value and the total. */
function taxOf(lines: readonly PriceLine[]): Exact {
  const taxes = lines.filter((line) => line.tags.includes("TAX") && isVisible(line));
  return taxes.reduce((sum, line) => sum.plus(line.value), zero);
}

// Selects the lines of the article list that count in its total.

/**
 * The lines whose amounts add up to the document's, if the view shows them: no alternative and optional ones;
 * the parts of a set if they explain its price, otherwise the set. An item counts once, even if several lines contain
 * it.
 */
export function countedLines(context: ExportContext): ReadonlySet<ViewNode> {
  return new Set(new CountedLines(context).of(context.nodes));
}

/** Sum of the counted lines among the given lines and their descendants. */
export function countedAmounts(
  nodes: readonly ViewNode[],
  counted: ReadonlySet<ViewNode>,
  context: ExportContext,
): LineAmounts {
  return addAmounts(eachCounted(nodes, counted, context));
}

function* eachCounted(
  nodes: readonly ViewNode[],
  counted: ReadonlySet<ViewNode>,
  context: ExportContext,
): Generator<LineAmounts> {
  for (const node of nodes) {
    if (counted.has(node) && isPriced(node)) yield lineAmounts(node, context) ?? {};
    yield* eachCounted(node.children, counted, context);
  }
}

class CountedLines {
  private readonly seen = new Set<string>();

  constructor(private readonly context: ExportContext) {}

  of(nodes: readonly ViewNode[]): PricedNode[] {
    return nodes.flatMap((node) => this.ofLine(node));
  }

  private ofLine(node: ViewNode): PricedNode[] {
    const { project, prices } = this.context;
    if (itemStatus(project, node.item, prices.procedure.name) !== "active") return [];
    if (node.frame || !isPriced(node)) return this.of(node.children);
    const own = lineItemIds(node, this.context).filter((id) => !this.seen.has(id));
    if (own.length === 0) return this.of(node.children);
    for (const id of own) this.seen.add(id);
    if (isSumOfParts(node.item, own, this.context)) return this.ofSum(node);
    // Other pseudo articles have no price.
    return isPseudoArticle(node) ? this.of(node.children) : [node, ...this.of(node.children)];
  }

  private ofSum(node: PricedNode): PricedNode[] {
    const parts = this.of(node.children);
    const amounts = (part: PricedNode): LineAmounts => lineAmounts(part, this.context) ?? {};
    return areEqual(addAmounts(parts.map(amounts)), amounts(node)) ? parts : [node];
  }
}
