/** Texts of folders and text items, and custom texts of all items (OEX reference, section 12). */
import {
  type CustomText,
  chooseText,
  type FolderItem,
  type Item,
  type TextItem,
  type Texts,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexLanguage, OexText, TextLine, TextType } from "../document/frames.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { isBlank, oneLine, sourceLines, textLines } from "../repair/text-lines.js";
import type { LanguageText, TextReader } from "./text-reader.js";

/** Context of one item's texts. */
export interface TextContext extends Pick<ExportContext, "configuration" | "format"> {
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
export function addCustomTexts(
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
export function visibleTexts(item: Item): CustomText[] {
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
