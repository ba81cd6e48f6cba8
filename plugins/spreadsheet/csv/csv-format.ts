import { parseLocale } from "@slipway/sdk";

/** How a locale writes CSV. */
export interface CsvFormat {
  /** Between fields: ";" where the decimal sign is a comma, else ",". */
  separator: string;
  decimalSign: string;
}

/** The way of a locale, which is also that of spreadsheet programs set to it; of English where the locale is none. */
export function csvFormat(locale: string): CsvFormat {
  const tag = parseLocale(locale)?.tag ?? "en";
  const parts = new Intl.NumberFormat([tag, "en"], { numberingSystem: "latn" }).formatToParts(0.5);
  const decimalSign = parts.find(({ type }) => type === "decimal")?.value === "," ? "," : ".";
  return { separator: decimalSign === "," ? ";" : ",", decimalSign };
}
