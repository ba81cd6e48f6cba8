/** Numbers and names of articles. */
import { ownMember } from "../own-member.js";
import type { PositionItem, ProjectDocument, Texts } from "./document.js";

/** The article numbers of an item; empty if unknown. */
export interface ArticleNumbers {
  /** The number to print. */
  shown: string;
  /** Number of the product, without its configuration. */
  base: string;
  /** Number of the configured article. */
  final: string;
}

/** The numbers of an article; sets and user articles have only one. */
export function articleNumbers(item: PositionItem): ArticleNumbers {
  if (item.type !== "article") {
    const number = item.articleNumber ?? "";
    return { shown: number, base: number, final: number };
  }
  const base = item.baseArticleNumber;
  const final = item.finalArticleNumber ?? "";
  return { shown: item.useFinalArticleNumber && final !== "" ? final : base || final, base, final };
}

/** Names of an article's manufacturer: the user article's own, otherwise the project's for the manufacturer id. */
export function manufacturerNames(project: ProjectDocument, item: PositionItem): Texts {
  const own = item.type === "userArticle" ? item.manufacturerName : undefined;
  return own === undefined ? (manufacturer(project, item)?.name ?? []) : [{ lang: "und", value: own }];
}

/** Names of an article's series, found the same way. */
export function seriesNames(project: ProjectDocument, item: PositionItem): Texts {
  const own = item.type === "userArticle" ? item.seriesName : undefined;
  if (own !== undefined) return [{ lang: "und", value: own }];
  return ownMember(manufacturer(project, item)?.series, item.seriesId ?? "") ?? [];
}

function manufacturer(project: ProjectDocument, item: PositionItem) {
  return ownMember(project.manufacturers, item.manufacturerId ?? "");
}
