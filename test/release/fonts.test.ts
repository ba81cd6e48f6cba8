/**
 * Fonts for further scripts in the reports that come with Slipway, and those of the npm registry for Chinese and Japanese, which
 * share characters.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import t from "tap";
import { job, open, page, startedService, varFolder } from "../host/pdf-support.js";
import { runCommand } from "../run-command.js";
import { repository } from "../start-host.js";
import { startReporter } from "../templates/printed-reports.js";
import { fullProject } from "../templates/quote-project.js";

const vendor = join(repository, "node_modules", "@expo-google-fonts");

const eastAsian = varFolder();
const fetched = await runCommand(["fonts", "add", "japanese", "zh-Hans", "zh-Hant", "--var", eastAsian]);
const skip = fetched.code !== 0 && `the registry gives no fonts: ${fetched.errors.trim()}`;

/** Names of the fonts of a PDF, without the marks of subsets. */
async function fontNames(content: Uint8Array): Promise<string[]> {
  const document = await open(content);
  const names = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const sheet = await document.getPage(number);
    await sheet.getOperatorList();
    for (const item of (await sheet.getTextContent()).items)
      if ("fontName" in item && item.str.trim() !== "") {
        const font: unknown = sheet.commonObjs.get(item.fontName);
        if (typeof font === "object" && font !== null)
          names.add(String(Reflect.get(font, "name")).replace(/^[A-Z]{6}\+/, ""));
      }
  }
  await document.destroy();
  return [...names].sort();
}

t.test("the quote prints Hebrew, Arabic and Thai with their own bold once the fonts are there", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-fonts-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const varDirectory = join(folder, "var");
  const reporter = await startReporter({ var: varDirectory });
  t.teardown(() => reporter.stop());
  const project = fullProject();
  const session = await reporter.open({
    ...project,
    header: { ...project.header, name: "כיסא مكتب เก้าอี้" },
  });
  const added = await runCommand(["fonts", "add", "he", "ar", "th", "--from", vendor, "--var", varDirectory]);
  t.equal(added.code, 0, added.errors);
  const pdf = await reporter.file(session);
  t.strictSame([checkAccessibility(pdf), checkArchive(pdf)], [[], []]);
  const names = await fontNames(pdf);
  for (const script of ["Hebrew", "Arabic", "Thai"])
    t.ok(
      names.some((name) => name.startsWith(`NotoSans${script}-`)),
      `${script}: ${names.join(", ")}`,
    );
});

t.test(
  "a page prints characters that Chinese and Japanese share as the language asks",
  { skip },
  async (t) => {
    const service = await startedService({ varDirectory: eastAsian, pdf: { pages: 1 } });
    t.teardown(() => service.stop());
    const print = async (language: string) => {
      const html = page("<p>直骨海</p>").replace('lang="en"', `lang="${language}"`);
      return service.print(job(html, { tagged: true, archivable: true }));
    };
    const expected = { ja: "JP", "zh-Hant": "TC", "zh-TW": "TC", zh: "SC", en: "SC", "ja-JP": "JP" };
    for (const [language, family] of Object.entries(expected)) {
      const printed = await print(language);
      t.strictSame(printed.errors, [], language);
      t.strictSame(await fontNames(printed.content), [`NotoSans${family}-Regular`], language);
      const document = await open(printed.content);
      const { items } = await (await document.getPage(1)).getTextContent();
      const text = items.map((item) => ("str" in item ? item.str : "")).join("");
      t.equal(text.replaceAll(/\s/g, ""), "直骨海", "no radicals in the place of characters");
      await document.destroy();
    }
  },
);
