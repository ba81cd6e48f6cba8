/** Exports a project as CSV files. */
import { type Host, parseLocale, type Route, route, type Static, type StoredFile } from "@slipway/sdk";
import { stringify } from "csv-stringify/sync";
import type { ExportContext } from "../request/export-context.js";
import { ExportRequest } from "../request/export-request.js";
import { prepareExport } from "../request/prepare-export.js";
import { articleList } from "../sheets/article-list.js";
import { calculation } from "../sheets/calculation.js";
import { headerCalculation } from "../sheets/header-calculation.js";
import { headerData } from "../sheets/header-data.js";
import type { Cell, Row, Sheet } from "../workbook/sheet.js";
import { ExportedFile, exportStem, exportTimeout, stemWith } from "./workbook-file.js";

/** How a locale writes CSV. */
interface CsvFormat {
  /** Between fields: ";" where the decimal sign is a comma, else ",". */
  separator: string;
  decimalSign: string;
}

/**
 * What spreadsheet programs would take for a formula, the last four signs being full-width forms of the first; some of them
 * drop blanks and invisible characters before it.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Sheets as CSV: UTF-8 with byte order mark, lines end with CR LF. */
const byteOrderMark = "\ufeff";

/** Lines that become one piece of the file. */
const linesAtOnce = 200;

type MakeSheet = (context: ExportContext) => Sheet;

const articles: MakeSheet = (context) => articleList(context, { pictures: false });

/** Names in the archive, which programs look for: the same in every language. */
const archived: readonly (readonly [name: string, MakeSheet])[] = [
  ["Article_List", articles],
  ["Calculation_Scheme", calculation],
  ["Header_Calculation", headerCalculation],
  ["Header_Data", headerData],
];

/** What is there as a file by itself, too. */
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

/** The archive of all four files, and three of them by themselves. */
export function csvRoutes(host: Host, timeZone: string): Route[] {
  return [
    route.post("v1/exportCSV", {
      summary: "Exports the session's project as four CSV files in a ZIP archive.",
      ...shared,
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

const shared = {
  body: ExportRequest,
  response: ExportedFile,
  session: "required",
  timeout: exportTimeout,
} as const;

function single(host: Host, timeZone: string, { path, name, sheet }: SingleFile): Route {
  return route.post(`v1/exportCSV/${path}`, {
    summary: `Exports ${name}.csv of the session's project.`,
    ...shared,
    async handler(call) {
      const context = await prepareExport(host, call, timeZone);
      const { filename } = call.body;
      const own = exportStem(context, filename, "csv");
      // A name that the request asks for is the name.
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

/** The table of a sheet with its header and its totals, piece by piece; where the sheet starts in a workbook is of no account. */
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
 * The text of a cell. Numbers have the decimal sign of the locale and no grouping, percentages are those of 100, dates are
 * ISO dates. A text that a spreadsheet program would calculate gets an apostrophe before it; numbers of this file never do.
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

/** A text that nothing calculates. */
function csvText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** The way of a locale, which is also that of spreadsheet programs set to it; of English where the locale is none. */
function csvFormat(locale: string): CsvFormat {
  const tag = parseLocale(locale)?.tag ?? "en";
  const parts = new Intl.NumberFormat([tag, "en"], { numberingSystem: "latn" }).formatToParts(0.5);
  const decimalSign = parts.find(({ type }) => type === "decimal")?.value === "," ? "," : ".";
  return { separator: decimalSign === "," ? ";" : ",", decimalSign };
}
