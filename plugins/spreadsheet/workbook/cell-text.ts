/** Texts as a cell can hold them. */

/** UTF-16 units. */
export const longestText = 32_767;

const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const looksEscaped = /_(?=x[0-9A-Fa-f]{4}_)/g;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text without what XML 1.0 cannot hold, with line feeds as its only line ends. Readers disagree about `_x0001_` for
 * such characters, and none shows them, so they are dropped.
 */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(forbidden, "");
}

/** As many UTF-16 units of a text as there is room for; a character with all its marks stays whole or goes. */
export function cutText(text: string, units: number): string {
  if (text.length <= units) return text;
  const start = Math.max(0, units - 200);
  const aligned = start > 0 && isLowSurrogate(text, start) ? start - 1 : start;
  const window = text.slice(aligned, units + 200);
  const end = characters.segment(window).containing(units - aligned)?.index ?? 0;
  if (end > 0) return text.slice(0, aligned + end);
  return text.slice(0, isLowSurrogate(text, units) ? units - 1 : units);
}

/** What stands in the file for a text: readers would take a literal `_x0041_` for an "A". */
export function escapedCellText(text: string): string {
  return text.includes("_x") ? text.replace(looksEscaped, "_x005F_") : text;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
