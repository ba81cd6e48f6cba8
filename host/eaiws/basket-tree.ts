/** The basket, or a view of it, as a tree of items with their ids; the top folder is around all. */
import {
  badRequest,
  type Item,
  type ProjectDocument,
  resolveView,
  shownValue,
  type ViewNode,
} from "@slipway/sdk";
import { topFolderId, topItemId } from "@slipway/sdk/runtime/host";

/** An item with its place. The top folder has no `item`. */
export interface BasketNode {
  id: string;
  item: Item | undefined;
  /** The items of the basket; of a line that merges equal ones, several. */
  basketItems: readonly Item[];
  /** Such as "2.1"; empty for texts and for the top folder. */
  position: string;
  /** In the whole project, as a view counts it. */
  quantity: ViewNode["quantity"];
  parent: BasketNode | undefined;
  children: BasketNode[];
}

/** The nodes of the basket or of one of its views, by id. */
export interface BasketTree {
  top: BasketNode;
  /** Parents first; without the top folder. */
  all: readonly BasketNode[];
  byId: ReadonlyMap<string, BasketNode>;
}

const trees = new WeakMap<ProjectDocument, Map<string, BasketTree>>();

/** 422 `request-view-not-found` for an unknown view. Without one, the basket itself. */
export function basketTree(project: ProjectDocument, viewId?: string): BasketTree {
  const known = trees.get(project) ?? new Map<string, BasketTree>();
  trees.set(project, known);
  const key = viewId?.toLowerCase() ?? "";
  const tree = known.get(key) ?? newTree(project, viewId);
  known.set(key, tree);
  return tree;
}

function newTree(project: ProjectDocument, viewId: string | undefined): BasketTree {
  const { defaultViewId: _, views: __, ...basket } = project;
  const { view, nodes } =
    viewId === undefined ? resolveView(basket) : resolveView(project, { viewId: viewId.toLowerCase() });
  const top: BasketNode = {
    id: view === undefined ? topFolderId(project) : topItemId(project, view),
    item: undefined,
    basketItems: [],
    position: "",
    quantity: undefined,
    parent: undefined,
    children: [],
  };
  const all: BasketNode[] = [];
  const place = (node: ViewNode, parent: BasketNode): void => {
    const { id, item, items: basketItems, position, quantity } = node;
    const placed: BasketNode = { id, item, basketItems, position, quantity, parent, children: [] };
    parent.children.push(placed);
    all.push(placed);
    for (const child of node.children) place(child, placed);
  };
  for (const node of nodes) place(node, top);
  return { top, all, byId: new Map([top, ...all].map((node) => [node.id.toLowerCase(), node])) };
}

/** Which items besides the named ones a request is about. */
export interface ItemSelection {
  wholeComposite?: boolean;
  subItems?: boolean;
  parentItems?: boolean;
}

/**
 * The named items, each once, in the order of the tree; without names all but the top folder. 400 `request-bad-request`
 * for ids that are not there.
 */
export function selectedNodes(
  { top, all, byId }: BasketTree,
  itemIds: readonly string[] | undefined,
  { wholeComposite = false, subItems = false, parentItems = false }: ItemSelection = {},
): BasketNode[] {
  if (itemIds === undefined) return [...all];
  const found = itemIds.map((id) => byId.get(id.toLowerCase()));
  const missing = itemIds.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) {
    const expected = "the id of an item";
    throw badRequest(
      "The project does not have all of the items",
      missing.map((id) => ({ path: "itemIds", expected, received: shownValue(id) })),
    );
  }
  const wanted = new Set<BasketNode>();
  const whole = new Set<BasketNode>();
  const addBelow = (node: BasketNode): void => {
    if (whole.has(node)) return;
    whole.add(node);
    wanted.add(node);
    for (const child of node.children) addBelow(child);
  };
  for (const node of found) {
    if (node === undefined) continue;
    if (subItems) addBelow(node);
    else wanted.add(node);
    if (wholeComposite && isComposite(node)) addBelow(node);
    if (parentItems) for (let at = node.parent; at !== undefined; at = at.parent) wanted.add(at);
  }
  return [top, ...all].filter((node) => wanted.has(node));
}

function isComposite({ item, children }: BasketNode): boolean {
  return item?.type === "article" && children.length > 0;
}

/** The id of the set around an item. */
export function setAround(node: BasketNode): string | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.item?.type === "setArticle") return at.id;
  return undefined;
}

/** The ids of everything below a node. */
export function idsBelow(node: BasketNode): string[] {
  return node.children.flatMap((child) => [child.id, ...idsBelow(child)]);
}
