/** Names of export files (OEX reference, section 2). */
import { fileStem, localTime } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { orderXName } from "../order-x/order-x-names.js";
import { FieldRepairs } from "../repair/repairs.js";

export interface ExportFileNames {
  /** Without extension. */
  base: string;
  oex: string;
  obx: string;
  pdf: string;
  orderX: string;
  ubl: string;
  archive: string;
}

type NameContext = Pick<ExportContext, "configuration" | "format" | "now" | "timeZone" | "repairs">;

const longestPrefix = 40;

/**
 * `<base>.xml`, `.obx`, `.pdf`, `_order-x.xml`, `_ubl.xml` and `.zip`, unless the configuration names the file. The base is `oex-<document
 * type>_<sender id>_<yyyymmdd-hhmmss>`. The sales organisation prefixes all names.
 * @param number the document's own number, from which the sender id is derived
 */
export function exportFileNames(number: string, context: NameContext): ExportFileNames {
  const { configuration, format, now, timeZone, repairs } = context;
  const fields = new FieldRepairs(repairs, "config.");
  const { day, time } = localTime(now, timeZone);
  const prefix = configuration.useSalesOrgAsFilePrefix ? salesPrefix(configuration.salesOrganisation) : "";
  const stem = `oex-${format.type.toLowerCase()}_${senderId(number)}_${day}-${time}`;
  const named = (field: OwnName, extension: string, ending = "", taken: readonly string[] = []): string => {
    const usual = `${fileStem(`${prefix}${stem}${ending}`)}${extension}`;
    const given = configuration[field] ?? null;
    const own = ownStem(field, extension, given, fields);
    if (own === undefined) return usual;
    const name = `${fileStem(prefix + own)}${extension}`;
    // Many file systems ignore case.
    if (!taken.some((each) => each.toLowerCase() === name.toLowerCase())) return name;
    fields.report(
      field,
      given ?? "",
      `the usual name is used: another file of the export is named "${name}"`,
    );
    return usual;
  };
  const withinPdf = configuration.embedInPDF?.includes("ORDER-X") ? [orderXName] : [];
  const oex = named("oexFilename", ".xml", "", withinPdf);
  const orderX = named("orderXFilename", ".xml", "_order-x", [oex]);
  return {
    base: `${prefix}${stem}`,
    oex,
    obx: named("obxFilename", ".obx"),
    pdf: named("pdfFilename", ".pdf"),
    orderX,
    ubl: named("ublFilename", ".xml", "_ubl", [...withinPdf, oex, orderX]),
    archive: named("archiveFilename", ".zip"),
  };
}

/** 1 to 20 letters, digits and hyphens. */
function senderId(number: string): string {
  const text = number.replace(/[^A-Za-z0-9-]+/g, "-").slice(0, 20);
  return /[^-](?:.*[^-])?/.exec(text)?.[0] ?? "0";
}

function salesPrefix(salesOrganisation: string | null): string {
  const stem = fileStem([...fileStem(salesOrganisation ?? "")].slice(0, longestPrefix).join(""));
  return stem === "" ? "" : `${stem}_`;
}

type OwnName =
  | "oexFilename"
  | "obxFilename"
  | "pdfFilename"
  | "orderXFilename"
  | "ublFilename"
  | "archiveFilename";

/** The configured name without its extension. Undefined, with a report, if no valid character is left. */
function ownStem(
  field: OwnName,
  extension: string,
  name: string | null,
  fields: FieldRepairs,
): string | undefined {
  const given = (name ?? "").trim();
  if (given === "") return undefined;
  const wanted = given.toLowerCase().endsWith(extension) ? given.slice(0, -extension.length) : given;
  const stem = fileStem(wanted);
  if (stem === "") {
    fields.report(field, given, "the usual name is used: expected at least one character that is no dot");
    return undefined;
  }
  if (stem !== wanted) fields.report(field, given, `the file is named "${stem}${extension}"`);
  return stem;
}
