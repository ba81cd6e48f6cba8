import type { Item, ProjectDocument, ViewItem } from "../project/document.js";
import { itemIndex } from "../project/item-tree.js";
import { nestedBasket } from "./basket-owners.js";
import { totalQuantities } from "./total-quantities.js";
import { type ViewNode, viewNode } from "./view-node.js";
import { isHidden, type ViewRules } from "./view-rules.js";

/**
 * The lines of a view that lists its items. Order, nesting, merging and position numbers are those of the list; only
 * what the view hides is left out. A view item whose basket items are all gone gives its place to what is below it;
 * their ids go to `lost`.
 */
export function explicitNodes(
  project: ProjectDocument,
  viewItems: readonly ViewItem[],
  rules: ViewRules,
  lost: string[],
): ViewNode[] {
  const index = itemIndex(project);
  const total = totalQuantities(nestedBasket(project));
  const find = (id: string): Item[] => {
    const found = index.get(id)?.item;
    if (found === undefined) lost.push(id);
    return found === undefined ? [] : [found];
  };
  const nodesOf = (entry: ViewItem): ViewNode[] => {
    const known = [...new Set(entry.basketItemIds)].flatMap(find);
    const items = known.filter((item) => !isHidden(item, rules));
    if (known.length > 0 && items.length === 0) return [];
    const children = (entry.children ?? []).flatMap(nodesOf);
    const [first] = items;
    if (first === undefined) return children;
    const { id, positionNumber: position } = entry;
    return [viewNode(first, { id, items, position, quantity: entry.quantity ?? total(items), children })];
  };
  return viewItems.flatMap(nodesOf);
}
