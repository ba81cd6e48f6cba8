/** The context of the helpers in `d`. */
import {
  type DateStyle,
  formatAmount,
  formatDate,
  formatMoney,
  formatNumber,
  formatPercent,
  type Locale,
  type NumberOptions,
  textDirection,
} from "@slipway/sdk";
import { assetAddress } from "./document-frame.js";
import { isolated } from "./isolated-text.js";
import { SpokenTexts } from "./localized-template.js";

export interface HelperContext {
  version: string;
  assets: ReadonlySet<string>;
  /** Language of texts. */
  locale: Locale;
  /** Locale of numbers, money and dates. */
  formatLocale: Locale;
  /** Default currency of amounts, ISO 4217. */
  currency: string;
  texts: SpokenTexts;
  /** Collects keys without a translation. */
  missing: Set<string>;
}

/** The members of `d`: frozen functions and texts. Formatting null, undefined or "" gives "". */
export function templateHelpers(context: HelperContext) {
  const { formatLocale, currency } = context;
  const direction = textDirection(context.locale);
  const helpers = {
    t: (key: unknown, parameters?: unknown) => translate(context, String(key), parameters),
    count: (key: unknown, value: unknown, parameters?: unknown) => {
      const count = ifPresent(value, (text) => formatNumber(formatLocale, text));
      const added = typeof parameters === "object" && parameters !== null ? parameters : {};
      return translate(context, String(key), { count, ...added }, Number(value));
    },
    money: (value: unknown, code: unknown = currency) =>
      ifPresent(value, (text) => formatMoney(formatLocale, text, String(code))),
    amount: (value: unknown, code: unknown = currency) =>
      ifPresent(value, (text) => formatAmount(formatLocale, text, String(code))),
    number: (value: unknown, options?: NumberOptions) =>
      ifPresent(value, (text) => formatNumber(formatLocale, text, options)),
    percent: (value: unknown) => ifPresent(value, (text) => formatPercent(formatLocale, text)),
    date: (value: unknown, style?: DateStyle) =>
      ifPresent(value, (text) => formatDate(formatLocale, text, style)),
    image: (image: unknown) => (typeof image === "string" ? image : textMember(image, "url")),
    asset: (path: unknown) => addressOf(context, String(path)),
    position: (item: unknown) => textMember(item, "position"),
    isolated: (text: unknown) => (isNothing(text) ? "" : isolated(String(text), direction)),
    lines: (text: unknown) => (isNothing(text) ? [] : linesOf(String(text))),
  };
  for (const helper of Object.values(helpers)) Object.freeze(helper);
  return Object.freeze({
    ...helpers,
    lang: context.locale.language,
    dir: direction,
  });
}

/** The names of the members of `d` besides the data. */
export function helperNames(locale: Locale): string[] {
  const none = {
    version: "",
    assets: new Set<string>(),
    texts: new SpokenTexts({}, locale),
    missing: new Set<string>(),
  };
  return Object.keys(templateHelpers({ ...none, locale, formatLocale: locale, currency: "" }));
}

function isNothing(value: unknown): value is null | undefined | "" {
  return value === undefined || value === null || value === "";
}

function ifPresent(value: unknown, format: (text: string) => string): string {
  return isNothing(value) ? "" : format(typeof value === "number" ? decimalText(value) : String(value));
}

/** The decimal digits of a number without an exponent. */
function decimalText(value: number): string {
  return Math.abs(value) < 1e21 && Math.abs(value) >= 1e-6 ? String(value) : value.toFixed(20);
}

function textMember(value: unknown, name: string): string {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : "";
  return typeof member === "string" ? member : "";
}

function addressOf({ assets, version }: HelperContext, path: string): string {
  if (assets.has(path)) return assetAddress(version, path);
  throw new RangeError(`asset: the template has no file ${JSON.stringify(path)}`);
}

function linesOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
}

/**
 * Returns the text of a key, in the plural form for a number if there is one, or the key itself when the text is missing.
 * Replaces placeholders such as {name} by parameters, isolated from the text where their direction of writing could be
 * another.
 */
function translate(
  { texts, missing, locale }: HelperContext,
  key: string,
  parameters: unknown,
  value?: number,
): string {
  const text = value === undefined ? texts.get(key) : texts.counted(key, value);
  if (text === undefined) {
    if (missing.size < 100) missing.add(key.slice(0, 200));
    return key;
  }
  if (typeof parameters !== "object" || parameters === null) return text;
  return filled(text, parameters, textDirection(locale));
}

function filled(text: string, parameters: object, direction: "ltr" | "rtl"): string {
  let result = "";
  let from = 0;
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", from)) {
    const close = text.indexOf("}", open);
    if (close < 0) break;
    const name = text.slice(open + 1, close);
    const known = Object.hasOwn(parameters, name);
    const value = known ? isolated(String(Reflect.get(parameters, name) ?? ""), direction) : `{${name}}`;
    result += text.slice(from, open) + value;
    from = close + 1;
  }
  return result + text.slice(from);
}
