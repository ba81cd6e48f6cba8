import type { Item, ProjectDocument } from "../project/document.js";

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
