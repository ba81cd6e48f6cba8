import type { ViewNode } from "./view-node.js";

/**
 * Keeps the lines that are listed, everything below them, and the lines above them as frames.
 * `ids` are ids of view items, or of basket items with `matchBasketItemIds`; then a merged line counts as listed when
 * any of its basket items is. Ids that no line has go to `unknown`.
 */
export function filterNodes(
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
