/** Whose articles a project has, and whose of them are exported. */
import {
  type ArticleItem,
  chooseText,
  type Item,
  isPosition,
  labelLanguages,
  manufacturerNames,
  nestedBasket,
  type ProjectDocument,
  type Static,
  Type,
  type UserArticleItem,
} from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import { isNegative } from "./quantities.js";

/** Interface document, section 2.9. */
export const ProjectManufacturer = Type.Object({
  manufacturerId: Type.String(),
  /** Empty where the project has only an id. */
  manufacturerName: Type.String(),
});
export type ProjectManufacturer = Static<typeof ProjectManufacturer>;

/**
 * The manufacturers of the articles that an order or a quotation can include, in order of appearance. Names are in the
 * language of the locale where there is one. Articles without a manufacturer's id cannot be chosen and add nothing.
 */
export function manufacturersOf(project: ProjectDocument, locale: string): ProjectManufacturer[] {
  const languages = labelLanguages(project, locale);
  const names = new Map<string, string>();
  for (const item of articlesToExport(project)) {
    const id = manufacturerOf(item);
    if (id === undefined || names.get(id)) continue;
    names.set(id, chooseText(manufacturerNames(project, item), languages).value);
  }
  return [...names].map(([manufacturerId, manufacturerName]) => ({ manufacturerId, manufacturerName }));
}

/** Ids of the same manufacturers. */
export function manufacturerIdsOf(project: ProjectDocument): Set<string> {
  return new Set(articlesToExport(project).map((item) => manufacturerOf(item) ?? ""));
}

function articlesToExport(project: ProjectDocument): (ArticleItem | UserArticleItem)[] {
  const basket = nestedBasket(project);
  const articles: (ArticleItem | UserArticleItem)[] = [];
  const visit = (item: Item): void => {
    if (isNegative(item) || isInNoDocument(item)) return;
    if (item.type === "article" || item.type === "userArticle") articles.push(item);
    basket.children(item).forEach(visit);
  };
  basket.top.forEach(visit);
  return articles;
}

/** Id of the manufacturer of an article or user article; sets are as exported as their members. */
export function manufacturerOf(item: Item): string | undefined {
  if (item.type !== "article" && item.type !== "userArticle") return undefined;
  const id = item.manufacturerId ?? "";
  return isNamed(id) ? id : undefined;
}

/**
 * The only manufacturers whose articles are exported, and the field of the configuration that names them; undefined
 * means all (OEX reference, section 17).
 */
export function chosenManufacturers(
  configuration: ExportConfiguration,
): { ids: readonly string[]; field: "manufacturerId" | "manufacturerIds" } | undefined {
  const ids = configuration.manufacturerIds.filter(isNamed);
  if (ids.length > 0 && !configuration.splitDocumentByManufacturers) return { ids, field: "manufacturerIds" };
  const id = configuration.manufacturerId ?? "";
  return isNamed(id) ? { ids: [id], field: "manufacturerId" } : undefined;
}

function isNamed(id: string): boolean {
  return id.trim() !== "";
}

function isInNoDocument(item: Item): boolean {
  return isPosition(item) && item.nonOffer === true && item.nonOrder === true;
}
