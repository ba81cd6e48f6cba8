/**
 * How every shipped template looks in every language, compared with the pictures in reference/. After a change that is
 * meant, `TAP_SNAPSHOT=1 npx tap test/templates/reference-pictures.test.ts` writes them anew: look at each that changed.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import t from "tap";
import { largeProject } from "../bench/pdf/large-project.js";
import { repository } from "../start-host.js";
import { contactSheet, difference } from "./page-pictures.js";
import { startReporter } from "./printed-reports.js";
import { shippedTemplates } from "./shipped-templates.js";

const folder = join(repository, "test", "templates", "reference");
const isWriting = process.env["TAP_SNAPSHOT"] === "1";
/** Of the area. The date of today is less, the words of another language are more. */
const tolerance = 0.002;
const languages = ["en_GB", "de_DE", "fr_FR", "nl_NL", "pl_PL", "es_ES"];
const mostPages = 4;

/** Small documents whole, of others the first, one from the middle and the last page. */
function chosen(pages: number): number[] {
  if (pages <= mostPages) return Array.from({ length: pages }, (_, index) => index + 1);
  return [1, 2, Math.ceil(pages / 2), pages];
}

const demo: ProjectDocument = JSON.parse(
  await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8"),
);
const projects = { demo, "300": await largeProject(300) };

t.test("shipped templates look as their reference pictures", async (t) => {
  const keys = await shippedTemplates();
  const reporter = await startReporter();
  t.teardown(() => reporter.stop());
  await mkdir(folder, { recursive: true });
  const expected = new Set<string>();
  for (const [project, document] of Object.entries(projects)) {
    for (const language of languages) {
      const sessionId = await reporter.open(document, language);
      for (const key of keys) {
        const name = `${key}-${language.slice(0, 2)}-${project}.png`;
        expected.add(name);
        const sheet = await contactSheet(await reporter.file(sessionId, {}, key), chosen);
        if (isWriting) await writeFile(join(folder, name), sheet);
        const share = await difference(sheet, await readFile(join(folder, name)));
        t.ok(share <= tolerance, `${name} differs in ${(share * 100).toFixed(2)}% of its area`);
      }
    }
  }
  t.strictSame((await readdir(folder)).sort(), [...expected].sort(), "no picture is left over");
});

t.test("the comparison sees what people would see: another language, for one", async (t) => {
  for (const key of await shippedTemplates()) {
    const english = await readFile(join(folder, `${key}-en-demo.png`));
    t.equal(await difference(english, english), 0);
    t.ok((await difference(english, await readFile(join(folder, `${key}-de-demo.png`)))) > tolerance, key);
  }
});
