/** Format codes of numbers and dates that Excel and LibreOffice read alike. */
import { currencyDigits, parseLocale } from "@slipway/sdk";
import type { NumberFormat } from "./sheet.js";

/** Language ids of format codes (hexadecimal), for markets of furniture. */
const codes: Readonly<Record<string, string>> = {
  "ar-AE": "3801",
  "ar-SA": "401",
  "bg-BG": "402",
  "cs-CZ": "405",
  "da-DK": "406",
  "de-AT": "C07",
  "de-CH": "807",
  "de-DE": "407",
  "de-LI": "1407",
  "de-LU": "1007",
  "el-GR": "408",
  "en-AU": "C09",
  "en-CA": "1009",
  "en-GB": "809",
  "en-IE": "1809",
  "en-IN": "4009",
  "en-NZ": "1409",
  "en-US": "409",
  "en-ZA": "1C09",
  "es-AR": "2C0A",
  "es-CL": "340A",
  "es-CO": "240A",
  "es-ES": "C0A",
  "es-MX": "80A",
  "et-EE": "425",
  "fi-FI": "40B",
  "fr-BE": "80C",
  "fr-CA": "C0C",
  "fr-CH": "100C",
  "fr-FR": "40C",
  "fr-LU": "140C",
  "he-IL": "40D",
  "hr-HR": "41A",
  "hu-HU": "40E",
  "is-IS": "40F",
  "it-CH": "810",
  "it-IT": "410",
  "ja-JP": "411",
  "ko-KR": "412",
  "lt-LT": "427",
  "lv-LV": "426",
  "nb-NO": "414",
  "nl-BE": "813",
  "nl-NL": "413",
  "pl-PL": "415",
  "pt-BR": "416",
  "pt-PT": "816",
  "ro-RO": "418",
  "ru-RU": "419",
  "sk-SK": "41B",
  "sl-SI": "424",
  "sv-FI": "81D",
  "sv-SE": "41D",
  "tr-TR": "41F",
  "uk-UA": "422",
  "zh-CN": "804",
  "zh-TW": "404",
};

const mostDecimals = 20;
/** Maximum decimals if the format does not state them. */
const mostOwnDecimals = 6;
const longestUnit = 40;
/** Excel allows about 200 custom formats per workbook. */
const mostFormats = 180;

/** The format codes of one locale. Issued codes are recorded, since a workbook has a limited number of them. */
export class NumberFormats {
  /** Format code of days, such as `[$-407]dd.mm.yyyy`. */
  readonly date: string;
  readonly #tag: string;
  readonly #language: string;
  readonly #codes = new Map<string, string>();
  readonly #given = new Set<string>();

  constructor(locale: string) {
    const tag = parseLocale(locale)?.tag ?? "en";
    this.#tag = Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? tag : "en";
    const language = languageCode(this.#tag);
    this.#language = language === undefined ? "" : `-${language}`;
    this.date = `${language === undefined ? "" : `[$-${language}]`}${dayCode(this.#tag)}`;
  }

  /** The code for a decimal such as "12.50"; that of a plain number if the limit is reached. */
  code(format: NumberFormat = { kind: "number" }, value: string): string {
    const decimals = Math.min(mostDecimals, Math.max(0, format.decimals ?? usualDecimals(format, value)));
    const key = `${format.kind} ${decimals} ${textOf(format)}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    const code = this.#withRoom(this.#newCode(format, decimals), decimals);
    if (this.#codes.size < 10_000) this.#codes.set(key, code);
    return code;
  }

  #withRoom(code: string, decimals: number): string {
    const fits = this.#given.has(code) || this.#given.size < mostFormats;
    if (fits) this.#given.add(code);
    return fits ? code : numberCode(decimals);
  }

  #newCode(format: NumberFormat, decimals: number): string {
    const number = numberCode(decimals);
    switch (format.kind) {
      case "number":
        return number;
      case "percent":
        return this.#arranged(number, { style: "percent" }, "%");
      case "unit":
        return withUnit(number, format.unit);
      case "currency":
        if (!/^[A-Z]{3}$/.test(format.currency)) return withUnit(number, format.currency);
        return this.#arranged(number, { style: "currency", currency: format.currency });
    }
  }

  /** The number with its sign at the position of the locale. */
  #arranged(number: string, options: Intl.NumberFormatOptions, percent = ""): string {
    let code = "";
    let hasNumber = false;
    for (const { type, value } of new Intl.NumberFormat(this.#tag, options).formatToParts(1)) {
      if (type === "currency") code += `[$${value.replace(/[\]\-\p{C}]/gu, "")}${this.#language}]`;
      else if (type === "percentSign") code += percent;
      else if (type === "literal") code += literal(value);
      else if (!hasNumber) {
        code += number;
        hasNumber = true;
      }
    }
    return code;
  }
}

function usualDecimals(format: NumberFormat, value: string): number {
  if (format.kind === "currency") return currencyDigits(format.currency);
  return Math.min(mostOwnDecimals, value.split(".")[1]?.length ?? 0);
}

function textOf(format: NumberFormat): string {
  if (format.kind === "currency") return format.currency;
  return format.kind === "unit" ? format.unit : "";
}

function numberCode(decimals: number): string {
  return decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}`;
}

function withUnit(number: string, unit: string): string {
  const text = [...unit.replace(/["\p{C}]/gu, "").trim()].slice(0, longestUnit).join("");
  return text === "" ? number : `${number}" ${text}"`;
}

/** All kinds of blanks become one blank; direction marks are dropped. */
function literal(text: string): string {
  return [...text.replace(/\p{C}/gu, "")].map((each) => (/\s/.test(each) ? "\\ " : `\\${each}`)).join("");
}

function dayCode(tag: string): string {
  const parts = new Intl.DateTimeFormat(tag, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone: "UTC",
  }).formatToParts(0);
  return parts.map(({ type, value }) => dayPart(type, value)).join("");
}

function dayPart(type: Intl.DateTimeFormatPartTypes, value: string): string {
  if (type === "day") return "dd";
  if (type === "month") return "mm";
  if (type === "year") return "yyyy";
  if (type !== "literal") return "";
  return /^[./-]$/.test(value) ? value : literal(value);
}

/** Language id of a BCP 47 tag, with the default region if it has none; undefined if unknown. */
function languageCode(tag: string): string | undefined {
  const { language, region } = new Intl.Locale(tag).maximize();
  const name = language === "no" ? "nb" : language;
  return new Map(Object.entries(codes)).get(`${name}-${region}`);
}
