/** What of the kept parts of an item is written with it. */
import { isDeepStrictEqual } from "node:util";
import { Decimal } from "decimal.js";
import { RequestError } from "../errors.js";
import type { Item } from "../project/document.js";
import { type KeptContent, type KeptTree, priceElement, treeOf } from "./kept-tree.js";
import { readDiscounts } from "./read-discounts.js";
import { ReadWarnings } from "./read-warnings.js";
import type { WriteContext } from "./write-context.js";
import { listPriceTotal } from "./write-prices.js";
import type { XmlElement } from "./xml-tree.js";

/** What of an article leads to its product data; the rest may be prices. */
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

/** What discounts are read from. */
const discounting = new Set(["artCalc", "predefVendorDiscount", "predefItemDiscount"]);

/** The kept parts that still fit the item. */
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
 * Whether the kept elements still say what discounts the document has for its prices; those of the document take their
 * place otherwise. Beside a procedure of the file they were not read, and stay as they are.
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
    // Kept parts that come with a project by another way than a file may hold something that is no number.
    if (error instanceof RequestError) return false;
    throw error;
  }
}

/** A kept element as the reader of discounts takes it. */
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

/** Further prices of a kind belong to the product price that was read with them, and go when it changes. */
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
