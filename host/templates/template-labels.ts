/** Puts the translations of `i18n/labels.csv` into a definition, for its plain texts, which are English. */
import type { TemplateFile, TemplateText } from "@slipway/sdk";
import { type LabelTable, labelFile, readLabelTable } from "./label-table.js";
import { type TemplateFiles, textOf } from "./template-folder.js";
import { type TemplateProblem, withExcerpt } from "./template-problem.js";
import { isRegional, quoted } from "./template-texts.js";

/** The definition with its texts by language, and what its author should know: mistakes, and texts that a language lacks. */
export function withLabels(
  definition: TemplateFile,
  files: TemplateFiles,
  origins: ReadonlyMap<string, string>,
): { definition: TemplateFile; problems: TemplateProblem[]; warnings: string[] } {
  const text = files.has(labelFile) ? textOf(files.get(labelFile)) : "en";
  const table = readLabelTable(text);
  if ("message" in table)
    return { definition, problems: [withExcerpt({ file: labelFile, ...table }, text)], warnings: [] };
  const plain = new Set<string>();
  const translated = withTexts(definition, (each) => {
    if (typeof each !== "string") return each;
    plain.add(each);
    return { en: each, ...table.labels.get(each) };
  });
  const warnings = missingLabels(table, plain).map(
    (message) => `${origins.get(labelFile) ?? labelFile}: ${message}`,
  );
  return { definition: translated, problems: [], warnings };
}

function missingLabels({ languages, labels }: LabelTable, plain: ReadonlySet<string>): string[] {
  return languages.flatMap((language) => {
    const missing = [...plain].filter((text) => labels.get(text)?.[language] === undefined);
    if (isRegional(language) || missing.length === 0) return [];
    return [`no text in ${language} for ${quoted(missing)}; add it, or clients show it in English`];
  });
}

function withTexts(definition: TemplateFile, text: (text: TemplateText) => TemplateText): TemplateFile {
  const named = <T extends { name: TemplateText }>(each: T): T => ({ ...each, name: text(each.name) });
  const labelled = <T extends { label: TemplateText }>(each: T): T => ({ ...each, label: text(each.label) });
  const { category, views, attachments, options } = definition;
  const categories = options.categories.map((group) => ({
    ...labelled(group),
    fields: group.fields.map((field) => ({
      ...labelled(field),
      ...(field.options && { options: field.options.map(labelled) }),
    })),
  }));
  return {
    ...named(definition),
    description: text(definition.description),
    category: named(category),
    views: views.map(named),
    attachments: Object.fromEntries(Object.entries(attachments).map(([key, each]) => [key, named(each)])),
    options: { categories },
  };
}
