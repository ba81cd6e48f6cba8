import type { Item, Quantity } from "../project/document.js";

/** One line of a resolved view, with the lines below it. */
export interface ViewNode {
  /** Id of the view item, or of the basket item where the view does not list its items. */
  id: string;
  /** The first of `items`; its texts and numbers stand for all of them. */
  item: Item;
  /** What the line stands for; more than one basket item where the view merges. */
  items: readonly Item[];
  /** Dotted and counted from 1, such as "2.1"; empty for texts and where an explicit view gives none. */
  position: string;
  /** What the project holds of all items together, parts times their sets; undefined for folders and texts. */
  quantity: Quantity | undefined;
  /** Kept only because something below it was asked for; it was not asked for itself. */
  frame: boolean;
  /** The lines below this one. */
  children: ViewNode[];
}

/** A line of a view. */
export function viewNode(
  item: Item,
  options: Pick<ViewNode, "quantity"> & Partial<Pick<ViewNode, "id" | "items" | "position" | "children">>,
): ViewNode {
  return {
    id: options.id ?? item.id,
    item,
    items: options.items ?? [item],
    position: options.position ?? "",
    quantity: options.quantity,
    frame: false,
    children: options.children ?? [],
  };
}

/** All lines in print order, each before those below it. */
export function* walkNodes(nodes: readonly ViewNode[]): Generator<ViewNode> {
  for (const node of nodes) {
    yield node;
    yield* walkNodes(node.children);
  }
}

/**
 * Numbers lines by their place in the tree, counted from 1: "1", "2", "2.1". Texts have no number and take none, so
 * that the positions of a report have no gaps. Changes the nodes that it is given.
 */
export function numberPositions(nodes: readonly ViewNode[], prefix = ""): void {
  let place = 0;
  for (const node of nodes) {
    if (node.item.type === "text") continue;
    place += 1;
    node.position = `${prefix}${place}`;
    numberPositions(node.children, `${node.position}.`);
  }
}
