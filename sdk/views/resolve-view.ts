import type { Item, ProjectDocument, View, ViewItem } from "../project/document.js";
import { itemIndex } from "../project/item-tree.js";
import { nestedBasket } from "./basket-owners.js";
import { derivedNodes } from "./derived-view.js";
import { totalQuantities } from "./total-quantities.js";
import { type ViewNode, viewNode } from "./view-node.js";
import { defaultViewRules, findView, isHidden, type ViewRules } from "./view-rules.js";

/** What a request says of the lines that it wants. */
export interface ViewRequest {
  /** Without it the project's default view, or the basket itself where there is none. */
  viewId?: string | undefined;
  /** Ids of the lines to include; none or an empty list means all. */
  items?: readonly string[] | undefined;
  /** `items` are ids of basket items instead of view items. */
  matchBasketItemIds?: boolean | undefined;
}

/** The lines of a view in print order. */
export interface ResolvedView {
  /** Undefined where the lines follow from the basket alone. */
  view: View | undefined;
  /** The lines at the top; `walkNodes` goes through all of them. */
  nodes: ViewNode[];
  /** Whether `items` left something out. */
  filtered: boolean;
  /** Ids of `items` that no line has. */
  unknownItemIds: string[];
  /** Ids of basket items that the view lists and the basket does not have. */
  lostItemIds: string[];
}

/**
 * The lines that a request asks for, in print order with position numbers and quantities. A view that lists items
 * counts as it is; one that lists none, and no view, give the lines that follow from the basket.
 *
 * @example
 * ```ts
 * const { nodes, unknownItemIds } = resolveView(project, { viewId: body.viewId, items: body.items });
 * for (const { item, position, quantity } of walkNodes(nodes)) {
 *   if (isPosition(item)) rows.push([position, quantity?.value ?? "", articleNumbers(item).shown]);
 * }
 * ```
 *
 * @throws {@link RequestError} 422 `request-view-not-found` where the project has no such view
 */
export function resolveView(project: ProjectDocument, request: ViewRequest = {}): ResolvedView {
  const view = findView(project, request.viewId);
  const lostItemIds: string[] = [];
  const all =
    view === undefined || view.items.length === 0
      ? derivedNodes(project, view ?? defaultViewRules)
      : explicitNodes(project, view.items, view, lostItemIds);
  const ids = request.items ?? [];
  const unknownItemIds: string[] = [];
  const filtered = ids.length > 0;
  const nodes = filtered ? filterNodes(all, ids, request.matchBasketItemIds ?? false, unknownItemIds) : all;
  return { view, nodes, filtered, unknownItemIds, lostItemIds };
}

/**
 * The lines of a view that lists its items. Order, nesting, merging and position numbers are those of the list; only
 * what the view hides is left out. A view item whose basket items are all gone gives its place to what is below it;
 * their ids go to `lost`.
 */
function explicitNodes(
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

/**
 * Keeps the lines that are listed, everything below them, and the lines above them as frames.
 * `ids` are ids of view items, or of basket items with `matchBasketItemIds`; then a merged line counts as listed when
 * any of its basket items is. Ids that no line has go to `unknown`.
 */
function filterNodes(
  nodes: readonly ViewNode[],
  ids: readonly string[],
  matchBasketItemIds: boolean,
  unknown: string[],
): ViewNode[] {
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  const found = new Set<string>();
  const isListed = (node: ViewNode): boolean => {
    const own = matchBasketItemIds ? node.items.map((item) => item.id) : [node.id];
    const listed = own.map((id) => id.toLowerCase()).filter((id) => wanted.has(id));
    for (const id of listed) found.add(id);
    return listed.length > 0;
  };
  const keep = (node: ViewNode): ViewNode[] => {
    const children = node.children.flatMap(keep);
    if (isListed(node)) return [node];
    return children.length > 0 ? [{ ...node, frame: true, children }] : [];
  };
  const kept = nodes.flatMap(keep);
  // A request may name more ids than a call may have arguments.
  for (const id of ids) if (!found.has(id.toLowerCase())) unknown.push(id);
  return kept;
}
