/** Helpers for the demo project's data. */
import { type Feature, stableId, type Texts } from "@slipway/sdk";

/** A text in both languages of the demo project. */
export function inBoth(english: string, german: string): Texts {
  return [
    { lang: "en", value: english },
    { lang: "de", value: german },
  ];
}

/** The id of an object of the demo project. */
export function demoId(name: string): string {
  return stableId(`slipway-demo/${name}`);
}

/** The URI of a picture as in project files. */
export function pictureUri(name: string): string {
  return `gen:${demoId(`picture/${name}`)}`;
}

/** A configured property: symbolic name and value, then their texts. */
export function feature(
  symbols: [name: string, value: string],
  english: [name: string, value: string],
  german: [name: string, value: string],
): Feature {
  return {
    name: symbols[0],
    value: symbols[1],
    nameText: inBoth(english[0], german[0]),
    valueText: inBoth(english[1], german[1]),
    visible: true,
  };
}

/** The variant description: one line per visible feature. */
export function featureText(features: readonly Feature[]): Texts {
  return ["en", "de"].map((lang) => ({
    lang,
    value: features
      .filter(({ visible }) => visible)
      .map(({ nameText, valueText }) => `${textIn(nameText, lang)}: ${textIn(valueText, lang)}`)
      .join("\n"),
  }));
}

function textIn(texts: Texts, lang: string): string {
  return texts.find((text) => text.lang === lang)?.value ?? "";
}
