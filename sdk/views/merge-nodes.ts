/** Merges equal articles into one line. */
import { Exact } from "../locale/exact.js";
import type { Item, ProjectDocument, View } from "../project/document.js";
import { isPosition } from "../project/item-tree.js";
import { type ViewNode, walkNodes } from "./view-node.js";

type MergeMode = View["mergeMode"];

/**
 * Merges the lines of each level:
 * - "Articles": equal articles without parts, outside of composites and sets;
 * - "SubArticles": these and equal parts of one composite or set;
 * - "Composites": equal articles and equal composites, whose parts may come in any order; "CompositesStrict": the same
 *   with the parts in the same order;
 * - "Compact": a composite and its parts become one line; "ArticlesCompact": then equal articles are merged too.
 *
 * A merged line has the position and id of its first item, and the sum of the quantities.
 */
export function mergeNodes(nodes: ViewNode[], mode: MergeMode, project: ProjectDocument): ViewNode[] {
  if (mode === "None") return nodes;
  const compacted = mode === "Compact" || mode === "ArticlesCompact" ? nodes.map(compact) : nodes;
  return mode === "Compact" ? compacted : new Merger(mode, articleIdentity(project)).level(compacted, false);
}

/** A line to merge equal ones into. */
interface MergedNode extends ViewNode {
  items: Item[];
  children: MergedNode[];
}

class Merger {
  /** Short names of distinct parts, so that keys of deeply nested composites stay short. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly mode: MergeMode,
    private readonly identity: (item: Item) => string,
  ) {}

  /** `parts`: the lines are parts of a composite or of a set. */
  level(nodes: readonly ViewNode[], parts: boolean): MergedNode[] {
    const merged: MergedNode[] = [];
    const byKey = new Map<string, MergedNode>();
    for (const node of nodes) {
      const children = this.level(node.children, parts || node.item.type !== "folder");
      const own = { ...node, items: [...node.items], children };
      const key = parts && this.mode !== "SubArticles" ? undefined : this.key(own);
      const equal = key === undefined ? undefined : byKey.get(key);
      if (equal !== undefined) this.join(equal, own);
      else merged.push(own);
      if (equal === undefined && key !== undefined) byKey.set(key, own);
    }
    return merged;
  }

  /** Merge key of a line; undefined for lines that are never merged. */
  private key(node: ViewNode): string | undefined {
    if (!isPosition(node.item) || node.item.type === "setArticle") return undefined;
    const composites = this.mode === "Composites" || this.mode === "CompositesStrict";
    if (node.children.length > 0 && !composites) return undefined;
    return [...node.items.map(this.identity), ...this.keysOfParts(node)].join("\n");
  }

  private keysOfParts(node: ViewNode): string[] {
    const keys = node.children.map((part) => this.partKey(part));
    return this.mode === "CompositesStrict" ? keys : keys.sort();
  }

  private partKey(part: ViewNode): string {
    const own = isPosition(part.item) ? new Exact(part.item.quantity.value).toFixed() : "";
    const key = [own, this.identity(part.item), ...this.keysOfParts(part)].join("\n");
    const name = this.names.get(key) ?? `#${this.names.size}`;
    this.names.set(key, name);
    return name;
  }

  /** Merges an equal line into the first one, part by part. */
  private join(target: MergedNode, node: MergedNode): void {
    const rest = [...node.children];
    for (const part of target.children) {
      const key = this.partKey(part);
      const at = rest.findIndex((each) => this.partKey(each) === key);
      const [twin] = at < 0 ? [] : rest.splice(at, 1);
      if (twin !== undefined) this.join(part, twin);
    }
    for (const item of node.items) target.items.push(item);
    if (target.quantity === undefined || node.quantity === undefined) return;
    const sum = new Exact(target.quantity.value).plus(node.quantity.value);
    target.quantity = { value: sum.toFixed(), unit: target.quantity.unit };
  }
}

/** A composite as one line that represents itself and all of its parts, with the composite's quantity and texts. */
function compact(node: ViewNode): ViewNode {
  const composite = node.item.type === "article" && node.children.length > 0;
  if (!composite) return { ...node, children: node.children.map(compact) };
  const parts = [...walkNodes(node.children)].flatMap((part) => part.items);
  return { ...node, items: [...node.items, ...parts], children: [] };
}

/** Members that may differ between equal articles: their own ids, place, picture and quantity. */
const individual = new Set([
  "id",
  "quantity",
  "images",
  "fields",
  "planning",
  "appData",
  "children",
  "mainArticleId",
  "setArticleId",
  "updateState",
]);

/**
 * Returns a function that gives the identity of an article: numbers, texts, prices, its own discounts, and users'
 * values in its text columns. Articles with the same identity print the same line except for their quantity.
 */
export function articleIdentity(project: ProjectDocument): (item: Item) => string {
  const conditions = conditionsByItem(project);
  const known = new Map<string, string>();
  const identity = (item: Item): string =>
    JSON.stringify([ownMembers(item), textFields(project, item), conditions.get(item.id) ?? []]);
  return (item) => {
    const found = known.get(item.id) ?? identity(item);
    known.set(item.id, found);
    return found;
  };
}

function ownMembers(item: Item): [string, unknown][] {
  const members = Object.entries(item).filter(([name]) => !individual.has(name));
  const unit = "quantity" in item ? item.quantity.unit : "";
  return [["unit", unit], ...members.sort(byName)];
}

function textFields(project: ProjectDocument, item: Item): [string, string][] {
  const fields = Object.entries(item.fields ?? {});
  return fields.filter(([, value]) => !Object.hasOwn(project.assets ?? {}, value)).sort(byName);
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

function conditionsByItem(project: ProjectDocument): Map<string, unknown[]> {
  const byItem = new Map<string, unknown[]>();
  for (const { itemId, ...record } of project.conditions ?? []) {
    if (itemId === undefined) continue;
    const records = byItem.get(itemId) ?? [];
    records.push(record);
    byItem.set(itemId, records);
  }
  return byItem;
}
