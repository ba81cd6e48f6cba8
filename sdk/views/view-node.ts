import type { Item, Quantity } from "../project/document.js";

/** One line of a resolved view, with the lines below it. */
export interface ViewNode {
  /** Id of the view item, or of the basket item if the view has no explicit items. */
  id: string;
  /** The first of `items`; its texts and numbers represent all of them. */
  item: Item;
  /** The basket items of the line; more than one if the view merges. */
  items: readonly Item[];
  /** Dotted and counted from 1, such as "2.1"; empty for texts and if an explicit view has none. */
  position: string;
  /**
   * Total quantity of all items in the project, with parts multiplied by their sets; undefined for folders and texts.
   */
  quantity: Quantity | undefined;
  /** Not requested itself, but kept because of a requested line below it. */
  frame: boolean;
  /** The lines below this one. */
  children: ViewNode[];
}

/** Creates a line of a view. */
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

/** All lines in print order, parents first. */
export function* walkNodes(nodes: readonly ViewNode[]): Generator<ViewNode> {
  for (const node of nodes) {
    yield node;
    yield* walkNodes(node.children);
  }
}

/**
 * Numbers lines by their position in the tree, counted from 1: "1", "2", "2.1". Texts have no number, so that the
 * positions of a report have no gaps. Modifies the given nodes.
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
