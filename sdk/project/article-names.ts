/** Numbers and names by which an article is known. */
import { ownMember } from "../own-member.js";
import type { PositionItem, ProjectDocument, Texts } from "./document.js";

/** The article number that the project shows, and both that it knows. Empty where there is none. */
export interface ArticleNumbers {
  /** The one that documents print. */
  shown: string;
  /** Of the product, whatever its configuration. */
  base: string;
  /** Of the configured article. */
  final: string;
}

/** Numbers of an article; set and user articles have only one. */
export function articleNumbers(item: PositionItem): ArticleNumbers {
  if (item.type !== "article") {
    const number = item.articleNumber ?? "";
    return { shown: number, base: number, final: number };
  }
  const base = item.baseArticleNumber;
  const final = item.finalArticleNumber ?? "";
  return { shown: item.useFinalArticleNumber && final !== "" ? final : base || final, base, final };
}

/** Names of the maker of an article: what a user article says itself, else what the project knows of the id. */
export function manufacturerNames(project: ProjectDocument, item: PositionItem): Texts {
  const own = item.type === "userArticle" ? item.manufacturerName : undefined;
  return own === undefined ? (manufacturer(project, item)?.name ?? []) : [{ lang: "und", value: own }];
}

/** Names of an article's series, found in the same way. */
export function seriesNames(project: ProjectDocument, item: PositionItem): Texts {
  const own = item.type === "userArticle" ? item.seriesName : undefined;
  if (own !== undefined) return [{ lang: "und", value: own }];
  return ownMember(manufacturer(project, item)?.series, item.seriesId ?? "") ?? [];
}

function manufacturer(project: ProjectDocument, item: PositionItem) {
  return ownMember(project.manufacturers, item.manufacturerId ?? "");
}
