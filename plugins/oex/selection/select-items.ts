/** Selects the exported items of a project, their order and their references. */
import { type ProjectDocument, resolveView, standardViewId, walkNodes } from "@slipway/sdk";
import {
  type ExportedNode,
  ExportedTree,
  holdsArticle,
  itemRules,
  type SelectedItem,
  type SelectionContext,
} from "./exported-tree.js";
import type { LeftOutArticle } from "./left-out.js";

/** The items of a document. */
export interface Selection {
  /** In reading order: parents first. Empty without articles, because then there is no document. */
  items: SelectedItem[];
  /** The articles of the project that are not among them. */
  leftOut: readonly LeftOutArticle[];
}

/** Maximum number of items with numbers in steps of ten (OEX reference, section 10). */
const mostItemsWithGaps = 99_999;

/**
 * The exported items of the project (OEX reference, sections 10, 11 and 17):
 * - articles of the chosen manufacturers, and the folders, sets and texts around them, if flags and format allow them;
 * - without items excluded from orders (or quotations), without alternative and optional ones in orders, and without
 *   negative quantities, each with everything below it;
 * - without empty folders and sets, and without texts of omitted folders, sets and articles.
 */
export function selectItems(context: SelectionContext): Selection {
  const rules = itemRules(context);
  const tree = new ExportedTree(context.project, rules, listPositions(context.project), context.repairs);
  const nodes = tree.nodes();
  const items = nodes.some(holdsArticle) ? numbered(nodes, rules.structure) : [];
  if (rules.structure) addComposites(items);
  const { format } = context;
  if (format.type === "QUOTES" && format.version === "2.3") addAlternatives(items, context);
  return { items, leftOut: tree.leftOut };
}

/** Position numbers of the article list, independent of other views. */
function listPositions(project: ProjectDocument): Map<string, string> {
  const positions = new Map<string, string>();
  for (const { items, position } of walkNodes(resolveView(project, { viewId: standardViewId }).nodes)) {
    for (const { id, type } of items) if (type !== "text") positions.set(id, position);
  }
  return positions;
}

function numbered(top: readonly ExportedNode[], structure: boolean): SelectedItem[] {
  const items: SelectedItem[] = [];
  const visit = (nodes: readonly ExportedNode[], parent: SelectedItem | undefined): void => {
    for (const { kind, item: each, status, position, quantity, children } of nodes) {
      const item: SelectedItem = {
        kind,
        item: each,
        status,
        position,
        quantity,
        itemNumber: "",
        parent: structure ? parent : undefined,
        composite: undefined,
        alternativeTo: undefined,
      };
      items.push(item);
      visit(children, item);
    }
  };
  visit(top, undefined);
  const step = items.length > mostItemsWithGaps ? 1 : 10;
  items.forEach((item, index) => {
    item.itemNumber = String((index + 1) * step).padStart(6, "0");
  });
  return items;
}

/**
 * The composite of a part is the main article that it refers to, else the article above it. It must come earlier:
 * projects may have circular references.
 */
function addComposites(items: readonly SelectedItem[]): void {
  const before = new Map<string, SelectedItem>();
  for (const each of items) {
    if (each.item.type !== "article") continue;
    each.composite = before.get(each.item.mainArticleId ?? "") ?? articleAbove(each);
    before.set(each.item.id, each);
  }
}

function articleAbove({ parent }: SelectedItem): SelectedItem | undefined {
  let above = parent;
  while (above?.kind === "folder") above = above.parent;
  return above?.item.type === "article" ? above : undefined;
}

/**
 * Version 2.3 requires the target of an alternative, which projects do not state. The active article before it is used,
 * else the first one after it, with a report.
 */
function addAlternatives(items: readonly SelectedItem[], { repairs }: SelectionContext): void {
  let before = items.find(({ kind, status }) => kind === "article" && status === "active");
  for (const each of items) {
    if (each.kind !== "article") continue;
    if (each.status === "active") before = each;
    if (each.status !== "alternative" || before === undefined) continue;
    each.alternativeTo = before;
    repairs.forItem({ id: each.item.id, position: each.position }).report({
      field: "inactive",
      value: "alternative",
      change: `written as an alternative to item "${before.itemNumber}": the project does not say to which`,
    });
  }
}
