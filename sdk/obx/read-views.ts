/** Views: elements `view` and `view.4`, each with its own items and their position numbers. */
import type { View, ViewItem } from "../project/document.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { stableId } from "./stable-id.js";
import { displayModes, expansions, mergeModes, setArticleModes } from "./view-names.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf, uuidOf } from "./xml-reading.js";
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
    showNonOffer: flagOf(mode, "nonOfferVisible") ?? true,
    showNonOrder: flagOf(mode, "nonOrderVisible") ?? true,
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

/** Every element with an id of the view or of the basket is an item, whatever its name. */
function isViewItem(element: XmlElement): boolean {
  return (
    element.name !== "basketItem" && (element.attributes.has("viewId") || element.attributes.has("basketId"))
  );
}

function readViewItem(element: XmlElement, context: ReadContext): ViewItem[] {
  if (!isViewItem(element)) return [];
  const merged = childrenOf(element, "basketItem").map(
    (item) => uuidOf(item, "basketId") ?? uuidOf(item, "id"),
  );
  const basketItemIds = [uuidOf(element, "basketId"), ...merged].flatMap((id) => id ?? []);
  const children = element.children.flatMap((child) => readViewItem(child, context));
  const quantity = childOf(element, "quantity");
  const count = decimalOf(quantity, "count");
  const item = present({
    id: uuidOf(element, "viewId") ?? stableId(`${context.idSeed}/${element.path}`),
    basketItemIds: [...new Set(basketItemIds)],
    positionNumber: attributeOf(childOf(element, "posNr"), "value") ?? "",
    quantity:
      count === undefined ? undefined : { value: count, unit: attributeOf(quantity, "unit") ?? "C62" },
    children: children.length === 0 ? undefined : children,
  });
  return [item];
}
