/** Texts of folders and text items, and custom texts of all items (OEX reference, section 12). */
import {
  type CustomText,
  chooseText,
  type Descriptions,
  type FolderItem,
  type Item,
  type PositionItem,
  type TextItem,
  type Texts,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexLanguage, OexText, TextLine, TextType } from "../document/oex-document.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { isBlank, oneLine, sourceLines, textLines } from "../repair/text-lines.js";
import type { LanguageText, TextPlace, TextReader } from "./text-reader.js";

/** Context of one item's texts. */
interface TextContext extends Pick<ExportContext, "configuration" | "format"> {
  reader: TextReader;
  repairs: FieldRepairs;
}

/** Maximum name length of a text item: one line of text, since names cannot continue on further lines. */
const longestName = 80;

/** Texts of a folder, without its name. */
export function folderTexts(item: FolderItem, context: TextContext): OexText[] {
  const frames = new TextFrames();
  frames.add("ITEM", context.reader.byLanguage(item.longText, { itemId: item.id, field: "longText" }));
  addCustomTexts(frames, item, { special: "ITEM", itemTexts: true }, context);
  return frames.list();
}

/** Name and texts of a text item between the articles. */
export function textItemTexts(item: TextItem, context: TextContext): { name: string; texts: OexText[] } {
  const frames = new TextFrames();
  const { reader } = context;
  const whole = reader.best(item.text, { itemId: item.id, field: "text" });
  const name = oneLine(whole, longestName);
  const isWholeName = name === oneLine(whole, Number.POSITIVE_INFINITY) && sourceLines(whole).length === 1;
  for (const { language, value } of reader.byLanguage(item.text, { itemId: item.id, field: "text" })) {
    const isName = isWholeName && language.code === reader.documentLanguage && value === whole;
    if (!isName) frames.addLines("ITEM", language, textLines(value));
  }
  frames.add("ITEM", reader.byLanguage(item.longText, { itemId: item.id, field: "longText" }));
  addCustomTexts(frames, item, { special: "ITEM", itemTexts: true }, context);
  return { name: name === "" ? firstLine(frames.list()) : name, texts: frames.list() };
}

/**
 * Adds the user's custom texts: additional texts (`ITEM`), special model information (`special`) and free texts, which
 * orders do not have. Without `itemTexts` there are no texts of type `ITEM`.
 */
function addCustomTexts(
  frames: TextFrames,
  item: Item,
  { special, itemTexts }: { special: TextType; itemTexts: boolean },
  { configuration, format, reader }: TextContext,
): void {
  const { additionalTextId, specialModelInfoTextId } = configuration;
  const free = format.version === "2.3" ? "ITEM" : "ARTU";
  for (const { id, text } of visibleTexts(item)) {
    const isFree = id !== additionalTextId && id !== specialModelInfoTextId;
    if (isFree && format.type === "ORDERS") continue;
    const type = isFree ? free : id === additionalTextId ? "ITEM" : special;
    if (type === "ITEM" && !itemTexts) continue;
    frames.add(type, reader.byLanguage(text, { itemId: item.id, field: `customTexts.${id}` }));
  }
}

/** Whether any of the texts has visible content. Empty markup does not count; unreadable texts do. */
export function hasText(texts: Texts | undefined): boolean {
  return (texts ?? []).some((text) => {
    const { value, unreadable } = chooseText([text], []);
    return unreadable.length > 0 || !isBlank(value);
  });
}

/** The visible custom texts of an item. */
function visibleTexts(item: Item): CustomText[] {
  return (item.customTexts ?? []).filter(({ visible }) => visible);
}

function firstLine(texts: readonly OexText[]): string {
  const line = texts.flatMap(({ lines }) => lines).find(({ text }) => text.trim() !== "");
  return line?.text ?? "";
}

/** The text frames of an item: one per type and language; further texts are appended as lines. */
export class TextFrames {
  private readonly frames = new Map<string, OexText>();

  add(type: TextType, texts: readonly LanguageText[]): void {
    for (const { language, value } of texts) this.addLines(type, language, textLines(value));
  }

  /** Adds lines; without lines no frame is created. */
  addLines(type: TextType, language: OexLanguage, lines: readonly TextLine[]): void {
    if (lines.length === 0) return;
    const key = [type, language.code, language.country].join(" ");
    const frame = this.frames.get(key);
    if (frame === undefined) this.frames.set(key, { type, language, lines: [...lines] });
    // A text may have more lines than a call takes arguments.
    else for (const line of lines) frame.lines.push(line);
  }

  /** Whether there is a frame of this type in a language, in any country variant. */
  has(type: TextType, code: string): boolean {
    return this.list().some((frame) => frame.type === type && frame.language.code === code);
  }

  /** In order of their first lines. */
  list(): OexText[] {
    return [...this.frames.values()];
  }
}

// Texts of articles and sets (OEX reference, sections 8 and 12).

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
