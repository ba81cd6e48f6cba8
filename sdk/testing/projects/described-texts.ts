import type { Texts } from "../../project/document.js";
import type { TextDescription } from "./value-description.js";

/** A text without a language is in `language`. */
export function describedTexts(text: TextDescription, language: string): Texts {
  const entries = typeof text === "string" ? [[language, text] as const] : Object.entries(text);
  return entries.map(([lang, value]) => ({ lang, value }));
}
