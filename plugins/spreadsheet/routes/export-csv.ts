/** Exports a project as CSV files. */
import { type Host, type Route, route, type StoredFile } from "@slipway/sdk";
import { csvContent } from "../csv/csv-content.js";
import { csvFormat } from "../csv/csv-format.js";
import type { ExportContext } from "../request/export-context.js";
import { ExportRequest } from "../request/export-request.js";
import { prepareExport } from "../request/prepare-export.js";
import { articleList } from "../sheets/article-list.js";
import { calculation } from "../sheets/calculation.js";
import { headerCalculation } from "../sheets/header-calculation.js";
import { headerData } from "../sheets/header-data.js";
import type { Sheet } from "../workbook/sheet.js";
import { ExportedFile, exportTimeout } from "./export-workbook.js";
import { exportStem, stemWith } from "./file-names.js";

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

function answer({ name, url }: StoredFile): { name: string; url: string } {
  return { name, url };
}
