/** The sheet about the project as a whole: header data, then the calculation of the document. */
import type { ExportContext } from "../request/export-context.js";
import type { Row, Sheet } from "../workbook/sheet.js";
import { headerCalculationRows } from "./header-calculation.js";
import { headerFields } from "./header-data.js";
import { pageTexts } from "./page-texts.js";
import { priceLineColumns } from "./price-lines.js";

/** In characters: texts of the project stand in the second column. */
const contentWidth = 45;

/** The sheet "Project". */
export function report(context: ExportContext): Sheet {
  const { reportStartRow: row, reportStartColumn: column } = context.settings;
  return {
    name: context.words.project,
    start: { row, column },
    lead: leadRows(context),
    columns: priceLineColumns(context).map((each, index) =>
      index === 1 ? { ...each, width: contentWidth } : each,
    ),
    rows: headerCalculationRows(context),
    freeze: { header: false },
    print: { ...pageTexts(context), orientation: "portrait" },
  };
}

/** Fields below a heading for each section, and an empty row after them. */
function leadRows(context: ExportContext): Row[] {
  const rows: Row[] = [];
  let above = "";
  for (const { section, field, content } of headerFields(context)) {
    if (section !== above) {
      if (above !== "") rows.push({ cells: [] });
      rows.push({ cells: [{ kind: "text", text: section }], style: above === "" ? "title" : "heading" });
    }
    rows.push({ cells: [{ kind: "text", text: field }, content] });
    above = section;
  }
  return [...rows, { cells: [] }];
}
