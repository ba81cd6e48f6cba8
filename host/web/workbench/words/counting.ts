import type { Language, PluralForm } from "../../parts/languages.js";

/** A number in words of the language; `form` is its plural form. */
export type Count = (value: string, form: Intl.LDMLPluralRule) => string;

/** For the words behind a number in a language, such as "3 articles": one for each of its plural forms. */
export function counting<Spoken extends Language>() {
  return (words: Readonly<Record<PluralForm<Spoken>, string>>): Count => {
    const byForm: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = words;
    return (value, form) => `${value} ${byForm[form] ?? byForm.other}`;
  };
}
