/** Choices of template and locale for a report. */

import type { TemplateRecord } from "@slipway/sdk";
import { Options } from "../parts/options.js";

/** Templates by category; keeps a chosen one that is missing. */
export function TemplateChoices({
  templates,
  chosen,
}: {
  templates: readonly TemplateRecord[];
  chosen: string;
}) {
  const groups = new Map<string, TemplateRecord[]>();
  for (const template of templates)
    groups.set(template.category.key, [...(groups.get(template.category.key) ?? []), template]);
  const optionsOf = (members: readonly TemplateRecord[]) => (
    <Options of={members.map(({ key, name }) => [key, name])} />
  );
  return (
    <>
      {!templates.some(({ key }) => key === chosen) && <option value={chosen}>{chosen}</option>}
      {groups.size === 1
        ? optionsOf(templates)
        : [...groups].map(([key, members]) => (
            <optgroup key={key} label={members[0]?.category.name}>
              {optionsOf(members)}
            </optgroup>
          ))}
    </>
  );
}

const offered = [
  ...["en_GB", "en_US", "de_DE", "de_AT", "de_CH", "fr_FR", "fr_CH", "nl_NL", "nl_BE"],
  ...["pl_PL", "es_ES", "it_IT", "cs_CZ", "da_DK", "sv_SE", "tr_TR", "ja_JP", "zh_CN"],
];

/** The offered locales and others with their names in a language, sorted by name. */
export function namedLocales(language: string, others: readonly string[]): [locale: string, name: string][] {
  const all = [...new Set([...others, ...offered])];
  const named = all.map((locale): [string, string] => [locale, localeName(locale, language)]);
  return named.sort(([, one], [, other]) => one.localeCompare(other, language));
}

/** Such as "German (Germany)"; the locale itself where the browser has no name for it. */
function localeName(locale: string, language: string): string {
  try {
    const names = new Intl.DisplayNames([language], { type: "language", languageDisplay: "standard" });
    return names.of(locale.replaceAll("_", "-")) ?? locale;
  } catch {
    return locale;
  }
}
