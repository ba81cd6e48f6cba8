/** Locales in the notations of clients: "de_DE", "de-DE" or "de". */

export interface Locale {
  /** BCP 47, such as "de-DE". */
  readonly tag: string;
  /** For example "de". */
  readonly language: string;
  /** For example "DE", if given. */
  readonly region: string | undefined;
}

const form = /^[a-z]{2,3}(?:[_-][a-z]{4})?(?:[_-](?:[a-z]{2}|[0-9]{3}))?$/i;

const rightToLeftLanguages = new Set([
  "ar",
  "arc",
  "ckb",
  "dv",
  "fa",
  "he",
  "ks",
  "nqo",
  "ps",
  "sd",
  "syr",
  "ug",
  "ur",
  "yi",
]);
const rightToLeftScripts = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"]);

const parsed = new Map<string, Locale>();

/** Parses a locale with an optional script and region; undefined if the text is not a locale. */
export function parseLocale(text: string): Locale | undefined {
  const known = parsed.get(text);
  if (known) return known;
  if (!form.test(text)) return undefined;
  const locale = canonical(text.replaceAll("_", "-"));
  if (locale && parsed.size < 1000) parsed.set(text, locale);
  return locale;
}

/** Writing direction of the locale's language. */
export function textDirection(locale: Locale): "ltr" | "rtl" {
  const { language, script } = new Intl.Locale(locale.tag);
  const rightToLeft = script ? rightToLeftScripts.has(script) : rightToLeftLanguages.has(language);
  return rightToLeft ? "rtl" : "ltr";
}

/** Replaces outdated language codes: "iw" becomes "he". */
function canonical(tag: string): Locale | undefined {
  try {
    const { baseName, language, region } = new Intl.Locale(tag);
    return Object.freeze({ tag: baseName, language, region });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
