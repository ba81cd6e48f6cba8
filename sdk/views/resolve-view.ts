import { Exact, one } from "../locale/exact.js";
import type { Item, ProjectDocument, Quantity, SetArticleItem, View, ViewItem } from "../project/document.js";
import { isPosition, itemIndex } from "../project/item-tree.js";
import { RequestError, type Suppression, suppressEach } from "../schema/errors.js";
import { type Basket, nestedBasket } from "./basket-owners.js";
import { mergeNodes } from "./merge-nodes.js";
import { numberPositions, type ViewNode, viewNode } from "./view-node.js";
import { defaultViewRules, findView, isHidden, type ViewRules } from "./view-rules.js";

/** The quantity of some items in the whole project; undefined if none of them is a position. */
type TotalQuantity = (items: readonly Item[]) => Quantity | undefined;

/** The requested lines. */
export interface ViewRequest {
  /** Default: the project's default view, or else the basket itself. */
  viewId?: string | undefined;
  /** Ids of the lines to include; missing or empty means all. */
  items?: readonly string[] | undefined;
  /** Whether `items` are ids of basket items instead of view items. */
  matchBasketItemIds?: boolean | undefined;
}

/** The lines of a view in print order. */
export interface ResolvedView {
  /** Undefined if the lines follow from the basket alone. */
  view: View | undefined;
  /** The top-level lines; `walkNodes` iterates over all of them. */
  nodes: ViewNode[];
  /** Whether `items` filtered the lines. */
  filtered: boolean;
  /** Ids of `items` without a line. */
  unknownItemIds: string[];
  /** Ids of basket items that the view lists and the basket lacks. */
  lostItemIds: string[];
  /** Ids of the articles and sets that the view hides, because they are not for offers or not for orders. */
  hiddenItemIds: string[];
}

/**
 * The requested lines, in print order with position numbers and quantities. A view with explicit items is used
 * unchanged; without such a view, the lines follow from the basket.
 *
 * @example
 * ```ts
 * const { nodes, unknownItemIds } = resolveView(project, { viewId: body.viewId, items: body.items });
 * for (const { item, position, quantity } of walkNodes(nodes)) {
 *   if (isPosition(item)) rows.push([position, quantity?.value ?? "", articleNumbers(item).shown]);
 * }
 * ```
 *
 * @throws {@link RequestError} 422 `request-view-not-found` if the project has no such view
 */
export function resolveView(project: ProjectDocument, request: ViewRequest = {}): ResolvedView {
  const view = findView(project, request.viewId);
  const lostItemIds: string[] = [];
  const hiddenItemIds: string[] = [];
  const isShown = (rules: ViewRules) => (item: Item) => {
    const hidden = isHidden(item, rules);
    if (hidden && isPosition(item)) hiddenItemIds.push(item.id);
    return !hidden;
  };
  const all =
    view === undefined || view.items.length === 0
      ? derivedNodes(project, view ?? defaultViewRules, isShown(view ?? defaultViewRules))
      : explicitNodes(project, view.items, isShown(view), lostItemIds);
  const ids = request.items ?? [];
  const unknownItemIds: string[] = [];
  const filtered = ids.length > 0;
  const nodes = filtered ? filterNodes(all, ids, request.matchBasketItemIds ?? false, unknownItemIds) : all;
  return { view, nodes, filtered, unknownItemIds, lostItemIds, hiddenItemIds };
}

/**
 * The lines of a view with explicit items. Order, nesting, merging and position numbers are those of the view; only
 * items that it hides are left out. The children of a view item without any remaining basket item replace it; the
 * missing ids are added to `lost`.
 */
function explicitNodes(
  project: ProjectDocument,
  viewItems: readonly ViewItem[],
  isShown: (item: Item) => boolean,
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
    const items = known.filter(isShown);
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
 * Keeps the listed lines, everything below them, and the lines above them as frames. `ids` are ids of view items, or of
 * basket items with `matchBasketItemIds`; a merged line is then listed if any of its basket items is. Ids without a
 * line are added to `unknown`.
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
  // A request may have more ids than a call takes arguments.
  for (const id of ids) if (!found.has(id.toLowerCase())) unknown.push(id);
  return kept;
}

/**
 * The lines that follow from the basket tree and the modes of a view:
 * - hidden items are left out with everything below them;
 * - `expand` moves the content of folders ("folders") and the parts of composites ("aggregates", "partialPlannings") to
 *   the level of the folder or composite itself; "groups" and "planningFolders" have no effect, because a project
 *   document does not have such planning folders;
 * - `setArticleMode` "Expand" lists the parts below a set, "Collapse" does not, "Dynamic" depends on the set
 *   (`collapsed`), and "BreakUp" lists the parts instead of the set;
 * - equal items are merged by `mergeMode`;
 * - the remaining lines are numbered.
 */
function derivedNodes(
  project: ProjectDocument,
  rules: ViewRules,
  isShown: (item: Item) => boolean,
): ViewNode[] {
  const basket = nestedBasket(project);
  const total = totalQuantities(basket);
  const nodesOf = (item: Item): ViewNode[] => {
    if (!isShown(item)) return [];
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
 * Quantities of parts are per composite or set; here they are multiplied up to the project's total, so that quantity
 * times unit price is the price of a line. Quantities of several items are added in the unit of the first one. A part
 * of another of these items adds nothing: three desks with their drawers are three.
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

/** Ids listed in one error; of the others it has the number. */
const mostListed = 100;

/**
 * The error of a request for an empty view: 422 `project-empty`. `additionalInformation.hiddenItemIds` lists what the
 * view hides, and `more` is the number of those that are not listed.
 */
export function emptyView({ filtered, view, hiddenItemIds: hidden }: ResolvedView): RequestError {
  const what = view === undefined ? "The project" : `The view "${view.name}"`;
  const message = filtered
    ? `${what} has none of the requested items. Choose other items.`
    : hidden.length > 0
      ? `${what} hides all of its items, because the project excludes them from offers or from orders. Choose another view.`
      : `${what} has no items. Add articles to it, or choose another view.`;
  const more = hidden.length - mostListed;
  return new RequestError({
    id: "project-empty",
    code: 422,
    message,
    ...(hidden.length > 0 && {
      additionalInformation: { hiddenItemIds: hidden.slice(0, mostListed), ...(more > 0 && { more }) },
    }),
  });
}

/** Reports unknown ids of a request (`item-not-found`) or of a view (`view-item-lost`). */
export function reportViewFindings(view: ResolvedView, suppress: (suppression: Suppression) => void): void {
  const where = view.view === undefined ? "The project" : `The view "${view.view.name}"`;
  const unknown = (id: string): Suppression => ({
    id: "item-not-found",
    scope: "WARN",
    message: `${where} has no item "${id}", which \`items\` asks for.`,
    additionalInformation: { itemId: id },
  });
  suppressEach(view.unknownItemIds, unknown, suppress);
  for (const id of view.lostItemIds) {
    suppress({
      id: "view-item-lost",
      scope: "WARN",
      message: `${where} lists the item "${id}", which the project does not have.`,
      additionalInformation: { itemId: id },
    });
  }
}
