/** Checks what a schema cannot: unique ids and valid references. */
import type { ReadWarning } from "../../formats/index.js";
import type { Item, ProjectDocument, View } from "../../project/document.js";
import { childrenOf, isPosition } from "../../project/item-tree.js";
import type { Violation } from "../../schema/violation.js";

type Found = Violation[];

/** All invalid references inside a project. */
export function brokenReferences(project: ProjectDocument): Violation[] {
  const found: Found = [];
  const items = itemIds(project, found);
  itemReferences(project, items, found);
  viewReferences(project, items, found);
  partyReferences(project, found);
  repeated(project.columns ?? [], (column) => column.id, "project.columns", "id", found);
  repeated(project.procedures ?? [], (procedure) => procedure.name, "project.procedures", "name", found);
  for (const [index, condition] of (project.conditions ?? []).entries()) {
    if (condition.itemId !== undefined)
      known(items, condition.itemId, `project.conditions[${index}].itemId`, found);
  }
  for (const [index, calculation] of (project.calculations ?? []).entries()) {
    for (const id of Object.keys(calculation.items))
      known(items, id, `project.calculations[${index}].items`, found);
  }
  return found;
}

/**
 * One warning for all pictures that items refer to but the project does not contain. Not an error: an OBX
 * names the pictures of its articles without including them, and reports work without them.
 */
export function missingPictures(project: ProjectDocument): ReadWarning[] {
  const missing: string[] = [];
  for (const { item, path } of placed(project.items, "project.items")) {
    for (const [index, { asset }] of (isPosition(item) ? (item.images ?? []) : []).entries()) {
      if (!Object.hasOwn(project.assets ?? {}, asset)) missing.push(`${path}.images[${index}]`);
    }
  }
  const [path] = missing;
  if (path === undefined) return [];
  const message = "The project does not hold the picture that is referred to here";
  return [{ path, message, ...(missing.length > 1 ? { count: missing.length } : {}) }];
}

/** Each item with its path, parents first. */
function* placed(items: readonly Item[], path: string): Generator<{ item: Item; path: string }> {
  for (const [index, item] of items.entries()) {
    const here = `${path}[${index}]`;
    yield { item, path: here };
    yield* placed(childrenOf(item), `${here}.children`);
  }
}

function itemIds(project: ProjectDocument, found: Found): Set<string> {
  const ids = new Set<string>();
  for (const { item, path } of placed(project.items, "project.items"))
    unique(ids, item.id, `${path}.id`, found);
  return ids;
}

function itemReferences(project: ProjectDocument, items: Set<string>, found: Found): void {
  for (const { item, path } of placed(project.items, "project.items")) {
    if (item.type !== "article") continue;
    if (item.mainArticleId !== undefined) known(items, item.mainArticleId, `${path}.mainArticleId`, found);
    if (item.setArticleId !== undefined) known(items, item.setArticleId, `${path}.setArticleId`, found);
  }
}

function viewReferences(project: ProjectDocument, items: Set<string>, found: Found): void {
  const views = project.views ?? [];
  repeated(views, (view) => view.id, "project.views", "id", found);
  if (project.defaultViewId !== undefined && !views.some((view) => view.id === project.defaultViewId)) {
    const expected = "the id of a view of the project";
    found.push({ path: "project.defaultViewId", expected, received: JSON.stringify(project.defaultViewId) });
  }
  for (const [index, view] of views.entries()) {
    viewItems(view.items, `project.views[${index}].items`, items, new Set(), found);
  }
}

function viewItems(
  lines: View["items"],
  path: string,
  items: Set<string>,
  seen: Set<string>,
  found: Found,
): void {
  for (const [index, line] of lines.entries()) {
    const here = `${path}[${index}]`;
    unique(seen, line.id, `${here}.id`, found);
    for (const [at, id] of line.basketItemIds.entries())
      known(items, id, `${here}.basketItemIds[${at}]`, found);
    viewItems(line.children ?? [], `${here}.children`, items, seen, found);
  }
}

function partyReferences(project: ProjectDocument, found: Found): void {
  const addresses = project.addresses ?? [];
  const contacts = project.contacts ?? [];
  repeated(addresses, (address) => address.addressType, "project.addresses", "addressType", found);
  repeated(contacts, (contact) => String(contact.id), "project.contacts", "id", found);
  const ids = new Set(contacts.map((contact) => contact.id));
  for (const [index, address] of addresses.entries()) {
    for (const [at, id] of (address.contactIds ?? []).entries()) {
      if (ids.has(id)) continue;
      const expected = "the id of a contact of the project";
      found.push({ path: `project.addresses[${index}].contactIds[${at}]`, expected, received: String(id) });
    }
  }
}

function repeated<T>(
  list: readonly T[],
  key: (each: T) => string,
  path: string,
  field: string,
  found: Found,
): void {
  const seen = new Set<string>();
  for (const [index, each] of list.entries()) unique(seen, key(each), `${path}[${index}].${field}`, found);
}

function unique(seen: Set<string>, id: string, path: string, found: Found): void {
  if (seen.has(id))
    found.push({ path, expected: "a value of its own", received: `${JSON.stringify(id)} once more` });
  seen.add(id);
}

function known(ids: Set<string>, id: string, path: string, found: Found): void {
  if (!ids.has(id))
    found.push({ path, expected: "the id of an item of the project", received: JSON.stringify(id) });
}
