import type { Item, ProjectDocument } from "../project/document.js";
import { childrenOf, itemIndex, itemParents, walkItems } from "../project/item-tree.js";

/** The basket tree with all parts below their owners. */
export interface Basket {
  /** The top-level items. */
  readonly top: readonly Item[];
  /** The children of an item, and parts of it that are elsewhere in the file. */
  children(item: Item): readonly Item[];
}

const baskets = new WeakMap<ProjectDocument, Basket>();

/**
 * The basket with every part below its composite or set. Files may list parts beside the article that they belong to
 * and only refer to it (`itemParents`). Cached per document, so the document must not change
 * afterwards.
 */
export function nestedBasket(project: ProjectDocument): Basket {
  const basket = baskets.get(project) ?? newBasket(project);
  baskets.set(project, basket);
  return basket;
}

function newBasket(project: ProjectDocument): Basket {
  const index = itemIndex(project);
  const parents = itemParents(project);
  const moved = new Map<string, Item[]>();
  const movedIds = new Set<string>();
  for (const item of walkItems(project.items)) {
    const parent = parents.get(item.id);
    if (parent === undefined || parent === index.get(item.id)?.parent) continue;
    moved.set(parent.id, [...(moved.get(parent.id) ?? []), item]);
    movedIds.add(item.id);
  }
  const staying = (items: readonly Item[]): Item[] => items.filter((item) => !movedIds.has(item.id));
  return {
    top: staying(project.items),
    children: (item) => [...staying(childrenOf(item)), ...(moved.get(item.id) ?? [])],
  };
}
