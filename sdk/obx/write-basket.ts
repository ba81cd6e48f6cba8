/** File `1.bsk` of an OBK: settings, items, pricing and views. */
import type { PricingProcedure, ProjectDocument } from "../project/document.js";
import { scaleOf } from "./decimal-scale.js";
import { writeCalculation } from "./write-calculation.js";
import { startWriting, topFolderId, writeItems } from "./write-items.js";
import { writeVersion } from "./write-obx.js";
import { writeTexts } from "./write-texts.js";
import { writeViews } from "./write-views.js";
import { append, type Builder, finishDocument, startDocument } from "./xml-writing.js";

/** The basket as XML; `procedures` are those that the file brings along. */
export function writeBasket(project: ProjectDocument, procedures: readonly PricingProcedure[]): string {
  const root = startDocument("basket");
  writeVersion(root);
  writeConfig(append(root, "config"), project);
  writeImageUris(append(root, "genImgURIs"), project);
  const topFolder = append(root, "topFolder", { basketId: topFolderId(project) });
  writeItems(topFolder, project.items, startWriting(project));
  for (const procedure of procedures) writeCalculation(root, project, procedure);
  writeViews(root, project);
  return finishDocument(root);
}

function writeConfig(config: Builder, { columns, defaultViewId, settings }: ProjectDocument): void {
  for (const { id, type, name, title, fallbackColumnId } of columns ?? []) {
    append(config, "column", { id, type, name, title, defColId: fallbackColumnId });
  }
  if (defaultViewId !== undefined) append(config, "defaultView", { id: defaultViewId });
  const rates = append(config, "convRates");
  for (const [currency, value] of Object.entries(settings.exchangeRates)) {
    append(rates, "convRate", { currency, value });
  }
  append(rates, "refCurrency", { id: settings.referenceCurrency });
  writeTaxScheme(config, settings.taxScheme);
  append(config, "currency", { unit: settings.currency });
  if (settings.defaultPriceDate !== undefined)
    append(config, "priceDate", { value: settings.defaultPriceDate });
  const { halfWay, interval } = settings.rounding;
  append(append(config, "roundingModes", { discount: "none" }), "roundingMode", {
    type: "default",
    mode: halfWay === "even" ? "HalfEven" : "HalfUp",
    interval: `RI_${scaleOf(interval) === 0 ? interval : interval.replace(".", "_")}`,
  });
}

function writeTaxScheme(config: Builder, scheme: ProjectDocument["settings"]["taxScheme"]): void {
  if (!scheme) return;
  const element = append(config, "taxScheme", { id: scheme.id, name: scheme.name });
  for (const { id, rateUnit, name, categories } of scheme.taxTypes) {
    const type = append(element, "taxType", { id, unit: rateUnit, rndpos: "header" });
    writeTexts(type, "name", name);
    for (const category of categories) {
      const attributes = { id: category.id, rate: category.rate };
      writeTexts(append(type, "taxCategory", attributes), "name", category.name);
    }
  }
  const order = append(element, "taxOrder");
  for (const [index, type] of scheme.order.entries()) append(order, "tax", { type, order: index });
}

/** Every picture that has content, by the URI that items use. */
function writeImageUris(list: Builder, project: ProjectDocument): void {
  for (const uri of Object.keys(project.assets ?? {})) append(list, "genImgURI", {}, uri);
}
