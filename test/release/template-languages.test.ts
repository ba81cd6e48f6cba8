import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkAccessibility, checkArchive, readPdf } from "@slipway/sdk/testing";
import t from "tap";
import { repository } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";
import { startReporter } from "../templates/printed-reports.js";
import { fullProject } from "../templates/quote-project.js";
import { shippedTemplates } from "../templates/shipped-templates.js";

const reporter = await startReporter();
t.teardown(() => reporter.stop());

/** Locales by the language that they are printed in; one has to fall back from its region. */
const locales = {
  de: "de_AT",
  fr: "fr_CH",
  it: "it_IT",
  es: "es_MX",
  nl: "nl_BE",
  pl: "pl_PL",
  sv: "sv_SE",
  da: "da_DK",
  cs: "cs_CZ",
};

/** What templates print besides their defaults, so that more of their words are on the pages. */
const options: Readonly<Record<string, Record<string, unknown>>> = {
  "article-overview": { coverPage: true, showQuantity: true },
  "management-overview": { showPurchase: true, showTables: true },
};

const project = fullProject();
const data = JSON.stringify(project);
const templates = await shippedTemplates();
const english = new Map<string, string>();
t.before(async () => {
  const session = await reporter.open(project, "en_GB");
  for (const template of templates) english.set(template, await printed(session, template));
});

for (const [language, locale] of Object.entries(locales)) {
  t.test(`${locale}: each template prints its words in ${language}, and none in English`, async (t) => {
    const session = await reporter.open(project, locale);
    for (const template of templates) {
      const file = await reporter.file(session, { templateOptions: options[template] ?? {} }, template);
      t.equal((await readPdf(file)).language, locale.replace("_", "-"), template);
      t.strictSame(checkAccessibility(file), [], template);
      t.strictSame(checkArchive(file), [], template);
      const text = joined(await printedPages(file));
      const [own, usual] = [await words(template, language), await words(template, "en")];
      const onPages = english.get(template) ?? "";
      const used = [...usual].filter(([key, word]) => own.has(key) && occurs(word, onPages));
      t.ok(used.length > 4, `${template}: ${used.length} words`);
      // "Unit" may only be there as a part of "Unit price", or in a text of the project.
      const sure = used.filter(
        ([, word]) =>
          !occurs(word, data) && ![...usual.values()].some((other) => other !== word && occurs(word, other)),
      );
      const absent = sure.filter(([key]) => !bare(text).includes(bare(own.get(key) ?? "")));
      const left = used.filter(
        ([, word]) => occurs(word, text) && ![...own.values(), data].some((each) => occurs(word, each)),
      );
      t.strictSame(absent, [], `${template}: words of ${language} that are not there`);
      t.strictSame(left, [], `${template}: English words that are left`);
    }
  });
}

async function printed(session: string, template: string): Promise<string> {
  return joined(await reporter.print(session, { templateOptions: options[template] ?? {} }, template));
}

function joined(pages: readonly { text: string }[]): string {
  return pages
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** The longest part of each text of a template that is no placeholder, by key. */
async function words(template: string, language: string): Promise<Map<string, string>> {
  const definition = JSON.parse(
    await readFile(join(repository, "templates", template, "template.json"), "utf8"),
  );
  const folders: string[] = [...definition.shared, template];
  const found = new Map<string, string>();
  for (const folder of folders) {
    const file = join(repository, "templates", folder, "i18n", `${language}.json`);
    const texts: Record<string, string> = JSON.parse(await readFile(file, "utf8"));
    for (const [key, text] of Object.entries(texts)) {
      const [longest = ""] = text
        .split(/\{\w+\}/)
        .map((part) => part.replaceAll(/^\P{L}+|[^\p{L}.]+$/gu, ""))
        .sort((one, other) => other.length - one.length);
      if (longest.length > 2) found.set(key, longest);
    }
  }
  return found;
}

/** As a whole word. */
function occurs(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** Without what lines break at. */
function bare(text: string): string {
  return text.replaceAll(/[\s\u{ad}-]/gu, "");
}
