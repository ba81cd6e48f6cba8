/**
 * Views: elements `view` and `view.4`, each with its own items and their position numbers. A line is about the
 * basket item in its `basketId`, or about those that its `bskItemRef` elements name, as merged lines do.
 */
import type { View, ViewItem } from "../../project/document.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { keptParts } from "./read-kept.js";
import { stableId, usualTopItemId } from "./stable-id.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf, plainName, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

interface ViewReading {
  context: ReadContext;
  /** Ids already used in the view. */
  lineIds: Set<string>;
}

/** Of two views with the same id, the later one wins: the newer form of the element follows the older one. */
export function readViews(basket: XmlElement, context: ReadContext): View[] | undefined {
  const views = new Map<string, View>();
  for (const element of childrenOf(basket, "view")) {
    const view = readView(element, context);
    if (view) views.set(view.id, view);
  }
  return views.size === 0 ? undefined : [...views.values()];
}

function readView(element: XmlElement, context: ReadContext): View | undefined {
  const id = uuidOf(element, "id");
  if (id === undefined) {
    warn(context, element, "skipped: a view without an id");
    return undefined;
  }
  const mode = childOf(childOf(element, "viewConfig"), "displayMode");
  const readMode = <Name>(names: ReadonlyMap<string, Name>, attribute: string): Name | undefined => {
    const number = attributeOf(mode, attribute);
    const name = number === undefined ? undefined : names.get(number);
    if (mode !== undefined && number !== undefined && name === undefined)
      warn(
        context,
        mode,
        `the ${attribute} "${number.slice(0, 60)}" is not known; the usual one takes its place`,
      );
    return name;
  };
  const reading = { context, lineIds: new Set<string>() };
  return {
    id,
    name: attributeOf(element, "name") ?? "",
    displayMode: readMode(displayModes, "mode") ?? "planning",
    mergeMode: readMode(mergeModes, "mergeMode") ?? "None",
    setArticleMode: readMode(setArticleModes, "setArticleMode") ?? "Expand",
    showTexts: flagOf(mode, "txtVisible") ?? false,
    showNonOffer: flagOf(mode, "nonOfferArtVisible") ?? flagOf(mode, "nonOfferVisible") ?? true,
    showNonOrder: flagOf(mode, "nonOrderArtVisible") ?? flagOf(mode, "nonOrderVisible") ?? true,
    hiddenDiscounts: flagOf(mode, "hiddenDiscounts") ?? false,
    expand: expansions.flatMap(([attribute, name]) => (flagOf(mode, attribute) === true ? [name] : [])),
    items: element.children.flatMap((child) => readTopItem(child, reading)),
    ...present({ topItemId: readTopItemId(element, id, context), kept: keptParts(element, context) }),
  };
}

/** The default view of a file, if the file contains it. */
export function readDefaultViewId(
  config: XmlElement | undefined,
  views: readonly View[] | undefined,
  context: ReadContext,
): string | undefined {
  const element = childOf(config, "defaultView");
  const id = uuidOf(element, "id");
  if (element === undefined || views?.some((view) => view.id === id)) return id;
  warn(context, element, "skipped: a default view that is not in the file");
  return undefined;
}

/** Undefined if the id is the one derived from the ids of project and view. */
function readTopItemId(element: XmlElement, viewId: string, { idSeed }: ReadContext): string | undefined {
  const top = element.children.find((child) => child.name === "folder" && !childOf(child, "posNr"));
  const id = uuidOf(top, "viewId");
  return id === usualTopItemId(idSeed, viewId) ? undefined : id;
}

/** The outermost folder has no position number. */
function readTopItem(element: XmlElement, reading: ViewReading): ViewItem[] {
  if (!isViewItem(element)) return [];
  if (element.name === "folder" && !childOf(element, "posNr")) {
    return element.children.flatMap((child) => readViewItem(child, reading));
  }
  return readViewItem(element, reading);
}

