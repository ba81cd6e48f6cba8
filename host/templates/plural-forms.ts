/** The plural forms of languages, as CLDR has them: English "one" and "other", Polish "one", "few", "many" and "other". */

const allForms: readonly string[] = ["zero", "one", "two", "few", "many", "other"];

const rules = new Map<string, Intl.PluralRules>();

function rulesOf(language: string): Intl.PluralRules {
  const known = rules.get(language);
  if (known !== undefined) return known;
  // Those of English for a language that the runtime does not know, so that the machine's own never count.
  const isKnown = Intl.PluralRules.supportedLocalesOf(language).length > 0;
  const made = new Intl.PluralRules(isKnown ? language : "en");
  if (rules.size < 100) rules.set(language, made);
  return made;
}

/** The forms of a language, from "zero" to "other". */
export function pluralForms(language: string): string[] {
  const { pluralCategories } = rulesOf(language).resolvedOptions();
  return allForms.filter((form) => pluralCategories.some((each) => each === form));
}

/** The form that a number takes. */
export function pluralForm(language: string, value: number): string {
  return rulesOf(language).select(value);
}

/** "position" for the key "position.few"; undefined for a key without a form. */
export function withoutForm(key: string): string | undefined {
  const dot = key.lastIndexOf(".");
  return dot > 0 && allForms.includes(key.slice(dot + 1)) ? key.slice(0, dot) : undefined;
}
