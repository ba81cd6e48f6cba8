import type { ProjectDocument, View } from "../project/document.js";
import { derivedNodes } from "./derived-view.js";
import { explicitNodes } from "./explicit-view.js";
import { filterNodes } from "./filter-nodes.js";
import type { ViewNode } from "./view-node.js";
import { defaultViewRules, findView } from "./view-rules.js";

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
