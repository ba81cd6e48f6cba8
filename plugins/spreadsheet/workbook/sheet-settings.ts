/** What a sheet has beside its rows, as the library wants it. */
import type { AddWorksheetOptions, HeaderFooter, PageSetup, Worksheet } from "@jsreport/exceljs";
import { cutText, plainText } from "./cell-text.js";
import type { PageText, PrintSettings, Row, Sheet } from "./sheet.js";
import type { SheetLayout } from "./sheet-layout.js";
import { cellAddress } from "./sheet-names.js";

/** The format has 255 characters for the whole line; each part gets its share, doubled ampersands counted. */
const longestPart = 78;

/** Of an outline. */
export const deepestLevel = 7;
const usualMargins = { left: 12, right: 12, top: 18, bottom: 18 };
/** Of header and footer from the edge of the page, in millimetres. */
const pageTextMargin = 8;
/** DIN A4. */
const paperSize = 9;
const millimetresPerInch = 25.4;
/** A4; a character of the usual font is 7 pixels wide. */
const pageMillimetres = { landscape: 297, portrait: 210 };
const millimetresPerCharacter = (7 / 96) * millimetresPerInch;
/** Below this scale a printed page cannot be read. */
const smallestScale = 0.45;
/** The library takes a width of 9 for one that nobody set. */
const unsetWidth = 9;

/**
 * What is known before the first row; `rows` are the first ones, which tell how deep the outline is, and `widths` those of the
 * columns in characters.
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

/** Sets what the library keeps in the sheet itself; widths are characters. */
export function prepareSheet(
  sheet: Worksheet,
  { widths, layout }: { widths: readonly number[]; layout: SheetLayout },
): void {
  for (const [index, width] of widths.entries()) {
    const rounded = Number(width.toFixed(2));
    sheet.getColumn(layout.firstColumn + index).width = rounded === unsetWidth ? unsetWidth + 0.01 : rounded;
  }
  // Its depth is written; from now on the library would take rows so deep for collapsed ones.
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

/** Such as `&LOffer&RPage &P of &N`. */
function pageText({ left = "", center = "", pages = "" }: PageText): string {
  const parts = [
    ["&L", literal(left)],
    ["&C", literal(center)],
    ["&R", numbered(pages)],
  ] as const;
  return parts.map(([code, text]) => (text === "" ? "" : code + text)).join("");
}

function numbered(pattern: string): string {
  // A number, plus or minus right behind the code would belong to it.
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

/** A digit at the start would be a font size. */
function escaped(text: string): string {
  const doubled = text.replaceAll("&", "&&");
  return /^\d/.test(doubled) ? ` ${doubled}` : doubled;
}
