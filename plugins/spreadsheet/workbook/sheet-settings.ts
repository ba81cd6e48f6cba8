/** Sheet settings for the library. */
import type { AddWorksheetOptions, HeaderFooter, PageSetup, Worksheet } from "@jsreport/exceljs";
import { cutText, plainText } from "./cell-values.js";
import type { PageText, PrintSettings, Row, Sheet } from "./sheet.js";
import { cellAddress, type SheetLayout } from "./sheet-layout.js";

/**
 * The format allows 255 characters for the whole line; each of the three parts gets a share, including doubled
 * ampersands.
 */
const longestPart = 78;

/** Maximum depth of an outline. */
export const deepestLevel = 7;
const usualMargins = { left: 12, right: 12, top: 18, bottom: 18 };
/** Distance of header and footer from the edge of the page, in millimetres. */
const pageTextMargin = 8;
/** DIN A4. */
const paperSize = 9;
const millimetresPerInch = 25.4;
/** A4; a character of the usual font is 7 pixels wide. */
const pageMillimetres = { landscape: 297, portrait: 210 };
const millimetresPerCharacter = (7 / 96) * millimetresPerInch;
/** Minimum scale of a readable printed page. */
const smallestScale = 0.45;
/** The library treats a width of 9 as unset. */
const unsetWidth = 9;

/**
 * The options of a new sheet. `rows`: the first rows, which determine the outline depth. `widths`: column widths in
 * characters.
 */
export function sheetOptions(
  { summary, print = {} }: Pick<Sheet, "summary" | "print">,
  { layout, rows, widths }: { layout: SheetLayout; rows: readonly Row[]; widths: readonly number[] },
): Partial<AddWorksheetOptions> {
  return {
    properties: {
      defaultRowHeight: 15,
      dyDescent: 0.25,
      outlineLevelRow: Math.max(0, ...rows.map(({ level = 0 }) => Math.min(level, deepestLevel))),
      ...(summary === "above" ? { outlineProperties: { summaryBelow: false, summaryRight: true } } : {}),
    },
    views: view(layout),
    pageSetup: pageSetup(print, widths),
    headerFooter: headerFooter(print),
  };
}

/** Sets properties of the library's sheet. `widths` in characters. */
export function prepareSheet(
  sheet: Worksheet,
  { widths, layout }: { widths: readonly number[]; layout: SheetLayout },
): void {
  for (const [index, width] of widths.entries()) {
    const rounded = Number(width.toFixed(2));
    sheet.getColumn(layout.firstColumn + index).width = rounded === unsetWidth ? unsetWidth + 0.01 : rounded;
  }
  // The depth is already written; with it the library would mark rows of that depth as collapsed.
  sheet.properties.outlineLevelRow = deepestLevel + 1;
}

function view({ frozen: { rows, columns } }: SheetLayout): AddWorksheetOptions["views"] {
  if (rows === 0 && columns === 0) return [];
  const topLeftCell = cellAddress(rows + 1, columns + 1);
  return [{ state: "frozen", xSplit: columns, ySplit: rows, topLeftCell, activeCell: topLeftCell }];
}

function pageSetup(
  { orientation = "landscape", margins = usualMargins }: PrintSettings,
  widths: readonly number[],
): Partial<PageSetup> {
  const { left, right, top, bottom } = margins;
  const room = Math.max(1, pageMillimetres[orientation] - left - right);
  const width = widths.reduce((sum, each) => sum + each, 0) * millimetresPerCharacter;
  return {
    paperSize,
    orientation,
    fitToPage: true,
    fitToWidth: Math.max(1, Math.ceil((width * smallestScale) / room)),
    // As many pages as it takes.
    fitToHeight: 0,
    margins: {
      left: inches(left),
      right: inches(right),
      top: inches(top),
      bottom: inches(bottom),
      header: inches(Math.min(pageTextMargin, top)),
      footer: inches(Math.min(pageTextMargin, bottom)),
    },
  };
}

function headerFooter({ header, footer }: PrintSettings): Partial<HeaderFooter> {
  return {
    ...(header === undefined ? {} : { oddHeader: pageText(header) }),
    ...(footer === undefined ? {} : { oddFooter: pageText(footer) }),
  };
}

function inches(millimetres: number): number {
  return Number((Math.max(0, millimetres) / millimetresPerInch).toFixed(4));
}

/** For example `&LOffer&RPage &P of &N`. */
function pageText({ left = "", center = "", pages = "" }: PageText): string {
  const parts = [
    ["&L", literal(left)],
    ["&C", literal(center)],
    ["&R", numbered(pages)],
  ] as const;
  return parts.map(([code, text]) => (text === "" ? "" : code + text)).join("");
}

function numbered(pattern: string): string {
  // A digit, plus or minus directly after the code would be part of it.
  return literal(pattern)
    .replaceAll("{page}", "&P")
    .replaceAll("{pages}", "&N")
    .replace(/(&[PN])(?=[\d+-])/g, "$1 ");
}

function literal(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  let cut = cutText(line, longestPart);
  while (escaped(cut).length > longestPart) cut = cutText(cut, cut.length - 1);
  return escaped(cut);
}

/** A leading digit would be read as a font size. */
function escaped(text: string): string {
  const doubled = text.replaceAll("&", "&&");
  return /^\d/.test(doubled) ? ` ${doubled}` : doubled;
}
