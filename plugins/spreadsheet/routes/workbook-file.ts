/** Exports a project as a workbook. */
import {
  documentFileStem,
  fileStem,
  type Host,
  pictureLeftOut,
  type Route,
  route,
  type Session,
  type StoredFile,
  Type,
} from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import { ExportRequest } from "../request/export-request.js";
import { prepareExport } from "../request/prepare-export.js";
import { articleList } from "../sheets/article-list.js";
import { calculation } from "../sheets/calculation.js";
import { report } from "../sheets/report.js";
import { workbookMediaType, writeWorkbook } from "../workbook/write-workbook.js";

/** Response data of one file. */
export const ExportedFile = Type.Object({ name: Type.String(), url: Type.String() });

/** What the routes of exports have in common. */
export const exportRoute = {
  body: ExportRequest,
  response: ExportedFile,
  session: "required",
  // Large projects with pictures take long; a client that disconnects earlier aborts the export.
  timeout: "300s",
} as const;

/** POST `v1/export`. */
export function workbookRoute(host: Host, timeZone: string): Route {
  return route.post("v1/export", {
    summary: "Exports the session's project as XLSX: article list, calculation, project.",
    ...exportRoute,
    async handler(call) {
      const context = await prepareExport(host, call, timeZone);
      const stem = exportStem(context, call.body.filename, "xlsx");
      call.progress(0.3, "workbook");
      const { name, url } = await workbookFile(host, stem, context, call);
      return { name, url };
    },
  });
}

/** Stores the workbook of an export: article list, calculation, and the project as a whole. */
export async function workbookFile(
  host: Host,
  stem: string,
  context: ExportContext,
  { session, signal }: { session: Session; signal: AbortSignal },
): Promise<StoredFile> {
  const { project, locale, now } = context;
  const workbook = {
    sheets: [articleList(context, { pictures: true }), calculation(context), report(context)],
    title: project.header.name ?? stem,
    ...(project.header.createdBy === undefined ? {} : { author: project.header.createdBy }),
    created: now,
    locale,
  };
  const content = writeWorkbook(workbook, {
    picture: (key) => session.picture(key),
    leaveOut: (key, reason) => context.suppress(pictureLeftOut(project, key, reason)),
    suppress: context.suppress,
    signal,
  });
  return await host.files.create({ name: `${stem}.xlsx`, mediaType: workbookMediaType, content });
}

/** A file name without its extension: the requested one, otherwise one built like those of reports. */
export function exportStem(
  { project, now, timeZone }: ExportContext,
  requested: string | undefined,
  extension: "xlsx" | "zip" | "csv",
): string {
  return documentFileStem({ project, requested, extension, fallback: "Export", now, timeZone });
}

/** The stem with a suffix that distinguishes it from other files of the export. */
export function stemWith(stem: string, part: string): string {
  const own = fileStem(part).replace(/\s+/g, "_");
  return own === "" ? stem : `${stem}_${own}`;
}
