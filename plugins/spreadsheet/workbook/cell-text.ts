/** Texts as a cell can hold them. */

/** UTF-16 units. */
export const longestText = 32_767;

const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Nothing can hold halves of characters, and what is no character. */
const impossible = /[\p{Cs}\uFFFE\uFFFF]/gu;
const looksEscaped = /_(?=x[0-9A-Fa-f]{4}_)/g;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text with line feeds as its only line ends and without what XML 1.0 cannot hold. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(forbidden, "");
}

/** The same for a cell, which can hold control characters in its own way. */
export function cellText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "").replace(impossible, "");
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

/**
 * What stands in the file for the text of a cell: a control character is `_x0001_`, as Excel writes it and as LibreOffice
 * reads it too, so a literal `_x0041_`, which would be read as an "A", gets its underscore in the same way.
 */
export function escapedCellText(text: string): string {
  const literal = text.includes("_x") ? text.replace(looksEscaped, "_x005F_") : text;
  return literal.replace(/[^\P{Cc}\t\n\x80-\x9F]/gu, escaped);
}

function escaped(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
