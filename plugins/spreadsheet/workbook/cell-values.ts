/** Converts cell contents to values of the library, and texts to valid cell texts. */
import type { CellValue } from "@jsreport/exceljs";
import { Exact } from "@slipway/sdk";
import type { FormulaCell, NumberCell, NumberFormat, TableRange } from "./sheet.js";

const day = 24 * 60 * 60 * 1000;
/** Day 0. The format counts a nonexistent 29 February 1900, so days are correct from 1 March 1900 on. */
const dayZero = Date.UTC(1899, 11, 30);
const firstDay = Date.UTC(1900, 2, 1);

/** The value of a text that fits into a cell, with its link target. */
export function textValue(text: string, target?: string): CellValue {
  if (text === "") return null;
  const escaped = escapedCellText(text);
  // The library's links have plain texts only.
  if (target !== undefined) return { text: escaped.trim(), hyperlink: target };
  // The library writes other texts like formula results: LibreOffice reads no escapes there and shows no line breaks,
  // and leading or trailing blanks are kept only in rich text.
  const isPlain = escaped === text && !/^\s|\s$|\n/.test(text);
  return isPlain ? text : { richText: [{ text: escaped }] };
}

/**
 * A number, or a formula with its result.
 * @throws {RangeError} for a text that is not a decimal, or exceeds the range of spreadsheets (about 1.8e308)
 */
export function numericValue(cell: NumberCell | FormulaCell, range: TableRange): CellValue {
  const number = fileNumber(cell.value, cell.format);
  if (cell.kind === "number") return number;
  const { formula } = cell;
  return { formula: typeof formula === "string" ? formula : formula(range), result: number };
}

/**
 * The decimal of a cell with the precision of spreadsheets; percentages are fractions of one.
 * @throws {RangeError} for a text that is not a decimal, or exceeds the range of spreadsheets (about 1.8e308)
 */
export function fileNumber(value: string, format: NumberFormat | undefined): number {
  if (!/^-?\d+(\.\d+)?$/.test(value) || !Number.isFinite(Number(value))) {
    throw new RangeError(
      `expected a decimal such as "-1234.50", received ${JSON.stringify(value.slice(0, 64))}`,
    );
  }
  return Number(format?.kind === "percent" ? new Exact(value).dividedBy(100).toFixed() : value);
}

/** The serial number of a day such as "2026-03-02"; undefined for an invalid day or one before March 1900. */
export function dayNumber(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const month = Number(date.slice(5, 7)) - 1;
  const time = Date.UTC(Number(date.slice(0, 4)), month, Number(date.slice(8)));
  // Rejects days such as 30 February.
  return time >= firstDay && new Date(time).getUTCMonth() === month ? (time - dayZero) / day : undefined;
}

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
function escapedCellText(text: string): string {
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
