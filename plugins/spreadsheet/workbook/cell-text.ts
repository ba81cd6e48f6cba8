/** Converts texts to valid cell texts. */

/** In UTF-16 units. */
export const longestText = 32_767;

const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Lone surrogates and noncharacters are never valid. */
const impossible = /[\p{Cs}\uFFFE\uFFFF]/gu;
const looksEscaped = /_(?=x[0-9A-Fa-f]{4}_)/g;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text with line feeds as line ends and without characters that XML 1.0 does not allow. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(forbidden, "");
}

/** The same for a cell, which may contain escaped control characters. */
export function cellText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "").replace(impossible, "");
}

/** The start of a text, at most `units` UTF-16 units, without breaking a grapheme. */
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
 * Escapes a cell text for the file: a control character becomes `_x0001_`, which Excel and LibreOffice understand. The
 * underscore of a literal `_x0041_`, which would be read as "A", is escaped the same way.
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
