/** Pastes the items of an OBX into a project. */
import { randomUUID } from "node:crypto";
import { badRequest, type Item, type ProjectDocument, shownValue, walkItems } from "@slipway/sdk";
import { topFolderId } from "@slipway/sdk/runtime/host";

export interface PastePlace {
  /** Id of the folder; "" for the top folder. */
  fatherId: string;
  /** Id of the item in the folder before which to paste; "" for its end. */
  beforeId: string;
  /** Keeps the ids of items, as far as the project does not have them already. */
  reuseItemIds: boolean;
}

/**
 * The project with the items, and the ids of those that are not parts of others. An empty project takes over a currency that it
 * has no exchange rate for. Sheets that another program computed go, because they lack the items; views follow from the basket.
 * 400 `request-bad-request` for a place that is not there, and otherwise for items in such a currency.
 */
export function withPasted(
  project: ProjectDocument,
  pasted: ProjectDocument,
  place: PastePlace,
): { project: ProjectDocument; ids: string[] } {
  const renamed = withNewIds(project, pasted, place.reuseItemIds);
  const { calculations: _, ...base } = project;
  const procedures = [...(project.procedures ?? [])];
  for (const each of pasted.procedures ?? [])
    if (!procedures.some(({ name }) => name === each.name)) procedures.push(each);
  const conditions = [...(project.conditions ?? []), ...renamed.conditions];
  const manufacturers = withNames(project.manufacturers, pasted.manufacturers);
  return {
    ids: renamed.items.map(({ id }) => id),
    project: {
      ...base,
      settings: settingsOf(project, pasted),
      items: inserted(project, renamed.items, place),
      ...(procedures.length > 0 && { procedures }),
      ...(conditions.length > 0 && { conditions }),
      ...(manufacturers && { manufacturers }),
      ...(project.views && { views: project.views.map((view) => ({ ...view, items: [] })) }),
    },
  };
}

function settingsOf(project: ProjectDocument, pasted: ProjectDocument): ProjectDocument["settings"] {
  const { settings } = project;
  const { currency, referenceCurrency, exchangeRates } = pasted.settings;
  const scheme = settings.defaultScheme ?? pasted.settings.defaultScheme;
  const own = { ...settings, ...(scheme !== undefined && { defaultScheme: scheme }) };
  const known = [settings.currency, settings.referenceCurrency, ...Object.keys(settings.exchangeRates)];
  if (pasted.items.length === 0 || known.includes(currency)) return own;
  if (project.items.length === 0) return { ...own, currency, referenceCurrency, exchangeRates };
  const expected = `items in one of the currencies ${[...new Set(known)].join(", ")}`;
  const message = `The items have prices in ${currency}, for which the project has no exchange rate; paste ${expected}.`;
  throw badRequest({ message }, [{ path: "uri", expected, received: shownValue(currency) }]);
}

/** The items with ids that the project does not have, and what is stated for items with these ids. */
function withNewIds(project: ProjectDocument, pasted: ProjectDocument, reuses: boolean) {
  const taken = new Set([topFolderId(project), ...idsIn(project)]);
  const newIds = new Map(idsIn(pasted).map((id) => [id, reuses && !taken.has(id) ? id : randomUUID()]));
  const idOf = (id: string): string => newIds.get(id) ?? id;
  const renamed = (item: Item): Item => {
    switch (item.type) {
      case "text":
        return { ...item, id: idOf(item.id) };
      case "folder":
        return { ...item, id: idOf(item.id), children: item.children.map(renamed) };
      case "article":
        return {
          ...item,
          id: idOf(item.id),
          ...(item.children && { children: item.children.map(renamed) }),
          ...(item.mainArticleId !== undefined && { mainArticleId: idOf(item.mainArticleId) }),
          ...(item.setArticleId !== undefined && { setArticleId: idOf(item.setArticleId) }),
        };
      default:
        return { ...item, id: idOf(item.id), ...(item.children && { children: item.children.map(renamed) }) };
    }
  };
  // What is stated for the whole project is not of its items.
  const conditions = (pasted.conditions ?? []).flatMap((each) =>
    each.itemId === undefined ? [] : [{ ...each, itemId: idOf(each.itemId) }],
  );
  return { items: pasted.items.map(renamed), conditions };
}

const idsIn = ({ items }: ProjectDocument): string[] => [...walkItems(items)].map(({ id }) => id);

/** The names of both; those of the project go first. */
function withNames(
  names: ProjectDocument["manufacturers"],
  others: ProjectDocument["manufacturers"],
): ProjectDocument["manufacturers"] {
  if (names === undefined || others === undefined) return names ?? others;
  const all = { ...others, ...names };
  for (const [id, { name, series }] of Object.entries(names))
    all[id] = { name, series: { ...(Object.hasOwn(others, id) ? others[id]?.series : {}), ...series } };
  return all;
}

function inserted(
  project: ProjectDocument,
  items: readonly Item[],
  { fatherId, beforeId }: PastePlace,
): Item[] {
  const father = fatherId.toLowerCase();
  if (father === "" || father === topFolderId(project).toLowerCase())
    return insertedBefore(project.items, items, beforeId);
  let isFound = false;
  const into = (list: readonly Item[]): Item[] =>
    list.map((item) => {
      if (isFound || item.type !== "folder") return item;
      isFound = item.id.toLowerCase() === father;
      const children = isFound ? insertedBefore(item.children, items, beforeId) : into(item.children);
      return { ...item, children };
    });
  const all = into(project.items);
  if (!isFound) throw noPlace("fatherId", "the id of a folder", fatherId);
  return all;
}

function insertedBefore(list: readonly Item[], items: readonly Item[], beforeId: string): Item[] {
  if (beforeId === "") return [...list, ...items];
  const at = list.findIndex(({ id }) => id.toLowerCase() === beforeId.toLowerCase());
  if (at < 0) throw noPlace("beforeId", "the id of an item in this folder", beforeId);
  return [...list.slice(0, at), ...items, ...list.slice(at)];
}

function noPlace(path: string, expected: string, received: string): Error {
  return badRequest("The items cannot be pasted there", [{ path, expected, received: shownValue(received) }]);
}
