/** Exports a project as one workbook per manufacturer. */
import {
  type Host,
  RequestError,
  type Route,
  route,
  SuppressedError,
  type Suppression,
  suppressedError,
  Type,
} from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import { Manufacturer, type ManufacturerLines, manufacturerLines } from "../request/manufacturer-lines.js";
import { onceEach, prepareExport, textReaders, totalOf } from "../request/prepare-export.js";
import { ExportedFile, exportRoute, exportStem, stemWith, workbookFile } from "./workbook-file.js";

const ManufacturerFile = Type.Object({
  ...Manufacturer.properties,
  ...ExportedFile.properties,
  errors: Type.Optional(Type.Array(SuppressedError)),
});

/** POST `v1/export/manufacturers`: a list of files, each with its own errors. */
export function manufacturersRoute(host: Host, timeZone: string): Route {
  return route.post("v1/export/manufacturers", {
    summary: "Exports the articles of each manufacturer of the session's project as a workbook of its own.",
    ...exportRoute,
    response: Type.Array(ManufacturerFile),
    async handler(call) {
      const shared: SuppressedError[] = [];
      const suppress = (error: Suppression | SuppressedError) => shared.push(suppressedError(error));
      const context = await prepareExport(host, { ...call, suppress }, timeZone);
      const parts = manufacturerLines(context);
      if (parts.length === 0) throw noArticles();
      const stem = exportStem(context, call.body.filename, "xlsx");
      const files = [];
      const names = new Set<string>();
      for (const [index, part] of parts.entries()) {
        call.progress(index / parts.length, `workbook ${index + 1} of ${parts.length}`);
        const errors = [...shared];
        const own = partContext(part, context, (error) => errors.push(suppressedError(error)));
        const { name, url } = await workbookFile(host, ownStem(stem, part, names, context), own, call);
        const { manufacturerId, manufacturerName } = part;
        files.push({ manufacturerId, manufacturerName, name, url, ...(errors.length > 0 && { errors }) });
      }
      return files;
    },
  });
}

/** The export context of one manufacturer's articles, with their totals. */
function partContext(
  { nodes }: ManufacturerLines,
  context: ExportContext,
  suppress: ExportContext["suppress"],
): ExportContext {
  const own = onceEach(suppress);
  return {
    ...context,
    nodes,
    ...totalOf(nodes, context),
    ...textReaders(context.project, context.locale, own),
    suppress: own,
  };
}

/** Several manufacturers may have the same name, but file names must differ. */
function ownStem(
  stem: string,
  { manufacturerId, manufacturerName }: Manufacturer,
  names: Set<string>,
  { words }: ExportContext,
): string {
  const name = stemWith(stem, manufacturerName || manufacturerId || words.withoutManufacturer);
  const own = names.has(name) ? stemWith(name, manufacturerId || words.withoutManufacturer) : name;
  names.add(own);
  return own;
}

function noArticles(): RequestError {
  return new RequestError({
    id: "project-empty",
    code: 422,
    message:
      "None of these lines is an article, so there is no manufacturer to make a workbook for. Choose other items.",
  });
}
