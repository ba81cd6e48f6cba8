import { documentFileStem, fileStem } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";

/** The name of a file without its extension: the request's own, else one that is made as those of reports. */
export function exportStem(
  { project, now, timeZone }: ExportContext,
  requested: string | undefined,
  extension: "xlsx" | "zip" | "csv",
): string {
  return documentFileStem({ project, requested, extension, fallback: "Export", now, timeZone });
}

/** The same with what tells it from other files of the export. */
export function stemWith(stem: string, part: string): string {
  const own = fileStem(part).replace(/\s+/g, "_");
  return own === "" ? stem : `${stem}_${own}`;
}
