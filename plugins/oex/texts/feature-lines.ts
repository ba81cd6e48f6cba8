import type { PositionItem, Texts } from "@slipway/sdk";
import type { OexLanguage, TextLine } from "../document/frames.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import type { TextPlace, TextReader } from "./text-reader.js";

/**
 * One line per visible feature, such as "Colour: black", in a language as far as there are texts; the symbolic name or
 * value stands where there are none.
 */
export function featureLines(item: PositionItem, language: OexLanguage, reader: TextReader): TextLine[] {
  if (item.type !== "article") return [];
  const word = (texts: Texts, symbol: string, place: TextPlace): string =>
    oneLine(wordIn(texts, language, reader, place) || symbol, Number.POSITIVE_INFINITY);
  return item.features
    .filter(({ visible }) => visible)
    .flatMap(({ name, value, nameText, valueText }) => {
      const field = `features.${name}`;
      const nameWord = word(nameText, name, { itemId: item.id, field: `${field}.nameText` });
      const valueWord = word(valueText, value, { itemId: item.id, field: `${field}.valueText` });
      return valueWord === "" ? [] : textLines(nameWord === "" ? valueWord : `${nameWord}: ${valueWord}`);
    });
}

/** The text in a language, or else the best that there is. */
function wordIn(texts: Texts, language: OexLanguage, reader: TextReader, place: TextPlace): string {
  const own = reader.byLanguage(texts, place).find((text) => text.language.code === language.code);
  return own?.value ?? reader.best(texts, place);
}
