/** The basket as a tree: walking it and finding its items. */
import type { Item, PositionItem, ProjectDocument } from "./document.js";

/** The items directly below an item: contents of a folder, parts of a composite or of a set. */
export function childrenOf(item: Item): readonly Item[] {
  return item.type === "text" ? [] : (item.children ?? []);
}

/** Whether an item has a quantity and a price. */
export function isPosition(item: Item): item is PositionItem {
  return item.type !== "folder" && item.type !== "text";
}

/** All items in document order, each before its children. */
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

/** An item and the item that holds it; no parent at the top of the basket. */
export interface PlacedItem {
  /** The item itself. */
  readonly item: Item;
  /** What it lies in; undefined at the top. */
  readonly parent: Item | undefined;
}

const indexes = new WeakMap<ProjectDocument, ReadonlyMap<string, PlacedItem>>();

/** Every item of the project by its id. Built once per document, so the document must not change afterwards. */
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
