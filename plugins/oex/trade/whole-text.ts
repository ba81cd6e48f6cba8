import type { OexLanguage, OexText, TextLine, TextType } from "../document/frames.js";

/** The text that was broken into lines: those that continue a line are joined by the blank at which it was broken. */
export function wholeText(lines: readonly TextLine[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += line.format === "\\" ? "\n" : line.text.startsWith(" ") ? "" : " ";
    text += line.text;
  }
  return text.trim();
}

/** The one in the document's language, else the first one. */
export function inLanguage<T extends { language: OexLanguage }>(
  texts: readonly T[],
  { code, country }: OexLanguage,
): T | undefined {
  const own = texts.filter(({ language }) => language.code === code);
  return own.find(({ language }) => language.country === country) ?? own[0] ?? texts[0];
}

/** The text of a type in the document's language; undefined if there is none. */
export function textOf(texts: readonly OexText[], type: TextType, language: OexLanguage): string | undefined {
  const found = inLanguage(
    texts.filter((text) => text.type === type),
    language,
  );
  const text = found && wholeText(found.lines);
  return text === "" ? undefined : text;
}
