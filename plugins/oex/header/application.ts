import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { OexApplication, OexFormat } from "../document/oex-document.js";
import { FieldRepairs, type Repairs } from "../repair/repairs.js";

const usualName = "Slipway";
/** Highest version part (OEX reference, sections 8 and 16.2). */
const highest = { "3.1": 65_535, "3.0": 65_535, "2.3": 99 } as const;

/** The application that created the document (OEX reference, section 17.2). */
export function createApplication(
  { appName, appVersion }: Pick<ExportConfiguration, "appName" | "appVersion">,
  { version }: OexFormat,
  repairs: Repairs,
): OexApplication {
  const fields = new FieldRepairs(repairs, "config.");
  const part = (field: "aMajor" | "aMinor"): string => {
    const given = appVersion[field].trim();
    if (/^[0-9]{1,5}$/.test(given) && Number(given) <= highest[version]) return String(Number(given));
    fields.report(
      `appVersion.${field}`,
      given,
      `"0" is written: it must be a number up to ${highest[version]}`,
    );
    return "0";
  };
  const name = fields.requiredLine("appName", appName, Number.POSITIVE_INFINITY, usualName);
  return { name, major: part("aMajor"), minor: part("aMinor") };
}
