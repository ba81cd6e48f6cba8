/** The manufacturers of a project, and those selected for the export. */
import {
  type ArticleItem,
  badRequest,
  chooseText,
  type Item,
  isPosition,
  labelLanguages,
  manufacturerNames,
  nestedBasket,
  type ProjectDocument,
  type Static,
  shownValue,
  Type,
  type UserArticleItem,
  type Violation,
} from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import { isNegative } from "./quantities.js";

/** Interface document, section 2.9. */
export const ProjectManufacturer = Type.Object({
  manufacturerId: Type.String(),
  /** Empty if the project has only an id. */
  manufacturerName: Type.String(),
});
export type ProjectManufacturer = Static<typeof ProjectManufacturer>;

/**
 * The manufacturers of the articles that an order or a quotation can include, in order of appearance. Names are in the
 * language of the locale if available. Articles without a manufacturer id are skipped; they cannot be selected.
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

/** Ids of the same manufacturers; "" if an article has none. */
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

/** Manufacturer id of an article or user article. Sets have none here: they are exported with their members. */
export function manufacturerOf(item: Item): string | undefined {
  if (item.type !== "article" && item.type !== "userArticle") return undefined;
  const id = item.manufacturerId ?? "";
  return isNamed(id) ? id : undefined;
}

/**
 * The manufacturers to export, and the configuration field that names them; undefined means all (OEX reference, section
 * 17).
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

const shownIds = 50;

/**
 * Rejects manufacturers that the project does not have.
 * @param known ids of all manufacturers that an export of the project can include
 * @throws {RequestError} 400 `request-bad-request` listing each unknown id and the known ones
 */
export function checkManufacturers(configuration: ExportConfiguration, known: Iterable<string>): void {
  const chosen = chosenManufacturers(configuration);
  if (chosen === undefined) return;
  const ids = new Set(known);
  const expected = expectation([...ids].filter((id) => id.trim() !== ""));
  const violations = chosen.ids
    .filter((id) => !ids.has(id))
    .map((id): Violation => {
      const index = `[${configuration.manufacturerIds.indexOf(id)}]`;
      const path = `body.config.${chosen.field}${chosen.field === "manufacturerIds" ? index : ""}`;
      return { path, expected, received: shownValue(id) };
    });
  if (violations.length > 0) throw badRequest("The project has no such manufacturer", violations);
}

function expectation(known: readonly string[]): string {
  if (known.length === 0) return "none, because the project has no articles of a manufacturer";
  const shown = known.slice(0, shownIds).map((id) => shownValue(id));
  return `one of ${shown.join(", ")}${known.length > shown.length ? ", …" : ""}`;
}
