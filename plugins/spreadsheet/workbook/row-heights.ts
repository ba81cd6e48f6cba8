/** How high rows are: as many lines as their texts take. LibreOffice does not find that out by itself. */
import { displayWidth } from "./column-widths.js";

const lineHeight = 15;
/** Above and below the lines. */
const padding = 1;
/** More would not be read in a cell. */
const mostLines = 20;

/** Points for a row with so many lines; undefined for one line, which needs nothing said. */
export function heightOfLines(lines: number): number | undefined {
  return lines > 1 ? Math.min(lines, mostLines) * lineHeight + padding : undefined;
}

/** Lines of a text in a column that is so many characters wide; it breaks between words, and within words that are wider. */
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
