/** Selects the items of a project to write. */
import type { Item } from "../../project/document.js";
import { childrenOf } from "../../project/item-tree.js";

/** The parts of a project to write to an OBX; the default is all of them. */
export interface ObxOptions {
  /**
   * Whether to write an item. A skipped folder is replaced by its content; all other skipped items are
   * skipped with their parts, for which this is not called.
   */
  include?(item: Item): boolean;
  /** False skips all folders without calling `include`; their content replaces them. */
  folders?: boolean;
  /**
   * True omits everything else that the original files say about prices and discounts, for readers who must
   * not see it: of the kept parts, only those identifying the product data are written.
   */
  listPricesOnly?: boolean;
}

/** The items to write, and a check for references to them. */
export interface ItemSelection {
  /** The items to write instead of these. */
  of(items: readonly Item[]): Iterable<Item>;
  /** Whether the item with that id is written. */
  holds(id: string): boolean;
}

/** Applies `options` to the tree of `items`. */
export function selectItems(items: readonly Item[], options: ObxOptions): ItemSelection {
  const whole: ItemSelection = { of: (list) => list, holds: () => true };
  if (options.include === undefined && options.folders !== false) return whole;
  const of = (list: readonly Item[]): Iterable<Item> => selected(list, options);
  return { of, holds: idsOf(items, of) };
}

/** A single item with all its parts. */
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

/** Collects the ids on first use: most projects contain no references. */
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
