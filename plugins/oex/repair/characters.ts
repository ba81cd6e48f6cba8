/** Characters allowed in texts, and cutting without breaking a character. */

/** Line ends of any kind: of operating systems, of Unicode, and page breaks. */
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Control characters, lone surrogates and noncharacters; most of them are invalid in XML. */
const unwritable = /[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu;

/** One line that needs no repair, like most texts. */
const ordinary = /^[\x20-\x7E\xA0-\u2027\u202A-\uD7FF]*$/;

const visible = /[^\s\p{Cf}]/u;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The lines of a text, with tabs replaced by blanks and without characters that cannot be written. */
export function sourceLines(text: string): string[] {
  if (ordinary.test(text)) return [text];
  return text
    .replace(lineEnds, "\n")
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replace(unwritable, ""));
}

/** Whether a text has no visible characters: only blanks and direction marks. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/**
 * Number of code points from `start` that fit into `limit` without breaking a grapheme, such as an emoji of several
 * code points. A grapheme longer than the limit is broken.
 */
export function charactersWithin(points: readonly string[], start: number, limit: number): number {
  if (points.length - start <= limit) return points.length - start;
  // The following characters decide whether the last grapheme ends at the limit.
  const ahead = points.slice(start, start + limit * 2).join("");
  let fitting = 0;
  for (const { segment } of graphemes.segment(ahead)) {
    const next = fitting + [...segment].length;
    if (next > limit) break;
    fitting = next;
  }
  return fitting > 0 ? fitting : limit;
}
