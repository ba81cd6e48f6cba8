import type { OexLanguage, OexText, TextLine, TextType } from "../document/frames.js";
import { textLines } from "../repair/text-lines.js";
import type { LanguageText } from "./text-reader.js";

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
