import { Exact, one } from "../exact.js";
import type { Item, ProjectDocument, Quantity, SetArticleItem, View, ViewItem } from "../project/document.js";
import { isPosition, itemIndex } from "../project/item-tree.js";
import { type Basket, nestedBasket } from "./basket-owners.js";
import { mergeNodes } from "./merge-nodes.js";
import { numberPositions, type ViewNode, viewNode } from "./view-node.js";
import { defaultViewRules, findView, isHidden, type ViewRules } from "./view-rules.js";

/** How much of some items the whole project holds; undefined where none of them is a position. */
type TotalQuantity = (items: readonly Item[]) => Quantity | undefined;

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

/**
 * The lines that follow from the basket tree and the modes of a view:
 * - what the view hides is left out with everything below it;
 * - `expand` puts the content of folders ("folders") and the parts of composites ("aggregates", "partialPlannings")
 *   on the level of the folder or composite itself; "groups" and "planningFolders" change nothing, because such
 *   folders of a planning are not part of a project document;
 * - `setArticleMode` "Expand" lists the parts below a set, "Collapse" does not, "Dynamic" does as the set itself
 *   says (`collapsed`), and "BreakUp" lists the parts instead of the set;
 * - equal items are merged as `mergeMode` says;
 * - positions are numbered by what is left.
 */
function derivedNodes(project: ProjectDocument, rules: ViewRules): ViewNode[] {
  const basket = nestedBasket(project);
  const total = totalQuantities(basket);
  const nodesOf = (item: Item): ViewNode[] => {
    if (isHidden(item, rules)) return [];
    const below = basket.children(item).flatMap(nodesOf);
    const line = (children: ViewNode[]): ViewNode => viewNode(item, { quantity: total([item]), children });
    if (item.type === "setArticle" && setMode(item, rules) === "BreakUp") return below;
    if (item.type === "setArticle" && setMode(item, rules) === "Collapse") return [line([])];
    if (!isExpanded(item, rules)) return [line(below)];
    return item.type === "folder" ? below : [line([]), ...below];
  };
  const nodes = mergeNodes(basket.top.flatMap(nodesOf), rules.mergeMode, project);
  numberPositions(nodes);
  return nodes;
}

function setMode(item: SetArticleItem, { setArticleMode }: ViewRules): ViewRules["setArticleMode"] {
  if (setArticleMode !== "Dynamic") return setArticleMode;
  return item.collapsed ? "Collapse" : "Expand";
}

function isExpanded(item: Item, rules: ViewRules): boolean {
  if (item.type === "folder") return rules.expand.includes("folders");
  if (item.type !== "article") return false;
  return (
    (item.articleKind === "aggregate" && rules.expand.includes("aggregates")) ||
    (item.articleKind === "partialPlanning" && rules.expand.includes("partialPlannings"))
  );
}

/**
 * Quantities of parts are per composite or set; here they are multiplied up to what the project holds in total, so
 * that quantity times unit price is the price of a line. Quantities of several items add up in the unit of the first;
 * a part of another of them adds nothing: three desks with their drawers are three.
 */
function totalQuantities(basket: Basket): TotalQuantity {
  const factors = new Map<string, Exact>();
  const owners = new Map<string, Item>();
  const visit = (items: readonly Item[], factor: Exact, owner?: Item): void => {
    for (const item of items) {
      const own = isPosition(item) ? factor.times(item.quantity.value) : factor;
      factors.set(item.id, own);
      if (owner !== undefined) owners.set(item.id, owner);
      visit(basket.children(item), own, item);
    }
  };
  visit(basket.top, one);
  const isPartOf = (item: Item, others: ReadonlySet<Item>): boolean => {
    for (let at = owners.get(item.id); at !== undefined; at = owners.get(at.id)) {
      if (others.has(at)) return true;
    }
    return false;
  };
  return (items) => {
    const all = new Set(items.filter(isPosition));
    const positions = [...all].filter((item) => !isPartOf(item, all));
    const [first] = positions;
    if (first === undefined) return undefined;
    const total = positions.reduce((sum, item) => sum.plus(factors.get(item.id) ?? one), new Exact(0));
    return { value: total.toFixed(), unit: first.quantity.unit };
  };
}
