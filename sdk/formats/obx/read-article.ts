/** Articles: elements `bskArticle`, `usrArticle` and `setArticle`. */
import type {
  ArticleItem,
  Feature,
  Item,
  ProductPrice,
  SetArticleItem,
  UserArticleItem,
} from "../../project/document.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { readDescriptions, readPosition } from "./read-position.js";
import { readItemPrices } from "./read-prices.js";
import {
  attributeOf,
  childOf,
  childrenOf,
  childText,
  dateOf,
  flagOf,
  integerOf,
  textsIfAny,
  textsOf,
} from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Reads the parts of an article. Called after the article itself, because parts refer to its data. */
type ReadParts = () => Item[];

const articleKinds = new Map<string, ArticleItem["articleKind"]>([
  ["BasketArticle", "article"],
  ["BasketAggregate", "aggregate"],
  ["BasketPartialPlanning", "partialPlanning"],
  ["BasketOCDArticle", "ocd"],
]);

/** A manufacturer's article with its parts. */
export function readArticle(element: XmlElement, readParts: ReadParts, context: ReadContext): ArticleItem {
  const position = readPosition(element, context, "userDescription");
  const itemType = attributeOf(element, "itemType") ?? "BasketArticle";
  const articleKind = articleKinds.get(itemType);
  if (articleKind === undefined)
    warn(context, element, `the item type "${itemType}" is read as BasketArticle`);
  const manufacturerId = context.manufacturers.manufacturerId(element);
  const seriesId = context.manufacturers.seriesId(element, manufacturerId);
  const productData = childOf(element, "pdInfo");
  const stored = context.calculations.get(position.id)?.productPrices ?? [];
  const features = readFeatures(element, context);
  const children = readParts();
  return {
    type: "article",
    ...position,
    articleKind: articleKind ?? "article",
    manufacturerId,
    seriesId,
    baseArticleNumber: articleNumber(element, "base") ?? "",
    useFinalArticleNumber: childrenOf(element, "artNr").some(
      (number) => attributeOf(number, "type") === "final" && flagOf(number, "default") === true,
    ),
    productDescription: readDescriptions(element, "description") ?? {},
    features,
    productPrices: readProductPrices(element, stored, context),
    ...present({
      distributionRegion: attributeOf(productData, "region"),
      productData: readProductData(productData, manufacturerId, seriesId),
      catalogId: attributeOf(childOf(element, "catalogInfo"), "id"),
      catalogEntry: readCatalogEntry(element),
      finalArticleNumber: articleNumber(element, "final"),
      variantCode: articleNumber(element, "varcode"),
      ofmlVariantCode: articleNumber(element, "ofmlvarcode"),
      pseudoArticle: flagOf(element, "pseudoArticle"),
      priceDate: dateOf(childOf(element, "priceDate"), "value"),
      classifications: readClassifications(element),
      addStateCodes: readAddStateCodes(element),
      inconsistency: readInconsistency(element),
      updateState: attributeOf(element, "updateState"),
      children: children.length === 0 ? undefined : children,
    }),
  };
}

/** A user-defined article: its own names, number, texts and price. */
export function readUserArticle(
  element: XmlElement,
  readParts: ReadParts,
  context: ReadContext,
): UserArticleItem {
  const position = readPosition(element, context, "description");
  const stored = context.calculations.get(position.id)?.productPrices ?? [];
  const children = readParts();
  return {
    type: "userArticle",
    ...position,
    productPrices: readProductPrices(element, stored, context),
    ...present({
      manufacturerId: attributeOf(childOf(element, "manufacturer"), "id"),
      manufacturerName: childText(childOf(element, "manufacturer"), "name"),
      seriesId: attributeOf(childOf(element, "series"), "id"),
      seriesName: childText(childOf(element, "series"), "name"),
      articleNumber: articleNumber(element, "final") ?? articleNumber(element, "base"),
      children: children.length === 0 ? undefined : children,
    }),
  };
}

/** A set; its price is the sum of its parts. */
export function readSetArticle(
  element: XmlElement,
  readParts: ReadParts,
  context: ReadContext,
): SetArticleItem {
  const position = readPosition(element, context, "description");
  const manufacturerId = childOf(element, "manufacturer") && context.manufacturers.manufacturerId(element);
  const seriesId =
    childOf(element, "series") && context.manufacturers.seriesId(element, manufacturerId ?? "");
  return {
    type: "setArticle",
    ...position,
    children: readParts(),
    ...present({
      articleNumber: articleNumber(element, "final") ?? articleNumber(element, "base"),
      manufacturerId,
      seriesId,
      collapsed: flagOf(element, "collapsed"),
    }),
  };
}

