/** The words and labels of the templates that come with Slipway. Uses the part itself: clients do not see which folder has a text. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readLabelTable } from "../../host/templates/label-table.js";
import { repository } from "../start-host.js";
import { shippedTemplates } from "../templates/shipped-templates.js";
import { startTemplates } from "./templates-support.js";

const templates = join(repository, "templates");
const languages = ["cs", "da", "de", "en", "es", "fr", "it", "nl", "pl", "sv"];
/** Their names and options are in English. */
const printedToo = ["ar", "he"];

t.test("each template has all its words in twelve languages, with their plural forms", async (t) => {
  const service = await startTemplates(t, templates);
  const keys = await shippedTemplates();
  const found = service.states().map(({ key, warnings }) => ({ key, warnings }));
  t.strictSame(
    found.sort((one, other) => (one.key < other.key ? -1 : 1)),
    keys.map((key) => ({ key, warnings: [] })),
  );
  for (const folder of ["_articles", "_standard", ...keys]) {
    const files = await readdir(join(templates, folder, "i18n"));
    t.strictSame(
      files.sort(),
      [...[...languages, ...printedToo].map((each) => `${each}.json`), "labels.csv"].sort(),
      folder,
    );
  }
});

t.test("each name and each option is in ten languages", async (t) => {
  const shared = { _standard: await rows("_standard"), _articles: await rows("_articles") };
  const users = new Map<string, number>();
  for (const key of await shippedTemplates()) {
    const file = join(templates, key, "template.json");
    const definition: unknown = JSON.parse(await readFile(file, "utf8"));
    const plain = new Set(plainTexts(definition));
    t.ok(plain.size > 10, key);
    const own = await rows(key);
    for (const text of own.keys()) t.ok(plain.has(text), `${key}: ${text} is no text of template.json`);
    for (const text of plain) {
      const texts = own.get(text) ?? shared._articles.get(text) ?? shared._standard.get(text) ?? {};
      t.strictSame([...Object.keys(texts), "en"].sort(), languages, `${key}: ${text}`);
      users.set(text, (users.get(text) ?? 0) + 1);
    }
    for (const text of localized(definition)) {
      const { en, ...others } = text;
      if (Object.keys(others).length === 0)
        t.match(en, /^(\d+( mm)?|A4|Letter)$/, "what is alike in all of them");
      else t.strictSame(Object.keys(text).sort(), languages, `${key}: ${en}`);
      t.notOk(Object.values(text).includes(""), `${key}: ${en}`);
    }
  }
  for (const [folder, texts] of Object.entries(shared))
    for (const text of texts.keys()) t.ok((users.get(text) ?? 0) > 1, `${folder}: ${text} is not shared`);
});

/** Texts of the labels of a folder, by their English. */
async function rows(folder: string) {
  const table = readLabelTable(await readFile(join(templates, folder, "i18n", "labels.csv"), "utf8"));
  if ("message" in table) throw new Error(`${folder}: ${table.message}`);
  return table.labels;
}

/** All names, labels and descriptions of a definition that are plain texts. */
function plainTexts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" && ["name", "label", "description"].includes(name)
      ? [member]
      : plainTexts(member),
  );
}

/** All texts by language of a definition. */
function localized(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const members: Record<string, unknown> = { ...value };
  return typeof members["en"] === "string" ? [members] : Object.values(members).flatMap(localized);
}
