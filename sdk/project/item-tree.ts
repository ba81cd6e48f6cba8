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