/** Prices of the calculation take precedence; a procedure without purchase prices provides none. */
function readProductPrices(
  element: XmlElement,
  stored: ProductPrice[],
  context: ReadContext,
): ProductPrice[] {
  if (stored.length === 2) return stored;
  const others = readItemPrices(element, context).filter(({ side }) =>
    stored.every((each) => each.side !== side),
  );
  return others.some(({ side }) => side === "purchase") ? [...others, ...stored] : [...stored, ...others];
}

/** Ids equal to the commercial ones, and the default database type, are omitted. */
function readProductData(
  element: XmlElement | undefined,
  manufacturerId: string,
  seriesId: string,
): ArticleItem["productData"] {
  const other = (name: string, usual: string): string | undefined => {
    const value = attributeOf(element, name);
    return value === usual ? undefined : value;
  };
  const found = present({
    databaseType: other("pdbType", "ocd"),
    packageName: attributeOf(element, "pkgName"),
    manufacturerId: other("manufacturerId", manufacturerId),
    seriesId: other("seriesId", seriesId),
    programId: attributeOf(element, "progId"),
    salesOnly: flagOf(element, "salesOnly"),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Empty values are significant: if all are empty, the article is in no catalogue. */
function readCatalogEntry(article: XmlElement): ArticleItem["catalogEntry"] {
  const values = childOf(article, "catalogInfo")?.attributes;
  const number = values?.get("artNr");
  const found = present({
    version: values?.get("version"),
    articleNumber: number === (articleNumber(article, "base") ?? "") ? undefined : number,
    variantCode: values?.get("varCode"),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Not normalized: runs of blanks in codes are significant. */
function articleNumber(element: XmlElement, type: string): string | undefined {
  const text = childrenOf(element, "artNr").find((number) => attributeOf(number, "type") === type)?.text;
  return text === undefined || text === "" ? undefined : text;
}

function readClassifications(element: XmlElement): ArticleItem["classifications"] {
  const list = childrenOf(childOf(element, "articleClassifications"), "classification").flatMap((each) => {
    const system = attributeOf(each, "system");
    const classId = attributeOf(each, "classId");
    if (system === undefined || classId === undefined) return [];
    const description = textsIfAny(childrenOf(each, "description"));
    return [present({ system, version: attributeOf(each, "version"), classId, description })];
  });
  return list.length === 0 ? undefined : list;
}

function readAddStateCodes(element: XmlElement): ArticleItem["addStateCodes"] {
  const codes = childrenOf(element, "addStateCode").map((code) => ({
    domain: attributeOf(code, "type") ?? "",
    value: code.text,
  }));
  return codes.length === 0 ? undefined : codes;
}

function readInconsistency(element: XmlElement): ArticleItem["inconsistency"] {
  const found = childOf(element, "inconsistency");
  if (!found) return undefined;
  const reasons = [found, ...childrenOf(found, "text"), ...childrenOf(found, "reason")].flatMap(({ text }) =>
    text.trim() === "" ? [] : [text],
  );
  return { flagged: flagOf(found, "value") ?? true, ...(reasons.length === 0 ? {} : { reasons }) };
}

/**
 * Features may refer to texts of an earlier feature by its id, in the attributes `nameText` and `valueText`.
 */
function readFeatures(article: XmlElement, context: ReadContext): Feature[] {
  return childrenOf(childOf(article, "features"), "feature").map((element) => {
    const nameText = readText(element, "nameText", context);
    const valueText = readText(element, "valueText", context);
    const id = attributeOf(element, "id");
    if (id !== undefined) context.features.set(id, { nameText, valueText });
    return {
      name: attributeOf(element, "name") ?? "",
      value: attributeOf(element, "value") ?? "",
      nameText,
      valueText,
      visible: ((integerOf(element, "flags") ?? 1) & 1) === 1,
    };
  });
}

function readText(
  element: XmlElement,
  kind: "nameText" | "valueText",
  context: ReadContext,
): Feature["nameText"] {
  const own = textsOf(childrenOf(element, kind));
  const reference = attributeOf(element, kind);
  if (own.length > 0 || reference === undefined) return own;
  const known = context.features.get(reference);
  if (!known) warn(context, element, `the ${kind} of "${reference}" is not known before this feature`);
  return known ? [...known[kind]] : [];
}
