import { valueAt } from "../../../system/json.js";
import { useObserved } from "../../client/observed.js";
import { browserLocale } from "../../parts/language.js";
import type { Language } from "../../parts/languages.js";
import { language, useWords, Words } from "../../parts/words.js";
import type { Count } from "./counting.js";
import { words as english, type WorkbenchWords } from "./english.js";

const workbenchWords = new Words(english, {
  de: () => import("./german.js"),
  fr: () => import("./french.js"),
  it: () => import("./italian.js"),
  es: () => import("./spanish.js"),
  nl: () => import("./dutch.js"),
  pl: () => import("./polish.js"),
  sv: () => import("./swedish.js"),
  da: () => import("./danish.js"),
  cs: () => import("./czech.js"),
});

/** The words of the workbench in the language of the page. */
export function useWorkbenchWords(): WorkbenchWords {
  return useWords(workbenchWords);
}

/** The words for a name that comes from the host; undefined if there are none. */
export function textOf(words: object, name: string): string | undefined {
  const found = valueAt(words, [name]);
  return typeof found === "string" ? found : undefined;
}

/** Numbers, amounts and times as the language of the page writes them. */
export interface Formats {
  number(value: number): string;
  /** A decimal text such as "1052.40", exactly; a text that is none stays as it is. */
  decimal(text: string): string;
  /** The same in a currency, by its ISO 4217 code. */
  money(text: string, currency: string): string;
  bytes(value: number): string;
  /** An ISO date. */
  date(text: string): string;
  moment(time: Date): string;
  /** Such as "3 notes". */
  counted(value: number, say: Count): string;
}

const made = new Map<Language, Formats>();

/** The formats of the language of the page. */
export function useFormats(): Formats {
  const chosen = useObserved(language);
  const formats = made.get(chosen) ?? formatsOf(chosen);
  made.set(chosen, formats);
  return formats;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

function formatsOf(chosen: Language): Formats {
  const locale = browserLocale(chosen);
  const plurals = new Intl.PluralRules(chosen);
  const number = new Intl.NumberFormat(locale);
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const currencies = new Map<string, Intl.NumberFormat>();
  const inCurrency = (currency: string): Intl.NumberFormat => {
    const format = currencies.get(currency) ?? new Intl.NumberFormat(locale, { style: "currency", currency });
    currencies.set(currency, format);
    return format;
  };
  return {
    number: (value) => number.format(value),
    decimal: (text) => (isDecimal(text) ? decimal.format(text) : text),
    money: (text, currency) => {
      if (!isDecimal(text)) return text;
      return /^[A-Z]{3}$/.test(currency) ? inCurrency(currency).format(text) : decimal.format(text);
    },
    bytes: (value) => {
      const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(value, 1)) / 3));
      const unit = units[step] ?? "byte";
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit,
        unitDisplay: "short",
        maximumFractionDigits: step > 1 ? 1 : 0,
      }).format(value / 1000 ** step);
    },
    date: (text) => {
      const time = new Date(text);
      return Number.isNaN(time.getTime()) ? text : date.format(time);
    },
    moment: (time) => moment.format(time),
    counted: (value, say) => say(number.format(value), plurals.select(value)),
  };
}

/** Whether a text is a decimal as the host writes them, which `Intl` formats without rounding errors. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}
