/** Selects the lines of the article list that count in its total. */
import { isSumOfParts, itemStatus, lineItemIds, type ViewNode } from "@slipway/sdk";
import { type ExportContext, isPriced, type PricedNode } from "../request/export-context.js";
import { addAmounts, areEqual, isPseudoArticle, type LineAmounts, lineAmounts } from "./line-amounts.js";

/**
 * The lines whose amounts add up to the document's, as far as the view shows them: no alternative and optional ones;
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
