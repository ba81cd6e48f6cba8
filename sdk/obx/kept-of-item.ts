/** What of the kept parts of an item is written with it. */
import { Decimal } from "decimal.js";
import type { Item } from "../project/document.js";
import { priceElement } from "./kept-elements.js";
import { type KeptContent, type KeptTree, treeOf } from "./kept-tree.js";
import type { WriteContext } from "./write-context.js";
import { listPriceTotal } from "./write-prices.js";

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

/** What discounts are read from; those of the document are written in their place. */
const discounting = new Set(["artCalc", "predefVendorDiscount", "predefItemDiscount"]);

/** The kept parts that still fit the item. */
export function keptOf(item: Item, { listPricesOnly }: WriteContext): KeptContent | undefined {
  if (item.kept === undefined) return undefined;
  const kept = treeOf(item.kept);
  if (listPricesOnly) return { elements: kept.elements.filter(({ name }) => productData.has(name)) };
  if (item.type === "folder" || item.type === "text") return kept;
  const prices = kept.elements.filter(({ name }) => name === priceElement);
  const fitting = new Set(fittingPrices(item, prices));
  const hasDiscounts =
    "productPrices" in item && item.productPrices.some(({ discounts }) => discounts?.length);
  return {
    ...kept,
    elements: kept.elements.filter(
      (each) =>
        (each.name !== priceElement || fitting.has(each)) && !(hasDiscounts && discounting.has(each.name)),
    ),
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
