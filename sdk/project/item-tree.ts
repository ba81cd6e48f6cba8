/** The basket as a tree: traversal and item lookup. */
import type { Item, PositionItem, ProjectDocument } from "./document.js";

/** The direct children of an item: content of a folder, parts of a composite or set. */
export function childrenOf(item: Item): readonly Item[] {
  return item.type === "text" ? [] : (item.children ?? []);
}

/** Whether an item has a quantity and a price. */
export function isPosition(item: Item): item is PositionItem {
  return item.type !== "folder" && item.type !== "text";
}

/** All items in document order, parents first. */
export function* walkItems(items: readonly Item[]): Generator<Item> {
  const pending = [...items].reverse();
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    yield item;
    const children = childrenOf(item);
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined) pending.push(child);
    }
  }
}

/** An item and its parent. */
export interface PlacedItem {
  /** The item at this place. */
  readonly item: Item;
  /** The parent item; undefined at the top of the basket. */
  readonly parent: Item | undefined;
}

const indexes = new WeakMap<ProjectDocument, ReadonlyMap<string, PlacedItem>>();

/** All items of the project by id. Cached per document, so the document must not change afterwards. */
export function itemIndex(project: ProjectDocument): ReadonlyMap<string, PlacedItem> {
  const known = indexes.get(project);
  if (known !== undefined) return known;
  const index = new Map<string, PlacedItem>();
  for (const item of project.items) index.set(item.id, { item, parent: undefined });
  for (const parent of walkItems(project.items)) {
    for (const item of childrenOf(parent)) index.set(item.id, { item, parent });
  }
  indexes.set(project, index);
  return index;
}

const parentsOf = new WeakMap<ProjectDocument, ReadonlyMap<string, Item>>();

/**
 * The parent of each item by the item's id; top-level items have none. Files may list a part beside the article or set
 * that it belongs to: `mainArticleId` then names its parent, or, for a part inside no other position, `setArticleId`. A
 * reference to an item that the part is already inside, or that is itself inside the part, changes nothing. Cached per
 * document, so the document must not change afterwards.
 */
export function itemParents(project: ProjectDocument): ReadonlyMap<string, Item> {
  const known = parentsOf.get(project);
  if (known !== undefined) return known;
  const index = itemIndex(project);
  const parents = new Map<string, Item>();
  // A file may repeat an id; an item is never inside itself.
  for (const [id, { item, parent }] of index)
    if (parent !== undefined && !isWithin(parent, item, parents)) parents.set(id, parent);
  for (const item of walkItems(project.items)) {
    const owner = ownerElsewhere(item, index, parents);
    if (owner !== undefined) parents.set(item.id, owner);
  }
  parentsOf.set(project, parents);
  return parents;
}

function ownerElsewhere(
  item: Item,
  index: ReadonlyMap<string, PlacedItem>,
  parents: ReadonlyMap<string, Item>,
): Item | undefined {
  if (item.type !== "article") return undefined;
  if (item.mainArticleId === undefined && item.setArticleId === undefined) return undefined;
  const [, ...above] = withAncestors(item, parents);
  for (const id of [item.mainArticleId, above.some(isPosition) ? undefined : item.setArticleId]) {
    const owner = id === undefined ? undefined : index.get(id)?.item;
    if (owner === undefined || !isPosition(owner) || isWithin(owner, item, parents)) continue;
    return isWithin(item, owner, parents) ? undefined : owner;
  }
  return undefined;
}

/** Whether an item is another one, or inside it. */
function isWithin(item: Item, outer: Item, parents: ReadonlyMap<string, Item>): boolean {
  return [...withAncestors(item, parents)].some(({ id }) => id === outer.id);
}

function* withAncestors(item: Item, parents: ReadonlyMap<string, Item>): Generator<Item> {
  for (let at: Item | undefined = item; at !== undefined; at = parents.get(at.id)) yield at;
}
