/** The words of the templates that come with Slipway. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
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
      [...languages, ...printedToo].sort().map((each) => `${each}.json`),
      folder,
    );
  }
});

t.test("each name and each option is in ten languages", async (t) => {
  for (const key of await shippedTemplates()) {
    const file = join(templates, key, "template.json");
    const texts = localized(JSON.parse(await readFile(file, "utf8")));
    t.ok(texts.length > 10, key);
    for (const text of texts) {
      const { en, ...others } = text;
      if (Object.keys(others).length === 0) t.match(en, /^\d+ mm$/, "only measures are alike in all of them");
      else t.strictSame(Object.keys(text).sort(), languages, `${key}: ${en}`);
      t.notOk(Object.values(text).includes(""), `${key}: ${en}`);
    }
  }
});

/** All texts by language of a definition. */
function localized(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const members: Record<string, unknown> = { ...value };
  return typeof members["en"] === "string" ? [members] : Object.values(members).flatMap(localized);
}
