import type { Item, ProjectDocument } from "../project/document.js";
import { childrenOf, itemIndex, type PlacedItem, walkItems } from "../project/item-tree.js";

type Index = ReadonlyMap<string, PlacedItem>;

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
 * and only refer to it (`mainArticleId`, `setArticleId`). Cached per document, so the document must not change
 * afterwards.
 */
export function nestedBasket(project: ProjectDocument): Basket {
  const basket = baskets.get(project) ?? newBasket(project);
  baskets.set(project, basket);
  return basket;
}

function newBasket(project: ProjectDocument): Basket {
  const index = itemIndex(project);
  const moved = new Map<string, Item[]>();
  const movedIds = new Set<string>();
  for (const item of walkItems(project.items)) {
    const owner = ownerElsewhere(item, index);
    if (owner === undefined) continue;
    const parts = moved.get(owner) ?? [];
    parts.push(item);
    moved.set(owner, parts);
    movedIds.add(item.id);
  }
  const staying = (items: readonly Item[]): Item[] => items.filter((item) => !movedIds.has(item.id));
  return {
    top: staying(project.items),
    children: (item) => [...staying(childrenOf(item)), ...(moved.get(item.id) ?? [])],
  };
}

/** Id of the article that an item is a part of, if the item is elsewhere in the basket. */
function ownerElsewhere(item: Item, index: Index): string | undefined {
  if (item.type !== "article") return undefined;
  const owner = item.mainArticleId ?? item.setArticleId;
  const placed = owner === undefined ? undefined : index.get(owner);
  if (owner === undefined || placed === undefined || owner === item.id || isPart(placed.item))
    return undefined;
  return isBelow(item.id, owner, index) || isBelow(owner, item.id, index) ? undefined : owner;
}

/** Parts own nothing, so that two items cannot own each other. */
function isPart(item: Item): boolean {
  return item.type === "article" && (item.mainArticleId !== undefined || item.setArticleId !== undefined);
}

function isBelow(id: string, ancestor: string, index: Index): boolean {
  for (let at = index.get(id)?.parent; at !== undefined; at = index.get(at.id)?.parent) {
    if (at.id === ancestor) return true;
  }
  return false;
}
