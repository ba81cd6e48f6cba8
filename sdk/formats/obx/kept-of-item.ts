/** Selects the kept parts of an item that are written with it. */
import { isDeepStrictEqual } from "node:util";
import { Decimal } from "decimal.js";
import type { Item } from "../../project/document.js";
import { RequestError } from "../../schema/errors.js";
import { type KeptContent, type KeptTree, priceElement, treeOf } from "./kept-tree.js";
import { readDiscounts } from "./read-discounts.js";
import { ReadWarnings } from "./read-warnings.js";
import type { WriteContext } from "./write-context.js";
import { listPriceTotal } from "./write-prices.js";
import type { XmlElement } from "./xml-tree.js";

/** Elements of an article that identify its product data; all others may contain prices. */
const productData = new Set([
  "pdInfo",
  "catalogInfo",
  "description",
  "features",
  "propVarCode",
  "properties",
  "geometryChecksum",
  "geoTransformCksum",
  "composableGeometry",
]);

/** The elements that discounts are read from. */
const discounting = new Set(["artCalc", "predefVendorDiscount", "predefItemDiscount"]);

/** The kept parts that are still consistent with the item. */
export function keptOf(item: Item, context: WriteContext): KeptContent | undefined {
  if (item.kept === undefined) return undefined;
  const kept = treeOf(item.kept);
  if (context.listPricesOnly) {
    return { elements: kept.elements.filter(({ name }) => productData.has(name)) };
  }
  if (item.type === "folder" || item.type === "text") return kept;
  const prices = kept.elements.filter(({ name }) => name === priceElement);
  const fitting = new Set(fittingPrices(item, prices));
  const hasDiscounts = discountsAreKept(item, context);
  return {
    ...kept,
    elements: kept.elements.filter((each) => {
      if (each.name === priceElement) return fitting.has(each);
      return hasDiscounts || !discounting.has(each.name);
    }),
  };
}

/**
 * Whether the kept elements still match the discounts of the document's prices; otherwise the document's
 * discounts replace them. Next to a procedure of the file, discounts were not read and stay unchanged.
 */
export function discountsAreKept(item: Item, { project }: Pick<WriteContext, "project">): boolean {
  if (item.type !== "article" && item.type !== "userArticle") return true;
  const current = item.productPrices.map(({ side, discounts = [] }) => ({ side, discounts }));
  if (project.procedures?.length && current.every(({ discounts }) => discounts.length === 0)) return true;
  const isKept = item.kept?.elements?.some(({ name, level }) => !level && discounting.has(name)) ?? false;
  if (!isKept) return current.every(({ discounts }) => discounts.length === 0);
  const article = elementOf({ name: item.type, elements: treeOf(item.kept ?? {}).elements });
  const warnings = new ReadWarnings();
  try {
    return current.every(({ side, discounts }) =>
      isDeepStrictEqual(readDiscounts(article, side, { warnings }), discounts),
    );
  } catch (error) {
    // Kept parts of projects that were not read from a file may contain invalid numbers.
    if (error instanceof RequestError) return false;
    throw error;
  }
}

/** Converts a kept element for the reader of discounts. */
function elementOf({ name, attributes = {}, text = "", elements }: KeptTree): XmlElement {
  const children = elements.map(elementOf);
  return {
    name,
    attributes: new Map(Object.entries(attributes)),
    children,
    text,
    line: 0,
    column: 0,
    path: name,
  };
}

/** Further prices of a kind belong to the product price read with them; they are dropped when it changes. */
function fittingPrices(item: Exclude<Item, { type: "folder" | "text" }>, prices: KeptTree[]): KeptTree[] {
  if (item.type === "setArticle") return prices;
  return prices.filter((price) => {
    const type = (price.of ?? price.attributes)?.["type"];
    const read = prices.find(({ of }) => of !== undefined && of["type"] === type)?.of;
    const current = item.productPrices.find(({ side }) => (side === "sales" ? "sale" : "purchase") === type);
    if (read === undefined || current === undefined) return read === undefined && current === undefined;
    const value = read["value"] ?? "";
    return (
      read["currency"] === current.base.currency &&
      /^[+-]?\d+(\.\d*)?$/.test(value) &&
      new Decimal(value).eq(listPriceTotal(current))
    );
  });
}
