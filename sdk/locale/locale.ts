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

/** ISO 15924; those of languages that people write today, and of their holy texts. */
const rightToLeftScripts = new Set(
  "Adlm Arab Aran Armi Hebr Hung Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split(" "),
);

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

/**
 * Writing direction of a locale: that of its script, or of the script in which its language is usually written in its
 * region (Unicode's likely subtags). `Intl.Locale` has it under two names, of which no engine has both.
 */
export function textDirection(locale: Locale): "ltr" | "rtl" {
  const { script } = new Intl.Locale(locale.tag).maximize();
  return script !== undefined && rightToLeftScripts.has(script) ? "rtl" : "ltr";
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
