/** What articles say of themselves. */
import type { Descriptions, PositionItem, Texts } from "./document.js";
import { speaks } from "./text-choice.js";

/** The texts that an article has. */
export type DescriptionField = keyof Descriptions;

/**
 * The texts of one field of an article's description. What a user wrote stands for the product's own text, unless it
 * is in none of the languages and the product's text is.
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
  /** In words, of the language that was asked for. */
  name: string;
  /** In words, of the language that was asked for. */
  value: string;
}

/**
 * The visible features of an article; the symbolic name or value stands where there is no text.
 * `read` turns texts into words.
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

/** Lines of the variant text: those of the text itself, or else one per visible feature, such as "Colour: black". */
export function variantLines(featureText: string, features: readonly NamedFeature[]): string[] {
  if (featureText !== "") return featureText.split("\n");
  return features.map((feature) => `${feature.name}: ${feature.value}`);
}

/** The texts of one of an item's custom texts, such as `@add` (additional text), where it is visible. */
export function customTexts(item: PositionItem, id: string): Texts {
  return item.customTexts?.find((text) => text.id === id && text.visible)?.text ?? [];
}

function hasText(texts: Texts | undefined): boolean {
  return (texts ?? []).some((text) => text.value.trim() !== "");
}
