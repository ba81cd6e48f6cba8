/** Texts as lines of at most 80 characters (OEX reference, section 12). */
import type { TextLine } from "../document/frames.js";
import { charactersWithin, isBlank, sourceLines } from "./characters.js";

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
