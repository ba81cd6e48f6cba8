/** What a text may consist of, and cutting it without breaking a character. */

/** Line ends of any kind: of operating systems, of Unicode, and page breaks. */
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Control characters, lone surrogates and code points that are none; XML has no place for most of them. */
const unwritable = /[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu;

/** One line of which all can be written, as most texts are. */
const ordinary = /^[\x20-\x7E\xA0-\u2027\u202A-\uD7FF]*$/;

const visible = /[^\s\p{Cf}]/u;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The lines of a text as they stand, with one blank for a tabulator and without what cannot be written. */
export function sourceLines(text: string): string[] {
  if (ordinary.test(text)) return [text];
  return text
    .replace(lineEnds, "\n")
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replace(unwritable, ""));
}

/** Whether a text shows nothing: it has blanks and marks of direction at most. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/**
 * How many of the code points from `start` on fit into `limit` without breaking a character that the reader sees as
 * one, such as an emoji of several code points. A character that is longer than the limit is broken.
 */
export function charactersWithin(points: readonly string[], start: number, limit: number): number {
  if (points.length - start <= limit) return points.length - start;
  // What follows decides whether the last character ends at the limit.
  const ahead = points.slice(start, start + limit * 2).join("");
  let fitting = 0;
  for (const { segment } of graphemes.segment(ahead)) {
    const next = fitting + [...segment].length;
    if (next > limit) break;
    fitting = next;
  }
  return fitting > 0 ? fitting : limit;
}
