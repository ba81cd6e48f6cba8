/**
 * Sizes of cells: row heights from the lines of texts, which LibreOffice does not compute itself, and column widths,
 * fitted to the first rows within bounds.
 */
import type { Cell, Column, Row } from "./sheet.js";

const lineHeight = 15;
/** Padding above and below the lines, in points. */
const heightPadding = 1;
/** More lines are not readable in a cell. */
const mostLines = 20;

/** Height in points for a number of lines; undefined for one line, the default. */
export function heightOfLines(lines: number): number | undefined {
  return lines > 1 ? Math.min(lines, mostLines) * lineHeight + heightPadding : undefined;
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

const usualBounds = { min: 6, max: 60 };
const widestColumn = 255;
/** Default width of a picture column, in characters. */
const pictureWidth = 16;
/** Widths of a filter button and of a cell's padding, in characters. */
const filterButton = 2.5;
const widthPadding = 1.5;
/** Width factor of bold letters. */
export const boldScale = 1.1;
/** Characters of double width. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/gu;

/** The width of each column in characters, from its header and the given first rows. */
export function columnWidths(
  columns: readonly Column[],
  { rows, filter }: { rows: readonly Row[]; filter: boolean },
): number[] {
  return columns.map(({ header, width = usualBounds, wrap }, index) => {
    if (typeof width === "number") return Math.min(width, widestColumn);
    const { min, max } = width;
    // A header wider than its column breaks between words.
    const words = wrap ? [header ?? ""] : (header ?? "").split(/\s+/);
    const headerWidth = Math.max(...words.map(textWidth)) * boldScale + (filter ? filterButton : 0);
    const widths = rows.map((row) => cellWidth(row.cells[index]) * (row.style === undefined ? 1 : boldScale));
    const fitted = Math.max(headerWidth, ...widths) + widthPadding;
    return Math.min(Math.max(fitted, min), max, widestColumn);
  });
}

/** Converts a width to pixels at 96 dots per inch, rounded like Excel does for its default font. */
export function columnPixels(characters: number): number {
  return Math.floor(((256 * characters + Math.floor(128 / 7)) / 256) * 7);
}

function cellWidth(cell: Cell | undefined): number {
  switch (cell?.kind) {
    case undefined:
      return 0;
    case "text":
      return textWidth(cell.text);
    case "date":
      return 10;
    case "picture":
      return pictureWidth;
    case "number":
    case "formula":
      return numberWidth(cell);
  }
}

/** Includes grouping signs and the currency sign or unit. */
function numberWidth({ value, format }: Extract<Cell, { kind: "number" | "formula" }>): number {
  const whole = value.split(".")[0]?.length ?? 0;
  const fraction = Math.min(value.length - whole, 8);
  const extra = format?.kind === "unit" ? textWidth(format.unit) + 1 : format?.kind === "number" ? 0 : 3;
  return whole + Math.floor(whole / 3) + Math.max(fraction, format?.kind === "currency" ? 3 : 0) + extra;
}

/** Width of the longest line; long texts are cut first, because column widths are limited. */
function textWidth(text: string): number {
  return Math.max(...text.slice(0, 2000).split("\n").map(displayWidth));
}

/** Width in units of a digit. */
function displayWidth(line: string): number {
  return line.length + (line.match(wide)?.length ?? 0);
}
