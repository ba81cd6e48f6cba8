import { isPosition, type PositionItem, type ViewNode } from "@slipway/sdk";

/** A line with a quantity and a price. */
export interface PricedNode extends ViewNode {
  item: PositionItem;
}

/** Whether a line has a quantity and a price. */
export function isPriced(node: ViewNode): node is PricedNode {
  return isPosition(node.item);
}
