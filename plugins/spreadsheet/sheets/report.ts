/** The project sheet: header data, then the calculation of the document. */
import type { ExportContext } from "../request/export-context.js";
import type { Row, Sheet } from "../workbook/sheet.js";
import { headerCalculationRows } from "./calculation.js";
import { headerFields, pageTexts } from "./header-data.js";
import { priceLineColumns } from "./price-lines.js";

/** Width of the second column in characters; for the project's texts. */
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

/** Header fields with a heading per section, followed by an empty row. */
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
