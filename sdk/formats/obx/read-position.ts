/** Reads the members that all items with a quantity share. */
import type { Descriptions, Packaging, PositionItem, Quantity } from "../../project/document.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { readItemBase } from "./read-item-base.js";
import { attributeOf, childOf, childrenOf, decimalOf, flagOf, textsIfAny } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type Inactive = NonNullable<PositionItem["inactive"]>;

/** The common members; `userTexts` is the element name of user-defined descriptions. */
export function readPosition(element: XmlElement, context: ReadContext, userTexts: string) {
  return {
    ...readItemBase(element, context),
    quantity: readQuantity(element, context),
    ...present({
      userDescription: readDescriptions(element, userTexts),
      descriptionMode: readDescriptionMode(element),
      inactive: readInactive(element),
      discountable: flagOf(element, "discountable"),
      nonOffer: flagOf(element, "nonOfferArticle"),
      nonOrder: flagOf(element, "nonOrderArticle"),
      packaging: readPackaging(element, context),
      taxCategories: readTaxCategories(element, context),
      images: readImages(element, context),
    }),
  };
}

/** The default is one piece; the unit is the order unit of the product data. */
function readQuantity(element: XmlElement, context: ReadContext): Quantity {
  const quantity = childOf(element, "quantity");
  const count = decimalOf(quantity, "count");
  if (quantity && count === undefined) warn(context, quantity, "a quantity without a count counts as 1");
  const unit =
    attributeOf(quantity, "unit") ?? attributeOf(childOf(childOf(element, "pdInfo"), "ocd"), "orderUnit");
  return { value: count ?? "1", unit: unit ?? "C62" };
}

/** Short, long and feature text, each with its languages, if any. */
export function readDescriptions(element: XmlElement, name: string): Descriptions | undefined {
  const texts = (type: string): Descriptions["shortText"] => {
    const description = childrenOf(element, name).find((each) => attributeOf(each, "type") === type);
    return description && textsIfAny(childrenOf(description, "text"));
  };
  const found = present({
    shortText: texts("short"),
    longText: texts("long"),
    featureText: texts("features"),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/**
 * The default texts of the item: those marked with `default='1'`. A mark on the long text alone is ignored:
 * every manufacturer article has it, and reports still print the short text.
 */
function readDescriptionMode(element: XmlElement): PositionItem["descriptionMode"] {
  const marked = (type: string): boolean =>
    childrenOf(element, "description").some(
      (each) => attributeOf(each, "type") === type && flagOf(each, "default") === true,
    );
  if (!marked("short")) return undefined;
  return marked("long") ? "both" : "short";
}

/** Whether the position is excluded from one pricing procedure or from all. */
function readInactive(element: XmlElement): Inactive | undefined {
  const marks = childrenOf(childOf(element, "exclOffers"), "exclOffer").map((mark) =>
    present({
      scheme: attributeOf(mark, "ppName"),
      kind: flagOf(mark, "optional") === true ? ("optional" as const) : ("alternative" as const),
    }),
  );
  return marks.length === 0 ? undefined : marks;
}

/** Units of values that state none; a length without a unit is ignored. */
const usualUnits = new Map([
  ["volume", "MTQ"],
  ["tareWeight", "KGM"],
  ["netWeight", "KGM"],
]);

function readPackaging(element: XmlElement, context: ReadContext): Packaging | undefined {
  const infos = childrenOf(childOf(element, "packInfos"), "packInfo");
  const info = (key: string): XmlElement | undefined =>
    infos.find((each) => attributeOf(each, "key") === key);
  const measure = (key: string): Quantity | undefined => {
    const found = info(key);
    const value = decimalOf(found, "value");
    const unit = attributeOf(found, "unit") ?? usualUnits.get(key);
    if (found && value !== undefined && unit === undefined)
      warn(context, found, "skipped: a length without a unit");
    return value === undefined || unit === undefined ? undefined : { value, unit };
  };
  const count = (key: string): number | undefined => {
    const value = decimalOf(info(key), "value");
    return value === undefined ? undefined : Number(value);
  };
  const packaging = present({
    width: measure("width"),
    height: measure("height"),
    depth: measure("depth"),
    volume: measure("volume"),
    tareWeight: measure("tareWeight"),
    netWeight: measure("netWeight"),
    itemsPerPackUnit: count("itemsPerPackUnit"),
    packUnitsPerArticle: count("packUnitsPerArticle"),
  });
  return Object.keys(packaging).length === 0 ? undefined : packaging;
}

/**
 * The category per tax type from `taxInfos`; otherwise, if the file's calculation used a rate other than the
 * standard one, the category of the tax scheme with that rate.
 */
function readTaxCategories(element: XmlElement, context: ReadContext): Record<string, string> | undefined {
  const categories = new Map<string, string>();
  const rates = context.calculations.get(attributeOf(element, "basketId")?.toLowerCase() ?? "")?.taxRates;
  for (const type of context.settings.taxScheme?.taxTypes ?? []) {
    const rate = rates?.get(type.id);
    const standard = type.categories.find((category) => category.id === "standard_rate");
    if (rate === undefined || (standard?.rate !== undefined && Number(standard.rate) === Number(rate)))
      continue;
    const fitting = type.categories.find(
      (each) => each.rate !== undefined && Number(each.rate) === Number(rate),
    );
    if (fitting) categories.set(type.id, fitting.id);
  }
  for (const info of childrenOf(childOf(element, "taxInfos"), "taxInfo")) {
    const type = attributeOf(info, "type") ?? attributeOf(info, "taxType");
    const category = attributeOf(info, "category") ?? attributeOf(info, "taxCategory");
    if (type !== undefined && category !== undefined) categories.set(type, category);
  }
  return categories.size === 0 ? undefined : Object.fromEntries(categories);
}

function readImages(element: XmlElement, context: ReadContext): PositionItem["images"] {
  const images = childrenOf(childOf(element, "images"), "image").flatMap((image) => {
    const asset = image.text.trim();
    if (asset === "") return [];
    context.imageUris.add(asset);
    return [{ tag: attributeOf(image, "tag") ?? "default", asset }];
  });
  return images.length === 0 ? undefined : images;
}
