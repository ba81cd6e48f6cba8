/**
 * Texts as lines of at most 80 characters (OEX reference, section 12): characters allowed in them, and cutting
 * without breaking a character.
 */
import type { TextLine } from "../document/oex-document.js";

const longestLine = 80;

/**
 * The lines of a plain text. A long line is broken at a blank, which the receiver restores; a long word is cut.
 * Trailing empty lines are dropped, others become one blank. Empty if the text has no visible characters.
 */
export function textLines(text: string): TextLine[] {
  const lines = sourceLines(text).map((line) => (isBlank(line) ? "" : line.trimEnd()));
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1).flatMap(paragraphLines);
}

/**
 * A text as one line: its non-blank lines joined by blanks, at most `limit` characters. Empty if the text has no
 * visible characters.
 */
export function oneLine(text: string, limit: number): string {
  const joined = sourceLines(text)
    .filter((line) => !isBlank(line))
    .map((line) => line.trim())
    .join(" ");
  if (joined.length <= limit) return joined;
  const points = [...joined];
  return points
    .slice(0, charactersWithin(points, 0, limit))
    .join("")
    .trimEnd();
}

function paragraphLines(paragraph: string): TextLine[] {
  if (paragraph === "") return [{ format: "\\", text: " " }];
  if (paragraph.length <= longestLine) return [{ format: "\\", text: paragraph }];
  const points = [...paragraph];
  const lines: TextLine[] = [];
  for (let start = 0; start < points.length; ) {
    const { end, next } = lineEnd(points, start);
    lines.push({ format: lines.length === 0 ? "\\" : "~", text: points.slice(start, end).join("") });
    start = next;
  }
  return lines;
}

/**
 * End of the line that begins at `start`, and start of the next one. The receiver inserts a blank between them unless
 * the next line begins with one; so a single blank is dropped, and the last of several is kept.
 */
function lineEnd(points: readonly string[], start: number): { end: number; next: number } {
  if (points.length - start <= longestLine) return { end: points.length, next: points.length };
  const ahead = points.slice(start, start + longestLine + 1);
  const blank = ahead.lastIndexOf(" ");
  if (blank > ahead.findIndex((point) => point !== " ")) {
    const end = start + blank;
    return { end, next: points[end + 1] === " " ? end : end + 1 };
  }
  const end = start + charactersWithin(points, start, longestLine);
  return { end, next: end };
}

/** Line ends of any kind: of operating systems, of Unicode, and page breaks. */
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Control characters, lone surrogates and noncharacters; most of them are invalid in XML. */
const unwritable = /[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu;

/** One line that needs no repair, like most texts. */
const ordinary = /^[\x20-\x7E\xA0-\u2027\u202A-\uD7FF]*$/;

const visible = /[^\s\p{Cf}]/u;

/** Latin letters, digits and punctuation: each of these code points is a grapheme, whatever is beside it. */
const standsAlone = /^[\x20-\x7E\xA0-\u02FF]*$/;

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
  if (standsAlone.test(ahead)) return limit;
  const beyond = points.slice(start, start + limit).join("").length;
  const end = graphemes.segment(ahead).containing(beyond)?.index ?? 0;
  return end > 0 ? [...ahead.slice(0, end)].length : limit;
}
