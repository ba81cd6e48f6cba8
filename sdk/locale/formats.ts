/**
 * Formats numbers, money and dates for a locale. Values are decimal texts, formatted exactly without binary floating
 * point. Ties are rounded away from zero.
 */
import { currencyDigits } from "./exact.js";
import type { Locale } from "./locale.js";

/** "short" as in 7/10/24, "medium" as in Jul 10, 2024, "long" as in July 10, 2024. */
export type DateStyle = "short" | "medium" | "long";

/** Number formatting options. */
export interface NumberOptions {
  /** Exact number of fraction digits, 0 to 20; default: as many as the value has, at most 6. */
  digits?: number;
}

/** Longer than any product of amounts and quantities, which may have more digits than its factors. */
const longestNumber = 250;
const longestDate = 64;
const mostDigits = 20;
/** Western digits in all locales, as usual for prices in business; few fonts have other digits. */
const numberingSystem = "latn";
const dateStyles: readonly unknown[] = ["short", "medium", "long"] satisfies DateStyle[];

/** ISO code, blank and number, such as "GBP 1,349.13", with the fraction digits of the currency. */
export function formatMoney(locale: Locale, value: string, currency: string): string {
  return `${currency} ${formatAmount(locale, value, currency)}`;
}

/** An amount with the fraction digits of its currency (ISO 4217), without the currency code. */
export function formatAmount(locale: Locale, value: string, currency: string): string {
  return formatNumber(locale, value, { digits: digitsOf(currency) });
}

/** A number with grouping, such as "1,349.5"; never "-0". */
export function formatNumber(locale: Locale, value: string, options: NumberOptions = {}): string {
  return numberFormat(locale, options.digits, "decimal").format(decimal(value));
}

/** A percentage: "20" is "20%"; at most 6 fraction digits. */
export function formatPercent(locale: Locale, value: string): string {
  return numberFormat(locale, undefined, "percent").format(decimal(hundredth(decimal(value))));
}

/** The day of an ISO date or date-time in UTC. In short dates that do not begin with the year, it has two digits. */
export function formatDate(locale: Locale, value: string, style: DateStyle = "short"): string {
  const parts = dateFormat(locale, style).formatToParts(moment(value));
  if (style !== "short" || parts[0]?.type === "year") return parts.map((part) => part.value).join("");
  return parts.map((part) => (part.type === "year" ? part.value.slice(-2) : part.value)).join("");
}

const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const digitsOfCurrencies = new Map<string, number>();

/** Always groups: some locales omit grouping below 10,000, and columns would not line up. */
function numberFormat(
  locale: Locale,
  digits: number | undefined,
  style: "decimal" | "percent",
): Intl.NumberFormat {
  return cached(numberFormats, `${locale.tag} ${style} ${digits}`, () => {
    if (digits !== undefined && !(Number.isInteger(digits) && digits >= 0 && digits <= mostDigits)) {
      throw new RangeError(
        `digits: expected a whole number from 0 to ${mostDigits}, received ${shown(digits)}`,
      );
    }
    return new Intl.NumberFormat(supported(locale), {
      style,
      minimumFractionDigits: digits ?? 0,
      maximumFractionDigits: digits ?? 6,
      useGrouping: "always",
      signDisplay: "negative",
      numberingSystem,
    });
  });
}

function dateFormat(locale: Locale, style: DateStyle): Intl.DateTimeFormat {
  return cached(dateFormats, `${locale.tag} ${style}`, () => {
    if (!dateStyles.includes(style)) {
      throw new RangeError(`style: expected "short", "medium" or "long", received ${shown(style)}`);
    }
    return new Intl.DateTimeFormat(supported(locale), {
      dateStyle: style,
      timeZone: "UTC",
      calendar: "gregory",
      numberingSystem,
    });
  });
}

function digitsOf(currency: string): number {
  return cached(digitsOfCurrencies, currency, () => {
    if (!/^[A-Z]{3}$/.test(currency)) {
      throw new RangeError(`currency: expected a code such as "EUR", received ${shown(currency)}`);
    }
    return currencyDigits(currency);
  });
}

/** English if the runtime does not support the language, so that the machine's own locale never shows. */
function supported(locale: Locale): string {
  return Intl.NumberFormat.supportedLocalesOf(locale.tag).length > 0 ? locale.tag : "en";
}

function decimal(value: string): `${number}` {
  if (isDecimal(value)) return value;
  throw new RangeError(`expected a decimal number as text such as "1052.40", received ${shown(value)}`);
}

/** Character by character: regular expressions are slow in the process that renders templates. */
function isDecimal(value: unknown): value is `${number}` {
  if (typeof value !== "string" || value.length > longestNumber) return false;
  const start = value.startsWith("-") ? 1 : 0;
  let digits = 0;
  let point = false;
  for (let index = start; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code >= 48 && code <= 57) digits++;
    else if (code === 46 && !point && digits > 0 && index < value.length - 1) point = true;
    else return false;
  }
  return digits > 0;
}

/** Moves the decimal point by two places, exactly. */
function hundredth(value: string): string {
  const sign = value.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = value.slice(sign.length).split(".");
  const digits = whole.padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`;
}

function moment(value: string): Date {
  const date = new Date(typeof value === "string" && value.length <= longestDate ? value : Number.NaN);
  if (!Number.isNaN(date.getTime()) && value.charAt(4) === "-") return inUniversalTime(value, date);
  throw new RangeError(
    `expected an ISO date such as "2024-07-10" or a date-time with its offset, received ${shown(value)}`,
  );
}

/** Without an offset, a date-time would be read in the machine's time zone. */
function inUniversalTime(value: string, date: Date): Date {
  const time = value.slice(10);
  const hasOffset = time === "" || time.endsWith("Z") || time.includes("+") || time.includes("-");
  return hasOffset ? date : new Date(`${value}Z`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, longestDate)) : typeof value;
}

function cached<Value>(cache: Map<string, Value>, key: string, create: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const created = create();
  if (cache.size < 1000) cache.set(key, created);
  return created;
}
