/** Exports a project as a workbook. */
import { type Host, type Route, route, Type } from "@slipway/sdk";
import { ExportRequest } from "../request/export-request.js";
import { prepareExport } from "../request/prepare-export.js";
import { exportStem } from "./file-names.js";
import { workbookFile } from "./workbook-file.js";

/** What a client gets for one file. */
export const ExportedFile = Type.Object({ name: Type.String(), url: Type.String() });

/** Large projects with pictures take their time; clients that give up earlier end the export with it. */
export const exportTimeout = "300s";

/** POST `v1/export`. */
export function workbookRoute(host: Host, timeZone: string): Route {
  return route.post("v1/export", {
    summary: "Exports the session's project as XLSX: article list, calculation, project.",
    body: ExportRequest,
    response: ExportedFile,
    session: "required",
    timeout: exportTimeout,
    async handler(call) {
      const context = await prepareExport(host, call, timeZone);
      const stem = exportStem(context, call.body.filename, "xlsx");
      const { name, url } = await workbookFile(host, stem, context, call);
      return { name, url };
    },
  });
}
