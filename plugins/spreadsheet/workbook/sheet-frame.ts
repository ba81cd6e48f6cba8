/** What a sheet's part has before and after its rows; the format prescribes the order of all elements. */
import type { StreamingXmlWriter } from "@slipway/sdk";
import { cellAddress } from "./addresses.js";
import { pageText } from "./page-text.js";
import type { PrintSettings, Row, Sheet } from "./sheet.js";
import type { SheetLayout } from "./sheet-layout.js";
import type { SheetLinks } from "./sheet-links.js";

const usualMargins = { left: 12, right: 12, top: 18, bottom: 18 };
/** Of header and footer from the edge of the page, in millimetres. */
const pageTextMargin = 8;
/** DIN A4. */
const paperSize = 9;
const millimetresPerInch = 25.4;

/** Everything up to the first row; `rows` are the first ones, which tell how deep the outline is. */
export function writeHead(
  writer: StreamingXmlWriter,
  sheet: Sheet,
  {
    layout,
    widths,
    rows,
    isFirst,
  }: { layout: SheetLayout; widths: number[]; rows: readonly Row[]; isFirst: boolean },
): void {
  writer.open("worksheet", {
    xmlns: "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "xmlns:r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  });
  writer.open("sheetPr");
  if (sheet.summary === "above") writer.element("outlinePr", "", { summaryBelow: 0 });
  writer.element("pageSetUpPr", "", { fitToPage: 1 });
  writer.close();
  writeView(writer, layout, isFirst);
  const depth = Math.max(0, ...rows.map(({ level = 0 }) => Math.min(level, 7)));
  writer.element("sheetFormatPr", "", {
    defaultRowHeight: 15,
    outlineLevelRow: depth > 0 ? depth : undefined,
  });
  writer.open("cols");
  for (const [index, width] of widths.entries()) {
    const column = layout.firstColumn + index;
    writer.element("col", "", { min: column, max: column, width: Number(width.toFixed(2)), customWidth: 1 });
  }
  writer.close();
  writer.open("sheetData");
}

function writeView(writer: StreamingXmlWriter, { frozen }: SheetLayout, isFirst: boolean): void {
  const { rows, columns } = frozen;
  writer.open("sheetViews");
  writer.open("sheetView", { tabSelected: isFirst ? 1 : undefined, workbookViewId: 0 });
  if (rows > 0 || columns > 0) {
    const pane = rows === 0 ? "topRight" : columns === 0 ? "bottomLeft" : "bottomRight";
    const topLeftCell = cellAddress(rows + 1, columns + 1);
    writer.element("pane", "", {
      xSplit: columns > 0 ? columns : undefined,
      ySplit: rows > 0 ? rows : undefined,
      topLeftCell,
      activePane: pane,
      state: "frozen",
    });
    writer.element("selection", "", { pane, activeCell: topLeftCell, sqref: topLeftCell });
  }
  writer.close();
  writer.close();
}

/** What is known when all rows are written. */
export interface SheetEnd {
  layout: SheetLayout;
  /** The last row with something in it, from 1. */
  lastRow: number;
  /** Such as "A1:F20". */
  filter: string | undefined;
  links: SheetLinks;
  /** The relationship of the drawing, where there are pictures. */
  drawing: string | undefined;
}

/** Everything after the last row. */
export function writeFoot(
  writer: StreamingXmlWriter,
  print: PrintSettings,
  { layout, lastRow, filter, links, drawing }: SheetEnd,
): void {
  writer.close();
  if (filter !== undefined) writer.element("autoFilter", "", { ref: filter });
  if (links.places.length > 0) {
    writer.open("hyperlinks");
    for (const { cell, id } of links.places) writer.element("hyperlink", "", { ref: cell, "r:id": id });
    writer.close();
  }
  writePageSetup(writer, print);
  // Numbers of articles are texts, and mean to be.
  const first = cellAddress(layout.firstRow, layout.firstColumn);
  const last = cellAddress(Math.max(lastRow, layout.firstRow), layout.lastColumn);
  writer.open("ignoredErrors");
  writer.element("ignoredError", "", { sqref: `${first}:${last}`, numberStoredAsText: 1 });
  writer.close();
  if (drawing !== undefined) writer.element("drawing", "", { "r:id": drawing });
  writer.close();
}

function writePageSetup(
  writer: StreamingXmlWriter,
  { orientation = "landscape", margins = usualMargins, header, footer }: PrintSettings,
): void {
  const { left, right, top, bottom } = margins;
  writer.element("pageMargins", "", {
    left: inches(left),
    right: inches(right),
    top: inches(top),
    bottom: inches(bottom),
    header: inches(Math.min(pageTextMargin, top)),
    footer: inches(Math.min(pageTextMargin, bottom)),
  });
  // No height: as many pages as it takes.
  writer.element("pageSetup", "", { paperSize, fitToHeight: 0, orientation });
  const texts = { oddHeader: header && pageText(header), oddFooter: footer && pageText(footer) };
  if (!texts.oddHeader && !texts.oddFooter) return;
  writer.open("headerFooter");
  for (const [name, text] of Object.entries(texts)) if (text) writer.element(name, text);
  writer.close();
}

function inches(millimetres: number): number {
  return Number((Math.max(0, millimetres) / millimetresPerInch).toFixed(4));
}
