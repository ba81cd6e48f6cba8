/** Descriptions, numbers and names of articles. */

import { ownMember } from "../schema/own-member.js";
import type { Descriptions, PositionItem, ProjectDocument, Texts } from "./document.js";
import { speaks } from "./text-choice.js";

/** Description fields of an article. */
export type DescriptionField = keyof Descriptions;

/**
 * The texts of one field of an article's description. The user's text replaces the product's, unless only the product's
 * text is in one of the languages.
 */
export function descriptionTexts(
  item: PositionItem,
  field: DescriptionField,
  languages: readonly string[],
): Texts {
  const user = item.userDescription?.[field];
  const product = item.type === "article" ? item.productDescription[field] : undefined;
  const userCounts = hasText(user) && (speaks(user, languages) || !speaks(product, languages));
  return (userCounts ? user : product) ?? [];
}

/** A visible feature in words. */
export interface NamedFeature {
  /** Symbolic name, the same in every language. */
  id: string;
  /** In words, in the requested language. */
  name: string;
  /** In words, in the requested language. */
  value: string;
}

/**
 * The visible features of an article; symbolic names and values replace missing texts. `read` selects the text to
 * display.
 */
export function visibleFeatures(
  item: PositionItem,
  read: (texts: Texts, field: string) => string,
): NamedFeature[] {
  if (item.type !== "article") return [];
  return item.features
    .filter((feature) => feature.visible)
    .map((feature) => ({
      id: feature.name,
      name: read(feature.nameText, `features.${feature.name}.nameText`) || feature.name,
      value: read(feature.valueText, `features.${feature.name}.valueText`) || feature.value,
    }));
}

/** Lines of the variant text, otherwise one line per visible feature, such as "Colour: black". */
export function variantLines(featureText: string, features: readonly NamedFeature[]): string[] {
  if (featureText !== "") return featureText.split("\n");
  return features.map((feature) => `${feature.name}: ${feature.value}`);
}

/** The texts of a visible custom text of an item, such as `@add` (additional text). */
export function customTexts(item: PositionItem, id: string): Texts {
  return item.customTexts?.find((text) => text.id === id && text.visible)?.text ?? [];
}

function hasText(texts: Texts | undefined): boolean {
  return (texts ?? []).some((text) => text.value.trim() !== "");
}

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
