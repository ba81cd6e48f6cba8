/** The common content of articles, user articles and set articles. */

import type { PositionItem, Text } from "../../project/document.js";
import { ownMember } from "../../schema/own-member.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";
import { discountsAreKept } from "./kept-of-item.js";
import { writeArticleData } from "./write-article.js";
import { flag, type WriteContext, writeTextGroup } from "./write-context.js";
import { writeDiscounts, writePrices } from "./write-prices.js";

interface Names {
  names: readonly Text[];
  series: readonly Text[];
}

/** The attributes of the element: the common ones around those of one type. */
export function positionAttributes(item: PositionItem, ofKind: XmlAttributes): XmlAttributes {
  return {
    basketId: item.id,
    ...ofKind,
    discountable: flag(item.discountable),
    nonOfferArticle: flag(item.nonOffer),
    nonOrderArticle: flag(item.nonOrder),
  };
}

/** Numbers, texts, quantity, list prices and details. */
export function writePosition(writer: XmlWriter, item: PositionItem, context: WriteContext): void {
  writeManufacturer(writer, item, context);
  writeArticleData(writer, item, context);
  if (!context.asFragment) writeQuantityAndPrices(writer, item, context);
  writeTaxesAndPacking(writer, item);
  if (!context.asFragment) writeInactive(writer, item);
  if (item.images && item.images.length > 0) {
    writer.open("images");
    for (const { tag, asset } of item.images) writer.element("image", asset, { tag });
    writer.close();
  }
}

function writeQuantityAndPrices(writer: XmlWriter, item: PositionItem, context: WriteContext): void {
  const { value, unit } = item.quantity;
  writer.element("quantity", "", { count: value, unit: unit === "C62" ? undefined : unit });
  if (item.type === "setArticle") return;
  writePrices(writer, item.productPrices);
  if (!context.listPricesOnly && !discountsAreKept(item, context)) writeDiscounts(writer, item.productPrices);
}

function writeTaxesAndPacking(writer: XmlWriter, item: PositionItem): void {
  writer.open("taxInfos");
  for (const [type, category] of Object.entries(item.taxCategories ?? {})) {
    writer.element("taxInfo", "", { type, category });
  }
  writer.close();
  writer.open("packInfos");
  for (const [key, value] of Object.entries(item.packaging ?? {})) {
    const attributes = typeof value === "object" ? { value: value.value, unit: value.unit } : { value };
    writer.element("packInfo", "", { key, ...attributes });
  }
  writer.close();
}

function writeInactive(writer: XmlWriter, item: PositionItem): void {
  if (!item.inactive || item.inactive.length === 0) return;
  writer.open("exclOffers");
  for (const { scheme, kind } of item.inactive) {
    writer.element("exclOffer", "", { ppName: scheme, optional: flag(kind === "optional") });
  }
  writer.close();
}

/** Names are written once per id; a user article has its own names. */
function writeManufacturer(writer: XmlWriter, item: PositionItem, context: WriteContext): void {
  const { manufacturerId, seriesId } = item;
  const { names, series } = item.type === "userArticle" ? ownNames(item) : knownNames(item, context);
  if (manufacturerId !== undefined || names.length > 0) {
    writeTextGroup(writer, { element: "manufacturer", attributes: { id: manufacturerId } }, "name", names);
  }
  if (seriesId !== undefined || series.length > 0) {
    writeTextGroup(writer, { element: "series", attributes: { id: seriesId } }, "name", series);
  }
}

function ownNames(item: Extract<PositionItem, { type: "userArticle" }>): Names {
  return { names: inNoLanguage(item.manufacturerName), series: inNoLanguage(item.seriesName) };
}

/** The project's names for the ids, unless already written. */
function knownNames({ manufacturerId, seriesId }: PositionItem, context: WriteContext): Names {
  const known = ownMember(context.project.manufacturers, manufacturerId ?? "");
  const once = (key: string, texts: Text[] | undefined): Text[] => {
    if (context.named.has(key)) return [];
    context.named.add(key);
    return texts ?? [];
  };
  return {
    names: manufacturerId === undefined ? [] : once(manufacturerId, known?.name),
    series:
      seriesId === undefined ? [] : once(`${manufacturerId} ${seriesId}`, ownMember(known?.series, seriesId)),
  };
}

function inNoLanguage(text: string | undefined): Text[] {
  return text === undefined ? [] : [{ lang: "und", value: text }];
}
