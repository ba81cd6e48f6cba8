/** Texts of articles and sets (OEX reference, sections 8 and 12). */
import type { Descriptions, PositionItem, Texts } from "@slipway/sdk";
import type { OexLanguage, OexText, TextLine } from "../document/frames.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import { addCustomTexts, hasText, type TextContext, TextFrames, visibleTexts } from "./item-texts.js";
import type { TextPlace, TextReader } from "./text-reader.js";

/** Maximum length of a short text. */
const longestShortText = 80;

/** Short text of an article that has no text and no number. */
const unnamed = "0";

const descriptionFields = ["shortText", "longText", "featureText"] as const;

/**
 * The texts of an article or a set. There is always a short text in the language of the document; without one in the
 * project it is `name`, such as the article number.
 */
export function articleTexts(item: PositionItem, name: string, context: TextContext): OexText[] {
  const frames = new TextFrames();
  const description = ownDescription(item);
  addShortText(frames, item, name, context);
  const read = (field: keyof Descriptions) =>
    context.reader.byLanguage(description?.[field], { itemId: item.id, field });
  frames.add("ARTL", read("longText"));
  if (context.format.version !== "2.3") frames.add("ARTV", read("featureText"));
  if (isModified(item, context)) addModification(frames, item, context);
  const special = item.type === "article" ? "ARTM" : "ARTL";
  const itemTexts = !context.configuration.ignoreITEMText;
  addCustomTexts(frames, item, { special, itemTexts }, context);
  if (context.configuration.featureInARTL) addFeatures(frames, item, context);
  return frames.list();
}

/** Whether the user changed the catalog texts of an article, so that it is no longer the original. */
export function isModified(
  item: PositionItem,
  { configuration }: Pick<TextContext, "configuration">,
): boolean {
  if (item.type !== "article") return false;
  const { specialModelInfoTextId } = configuration;
  const special = visibleTexts(item).filter(({ id }) => id === specialModelInfoTextId);
  const changed = descriptionFields.map((field) => item.userDescription?.[field]);
  return [...changed, ...special.map(({ text }) => text)].some(hasText);
}

/** The catalog's description of an article, and the user's description of other items. */
function ownDescription(item: PositionItem): Descriptions | undefined {
  return item.type === "article" ? item.productDescription : item.userDescription;
}

function addShortText(frames: TextFrames, item: PositionItem, name: string, context: TextContext): void {
  const { reader } = context;
  const description = ownDescription(item);
  const texts: Texts | undefined = hasText(description?.shortText)
    ? description?.shortText
    : item.userDescription?.shortText;
  const place = { itemId: item.id, field: "shortText" };
  const own = reader.byLanguage(texts, place);
  if (!own.some(({ language }) => language.code === reader.documentLanguage)) {
    const long = (): string => reader.best(description?.longText, { itemId: item.id, field: "longText" });
    const value = reader.best(texts, place) || name || long() || unnamed;
    own.unshift({ language: { code: reader.documentLanguage }, value });
  }
  for (const { language, value } of own) {
    frames.addLines("ARTS", language, [{ format: "\\", text: shortText(value, context) }]);
  }
}

function shortText(value: string, { repairs }: TextContext): string {
  const text = oneLine(value, longestShortText);
  const whole = oneLine(value, Number.POSITIVE_INFINITY);
  if (text !== whole) repairs.report("shortText", whole, `cut to ${longestShortText} characters`);
  return text;
}

function addModification(frames: TextFrames, item: PositionItem, { reader }: TextContext): void {
  for (const field of descriptionFields) {
    const place = { itemId: item.id, field: `userDescription.${field}` };
    frames.add("ARTM", reader.byLanguage(item.userDescription?.[field], place));
  }
}

/** In the language of the document, and in every other language with a long text. */
function addFeatures(frames: TextFrames, item: PositionItem, { reader }: TextContext): void {
  const document = { code: reader.documentLanguage };
  const languages = frames.list().flatMap(({ type, language }) => (type === "ARTL" ? [language] : []));
  const all = frames.has("ARTL", document.code) ? languages : [document, ...languages];
  for (const language of all) frames.addLines("ARTL", language, featureLines(item, language, reader));
}

/** One line per visible feature, such as "Colour: black". The symbolic name or value replaces a missing text. */
function featureLines(item: PositionItem, language: OexLanguage, reader: TextReader): TextLine[] {
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

/** The text in a language, otherwise the best one available. */
function wordIn(texts: Texts, language: OexLanguage, reader: TextReader, place: TextPlace): string {
  const own = reader.byLanguage(texts, place).find((text) => text.language.code === language.code);
  return own?.value ?? reader.best(texts, place);
}
