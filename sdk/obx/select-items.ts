/** Which items of a project are written. */
import type { Item } from "../project/document.js";
import { childrenOf } from "../project/item-tree.js";

/** What of a project becomes part of an OBX; without options everything does. */
export interface ObxOptions {
  /**
   * Whether an item is written. Items in a folder that is not take its place; of any other item that is not, its parts
   * are left out as well, without being asked for.
   */
  include?(item: Item): boolean;
  /** False leaves out every folder without asking; what is in them takes their place. */
  folders?: boolean;
  /**
   * True leaves out what else the files of the items said of prices and discounts, for readers who must not see them: of
   * what is kept, only what leads to the product data is written.
   */
  listPricesOnly?: boolean;
}

/** The items to write, and whether a reference to one leads anywhere. */
export interface ItemSelection {
  /** The items that are written in place of these. */
  of(items: readonly Item[]): Iterable<Item>;
  /** Whether the item of that id is written. */
  holds(id: string): boolean;
}

/** What `options` leave of the tree of `items`. */
export function selectItems(items: readonly Item[], options: ObxOptions): ItemSelection {
  const whole: ItemSelection = { of: (list) => list, holds: () => true };
  if (options.include === undefined && options.folders !== false) return whole;
  const of = (list: readonly Item[]): Iterable<Item> => selected(list, options);
  return { of, holds: idsOf(items, of) };
}

/** One item with all its parts, as if there were no others. */
export function onlyItem(item: Item): ItemSelection {
  const of = (list: readonly Item[]): Iterable<Item> => list;
  return { of, holds: idsOf([item], of) };
}

function* selected(items: readonly Item[], options: ObxOptions): Generator<Item> {
  for (const item of items) {
    const isIncluded = item.type === "folder" && options.folders === false ? false : options.include?.(item);
    if (isIncluded ?? true) yield item;
    else if (item.type === "folder") yield* selected(item.children, options);
  }
}

/** Collects the ids with the first question: most projects raise none. */
function idsOf(items: readonly Item[], of: ItemSelection["of"]): ItemSelection["holds"] {
  let ids: Set<string> | undefined;
  const collect = (list: readonly Item[], into: Set<string>): Set<string> => {
    for (const item of of(list)) {
      into.add(item.id);
      collect(childrenOf(item), into);
    }
    return into;
  };
  return (id) => {
    ids ??= collect(items, new Set());
    return ids.has(id);
  };
}
