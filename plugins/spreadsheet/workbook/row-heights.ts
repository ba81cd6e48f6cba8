/** Row heights from the lines of texts. LibreOffice does not compute them itself. */
import { displayWidth } from "./column-widths.js";

const lineHeight = 15;
/** Padding above and below the lines, in points. */
const padding = 1;
/** More lines are not readable in a cell. */
const mostLines = 20;

/** Height in points for a number of lines; undefined for one line, the default. */
export function heightOfLines(lines: number): number | undefined {
  return lines > 1 ? Math.min(lines, mostLines) * lineHeight + padding : undefined;
}

/**
 * Number of lines of a text in a column of `width` characters. Breaks between words, and within words that are too
 * long.
 */
export function linesOf(text: string, { width, scale }: { width: number; scale: number }): number {
  const room = Math.max(1, (width - 1) / scale);
  let lines = 0;
  for (const line of text.split("\n", mostLines)) {
    lines += brokenLines(line, room);
    if (lines >= mostLines) return mostLines;
  }
  return lines;
}

function brokenLines(line: string, room: number): number {
  if (line.length * 2 <= room) return 1;
  let lines = 1;
  let used = 0;
  for (const word of line.slice(0, room * mostLines).split(" ")) {
    const width = displayWidth(word);
    if (used > 0 && used + 1 + width > room) {
      lines++;
      used = 0;
    }
    used += (used > 0 ? 1 : 0) + width;
    if (used > room) {
      lines += Math.ceil(used / room) - 1;
      used %= room;
    }
  }
  return lines;
}