/** Every element with a view or basket id is an item, whatever its name, and so is every merged one. */
function isViewItem(element: XmlElement): boolean {
  if (itemReferences.includes(plainName(element.name))) return false;
  const { attributes } = element;
  return attributes.has("viewId") || attributes.has("basketId") || referencesOf(element).length > 0;
}

/** Elements that refer to a basket item; files written by this SDK before 1.1 use the second one. */
const itemReferences = ["bskItemRef", "basketItem"];

function referencesOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => itemReferences.includes(plainName(child.name)));
}

function readViewItem(element: XmlElement, reading: ViewReading): ViewItem[] {
  if (!isViewItem(element)) return [];
  const id = readLineId(element, reading);
  const basketItemIds = readBasketItemIds(element, reading);
  const children = element.children.flatMap((child) => readViewItem(child, reading));
  if (basketItemIds.length === 0 && children.length === 0) return [];
  const quantity = childOf(element, "quantity");
  const count = decimalOf(quantity, "count");
  const item = present({
    id,
    basketItemIds,
    positionNumber: attributeOf(childOf(element, "posNr"), "value") ?? "",
    quantity:
      count === undefined ? undefined : { value: count, unit: attributeOf(quantity, "unit") ?? "C62" },
    children: children.length === 0 ? undefined : children,
  });
  return [item];
}

/** A missing or duplicate id is replaced by one derived from the place in the file. */
function readLineId(element: XmlElement, { context, lineIds }: ViewReading): string {
  const stated = uuidOf(element, "viewId");
  const taken = stated !== undefined && lineIds.has(stated);
  if (taken) warn(context, element, "the id of an earlier line of the view; it gets another one");
  const id = stated === undefined || taken ? stableId(`${context.idSeed}/${element.path}`) : stated;
  lineIds.add(id);
  return id;
}

/** A heading of a view, for example per manufacturer, refers to no basket item. */
function isGroup({ name, children }: XmlElement): boolean {
  return ["folder", "group"].includes(plainName(name)) && children.some(isViewItem);
}

/** The distinct items of a line that the file contains. */
function readBasketItemIds(element: XmlElement, { context }: ViewReading): string[] {
  const own = uuidOf(element, "basketId");
  const named = new Set(own === undefined ? [] : [own]);
  for (const reference of referencesOf(element)) {
    const id = uuidOf(reference, "itemId") ?? uuidOf(reference, "basketId") ?? uuidOf(reference, "id");
    if (id === undefined) warn(context, reference, "skipped: a reference without the id of an item");
    else if (named.has(id)) warn(context, reference, "skipped: the line names this item already");
    else named.add(id);
  }
  if (named.size === 0 && !isGroup(element)) {
    warn(context, element, "a line of a view that names no item; only what is below it is read");
  }
  const known = [...named].filter((id) => context.itemIds.has(id));
  if (known.length < named.size) {
    warn(context, element, "skipped: a line of a view names an item that is not in the file");
  }
  return known;
}

/** Numbers that the files write for the modes of a view, and the names that the project document has for them. */
export const displayModes = new Map<string, View["displayMode"]>([
  ["1", "sorted"],
  ["2", "planning"],
]);

/** The order of the client library's list. */
export const setArticleModes = new Map<string, View["setArticleMode"]>([
  ["0", "Expand"],
  ["1", "Collapse"],
  ["2", "Dynamic"],
  ["3", "BreakUp"],
]);

/** Files have 1, 3, 4 and 6, with views whose names fit these modes; the others complete the list. */
export const mergeModes = new Map<string, View["mergeMode"]>([
  ["0", "None"],
  ["1", "Articles"],
  ["2", "Composites"],
  ["3", "Compact"],
  ["4", "ArticlesCompact"],
  ["5", "CompositesStrict"],
  ["6", "SubArticles"],
]);

export const expansions: readonly [attribute: string, name: View["expand"][number]][] = [
  ["expGroup", "groups"],
  ["expPlFolder", "planningFolders"],
  ["expBskFolder", "folders"],
  ["expPartPl", "partialPlannings"],
  ["expAggr", "aggregates"],
];
