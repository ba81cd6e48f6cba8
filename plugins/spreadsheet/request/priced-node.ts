import { isPosition, type PositionItem, type ViewNode } from "@slipway/sdk";

/** What an article needs to be a line with a price. */
export interface PricedNode extends ViewNode {
  item: PositionItem;
}

/** Whether a line has a quantity and a price. */
export function isPriced(node: ViewNode): node is PricedNode {
  return isPosition(node.item);
}
