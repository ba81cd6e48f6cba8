/** File `1.bsk` of an OBK: settings, items, pricing and views. */

import { allSteps } from "../../pricing/steps.js";
import type { ArticleItem, PricingProcedure, ProjectDocument } from "../../project/document.js";
import { walkItems } from "../../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { treeOf } from "./kept-tree.js";
import { isOtherEntry } from "./other-entry-key.js";
import { scaleOf } from "./present.js";
import { selectItems } from "./select-items.js";
import { topFolderId } from "./stable-id.js";
import { writeCalculation } from "./write-calculation.js";
import { startWriting, writeTextGroup, writeTexts, writeVersion } from "./write-context.js";
import { itemSteps } from "./write-items.js";
import { writeViews } from "./write-views.js";

/** Writes the basket; `procedures` are those included in the file. */
export function writeBasket(
  writer: KeepingXmlWriter,
  project: ProjectDocument,
  procedures: readonly PricingProcedure[],
): void {
  writer.expect(project.kept?.basket && treeOf(project.kept.basket));
  writer.open("basket");
  writeVersion(writer);
  const items = [...walkItems(project.items)].length + 1;
  writer.element("bskCounts", "", { items, views: project.views?.length ?? 0 });
  writer.open("config");
  writeConfig(writer, project);
  writer.close();
  writeImageUris(writer, project);
  writer.open("topFolder", { basketId: topFolderId(project) });
  const context = startWriting(project, selectItems(project.items, {}));
  allSteps(itemSteps(writer, project.items, context));
  writer.close();
  for (const procedure of procedures) writeCalculation(writer, project, procedure);
  writeViews(writer, project);
  writer.close();
}

function writeConfig(writer: XmlWriter, { columns, defaultViewId, settings }: ProjectDocument): void {
  for (const { id, type, name, title, fallbackColumnId } of columns ?? []) {
    writer.element("column", "", { id, type, name, title, defColId: fallbackColumnId });
  }
  if (defaultViewId !== undefined) writer.element("defaultView", "", { id: defaultViewId });
  writer.open("convRates");
  for (const [currency, value] of Object.entries(settings.exchangeRates)) {
    writer.element("convRate", "", { currency, value });
  }
  writer.element("refCurrency", "", { id: settings.referenceCurrency });
  writer.close();
  writeTaxScheme(writer, settings.taxScheme);
  writer.element("currency", "", { unit: settings.currency });
  if (settings.defaultPriceDate !== undefined) {
    writer.element("priceDate", "", { value: settings.defaultPriceDate });
  }
  const { halfWay, interval } = settings.rounding;
  writer.open("roundingModes", { discount: "none" });
  writer.element("roundingMode", "", {
    type: "default",
    mode: halfWay === "even" ? "HalfEven" : "HalfUp",
    interval: `RI_${scaleOf(interval) === 0 ? interval : interval.replace(".", "_")}`,
  });
  writer.close();
}

function writeTaxScheme(writer: XmlWriter, scheme: ProjectDocument["settings"]["taxScheme"]): void {
  if (!scheme) return;
  writer.open("taxScheme", { id: scheme.id, name: scheme.name });
  for (const { id, rateUnit, name, categories } of scheme.taxTypes) {
    writer.open("taxType", { id, unit: rateUnit, rndpos: "header" });
    writeTexts(writer, "name", name);
    for (const category of categories) {
      const attributes = { id: category.id, rate: category.rate };
      writeTextGroup(writer, { element: "taxCategory", attributes }, "name", category.name);
    }
    writer.close();
  }
  writer.open("taxOrder");
  for (const [index, type] of scheme.order.entries()) writer.element("tax", "", { type, order: index });
  writer.close();
  writer.close();
}

/** Every picture with content, by its URI in the items. */
function writeImageUris(writer: XmlWriter, project: ProjectDocument): void {
  writer.open("genImgURIs");
  const articles = articlesByPicture(project);
  for (const uri of Object.keys(project.assets ?? {})) {
    if (isOtherEntry(uri)) continue;
    const article = articles.get(uri);
    writer.element("genImgURI", uri, {
      catId: article?.catalogId,
      progId: article?.productData?.programId,
      manuId: article?.manufacturerId,
      seriesId: article?.seriesId,
      artNo: article?.baseArticleNumber,
      varCode: article?.variantCode,
    });
  }
  writer.close();
}

/** The first article that uses the picture, from which it was generated. */
function articlesByPicture({ items }: ProjectDocument): Map<string, ArticleItem> {
  const articles = new Map<string, ArticleItem>();
  for (const item of walkItems(items)) {
    if (item.type !== "article") continue;
    for (const { asset } of item.images ?? []) if (!articles.has(asset)) articles.set(asset, item);
  }
  return articles;
}
