/**
 * Views: elements `view` and `view.4`, each with its own items and their position numbers. A line is about the basket
 * item in its `basketId`, or about those that its `bskItemRef` elements name, as merged lines do.
 */
import type { View, ViewItem } from "../project/document.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { stableId } from "./stable-id.js";
import { displayModes, expansions, mergeModes, setArticleModes } from "./view-names.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf, plainName, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Of two views with one id the later counts: the newer form of the element stands behind the older. */
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
  return {
    id,
    name: attributeOf(element, "name") ?? "",
    displayMode: displayModes.get(attributeOf(mode, "mode") ?? "") ?? "planning",
    mergeMode: mergeModes.get(attributeOf(mode, "mergeMode") ?? "") ?? "None",
    setArticleMode: setArticleModes.get(attributeOf(mode, "setArticleMode") ?? "") ?? "Expand",
    showTexts: flagOf(mode, "txtVisible") ?? false,
    showNonOffer: flagOf(mode, "nonOfferArtVisible") ?? flagOf(mode, "nonOfferVisible") ?? true,
    showNonOrder: flagOf(mode, "nonOrderArtVisible") ?? flagOf(mode, "nonOrderVisible") ?? true,
    hiddenDiscounts: flagOf(mode, "hiddenDiscounts") ?? false,
    expand: expansions.flatMap(([attribute, name]) => (flagOf(mode, attribute) === true ? [name] : [])),
    items: element.children.flatMap((child) => readTopItem(child, context)),
  };
}

/** The folder around everything has no position of its own. */
function readTopItem(element: XmlElement, context: ReadContext): ViewItem[] {
  if (!isViewItem(element)) return [];
  if (element.name === "folder" && !childOf(element, "posNr")) {
    return element.children.flatMap((child) => readViewItem(child, context));
  }
  return readViewItem(element, context);
}

/** Every element with an id of the view or of the basket is an item, whatever its name, and every merged one. */
function isViewItem(element: XmlElement): boolean {
  if (itemReferences.includes(plainName(element.name))) return false;
  const { attributes } = element;
  return attributes.has("viewId") || attributes.has("basketId") || referencesOf(element).length > 0;
}

/** Elements that name an item of the basket; files that this SDK wrote before 1.1 have the second one. */
const itemReferences = ["bskItemRef", "basketItem"];

function referencesOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => itemReferences.includes(plainName(child.name)));
}

function readViewItem(element: XmlElement, context: ReadContext): ViewItem[] {
  if (!isViewItem(element)) return [];
  const basketItemIds = readBasketItemIds(element, context);
  const children = element.children.flatMap((child) => readViewItem(child, context));
  if (basketItemIds.length === 0 && children.length === 0) {
    warn(context, element, "skipped: a line of a view that names no item");
    return [];
  }
  const quantity = childOf(element, "quantity");
  const count = decimalOf(quantity, "count");
  const item = present({
    id: uuidOf(element, "viewId") ?? stableId(`${context.idSeed}/${element.path}`),
    basketItemIds,
    positionNumber: attributeOf(childOf(element, "posNr"), "value") ?? "",
    quantity:
      count === undefined ? undefined : { value: count, unit: attributeOf(quantity, "unit") ?? "C62" },
    children: children.length === 0 ? undefined : children,
  });
  return [item];
}

/** Each item once. One that is not in the file stays listed, so that every report of the view tells of it. */
function readBasketItemIds(element: XmlElement, context: ReadContext): string[] {
  const ids = new Set<string>();
  const own = uuidOf(element, "basketId");
  if (own !== undefined) ids.add(own);
  for (const reference of referencesOf(element)) {
    const id = uuidOf(reference, "itemId") ?? uuidOf(reference, "basketId") ?? uuidOf(reference, "id");
    if (id === undefined) warn(context, reference, "skipped: a reference without the id of an item");
    else if (ids.has(id)) warn(context, reference, "skipped: the line names this item already");
    else ids.add(id);
  }
  for (const id of ids) {
    if (!context.itemIds.has(id))
      warn(context, element, "a line of a view names an item that is not in the file");
  }
  return [...ids];
}
