/** Exports a project as CSV files. */
import { type Host, parseLocale, type Route, route, type Static, type StoredFile } from "@slipway/sdk";
import { stringify } from "csv-stringify/sync";
import type { ExportContext } from "../request/export-context.js";
import { prepareExport } from "../request/prepare-export.js";
import { articleList } from "../sheets/article-list.js";
import { calculation, headerCalculation } from "../sheets/calculation.js";
import { headerData } from "../sheets/header-data.js";
import type { Cell, Row, Sheet } from "../workbook/sheet.js";
import { type ExportedFile, exportRoute, exportStem, stemWith } from "./workbook-file.js";

/** CSV format of a locale. */
interface CsvFormat {
  /** Field separator: ";" if the decimal sign is a comma, otherwise ",". */
  separator: string;
  decimalSign: string;
}

/**
 * Texts that spreadsheet programs would read as formulas. The last four signs are full-width forms of the first; some
 * programs ignore blanks and invisible characters before them.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Sheets as CSV: UTF-8 with byte order mark, lines end with CR LF. */
const byteOrderMark = "\ufeff";

/** Number of lines per piece of the file. */
const linesAtOnce = 200;

type MakeSheet = (context: ExportContext) => Sheet;

const articles: MakeSheet = (context) => articleList(context, { pictures: false });

/** File names in the archive, the same in every language, because programs look for them. */
const archived: readonly (readonly [name: string, MakeSheet])[] = [
  ["Article_List", articles],
  ["Calculation_Scheme", calculation],
  ["Header_Calculation", headerCalculation],
  ["Header_Data", headerData],
];

/** Sheets that are also available as single files. */
const singles: readonly SingleFile[] = [
  { path: "articlelist", name: "Article_List", sheet: articles },
  { path: "header/calculation", name: "Header_Calculation", sheet: headerCalculation },
  { path: "header/data", name: "Header_Data", sheet: headerData },
];

interface SingleFile {
  path: string;
  name: string;
  sheet: MakeSheet;
}

/** Routes for the archive of all four files, and for three of them as single files. */
export function csvRoutes(host: Host, timeZone: string): Route[] {
  return [
    route.post("v1/exportCSV", {
      summary: "Exports the session's project as four CSV files in a ZIP archive.",
      ...exportRoute,
      async handler(call) {
        const context = await prepareExport(host, call, timeZone);
        const files = [];
        for (const [name, sheet] of archived)
          files.push({ file: await csvFile(host, name, sheet(context), context) });
        const name = `${exportStem(context, call.body.filename, "zip")}.zip`;
        return answer(await host.files.archive({ name, files }));
      },
    }),
    ...singles.map((file) => single(host, timeZone, file)),
  ];
}

function single(host: Host, timeZone: string, { path, name, sheet }: SingleFile): Route {
  return route.post(`v1/exportCSV/${path}`, {
    summary: `Exports ${name}.csv of the session's project.`,
    ...exportRoute,
    async handler(call) {
      const context = await prepareExport(host, call, timeZone);
      const { filename } = call.body;
      const own = exportStem(context, filename, "csv");
      // A requested name is used without a suffix.
      const stem = (filename ?? "").trim() === "" ? stemWith(own, name) : own;
      return answer(await csvFile(host, stem, sheet(context), context));
    },
  });
}

function csvFile(host: Host, stem: string, sheet: Sheet, { locale }: ExportContext): Promise<StoredFile> {
  return host.files.create({
    name: `${stem}.csv`,
    mediaType: "text/csv; charset=utf-8",
    content: csvContent(sheet, csvFormat(locale)),
  });
}

function answer({ name, url }: StoredFile): Static<typeof ExportedFile> {
  return { name, url };
}

/** The table of a sheet with its header and totals, in pieces. The sheet's start position in a workbook is ignored. */
async function* csvContent(sheet: Sheet, format: CsvFormat): AsyncGenerator<string> {
  const write = (lines: readonly string[][]): string =>
    stringify([...lines], {
      delimiter: format.separator,
      record_delimiter: "windows",
      quote_record_delimiter: true,
    });
  yield byteOrderMark;
  let lines = [sheet.columns.map(({ header }) => csvText(header ?? ""))];
  for await (const { cells } of allRows(sheet)) {
    lines.push(sheet.columns.map((_, index) => csvField(cells[index], format)));
    if (lines.length < linesAtOnce) continue;
    yield write(lines);
    lines = [];
  }
  if (lines.length > 0) yield write(lines);
}

async function* allRows(sheet: Sheet): AsyncGenerator<Row> {
  yield* sheet.rows;
  if (sheet.totals !== undefined) yield* sheet.totals();
}

/**
 * The text of a cell. Numbers have the decimal sign of the locale and no grouping, percentages are numbers such as
 * 12.5, dates are ISO dates. A text that a spreadsheet program would read as a formula gets a leading apostrophe;
 * numbers are never read as formulas.
 */
function csvField(cell: Cell | undefined, { decimalSign }: CsvFormat): string {
  switch (cell?.kind) {
    case undefined:
    case "picture":
      return "";
    case "text":
      return csvText(cell.text);
    case "date":
      return csvText(cell.date);
    case "number":
    case "formula":
      return cell.value.replace(".", decimalSign);
  }
}

/** A text that spreadsheet programs do not read as a formula. */
function csvText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** The CSV format of a locale, as used by spreadsheet programs with that setting; English if the locale is invalid. */
function csvFormat(locale: string): CsvFormat {
  const tag = parseLocale(locale)?.tag ?? "en";
  const parts = new Intl.NumberFormat([tag, "en"], { numberingSystem: "latn" }).formatToParts(0.5);
  const decimalSign = parts.find(({ type }) => type === "decimal")?.value === "," ? "," : ".";
  return { separator: decimalSign === "," ? ";" : ",", decimalSign };
}
