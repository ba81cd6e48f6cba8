/**
 * PDFs are what they say: those of all templates in all their languages, tagged and not, and a report of everything that
 * browsers paint. Other programs that read PDFs are asked too, where they are installed. Uses the part itself for the report of
 * what browsers paint, which no template could hold.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimsOf } from "@slipway/sdk/runtime/pdf";
import { checkAccessibility, checkArchive, projectOf, readPdf as readPages } from "@slipway/sdk/testing";
import sharp from "sharp";
import type * as Tap from "tap";
import t from "tap";
import { effectPictures, effects } from "../host/pdf-effects.js";
import { job, open, page, startedService, varFolder } from "../host/pdf-support.js";
import { realChecker } from "../host/vera-pdf.js";
import { OexClient } from "../plugins/oex-client.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { startReporter } from "../templates/printed-reports.js";
import { fullProject } from "../templates/quote-project.js";
import { shippedTemplates } from "../templates/shipped-templates.js";
import { findPdfProgram } from "./pdf-programs.js";

const qpdf = findPdfProgram("qpdf");
const pdfdetach = findPdfProgram("pdfdetach");
const locales = ["en_GB", "de_DE", "fr_FR", "nl_NL", "pl_PL", "es_ES"];
const templates = join(repository, "templates");

/** Checks what a PDF says of itself, by all checkers that there are. */
async function conforms(t: Tap.Test, pdf: Uint8Array, expected: { archive: string; accessible: boolean }) {
  t.match(claimsOf(pdf), expected);
  t.strictSame(checkArchive(pdf), []);
  if (expected.accessible) t.strictSame(checkAccessibility(pdf), []);
  const profiles = [`3${expected.archive.toLowerCase()}`, ...(expected.accessible ? ["ua1"] : [])];
  await realChecker(t, pdf, profiles);
  if (typeof qpdf === "string") return;
  const path = join(t.testdir(), "checked.pdf");
  await writeFile(path, pdf);
  t.match(await qpdf("--check", path), /No syntax or stream encoding errors found/);
}

/** A folder with the templates of Slipway that print no tags, under the key `<key>-untagged`. */
async function untaggedTemplates(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-untagged-"));
  for (const key of (await readdir(templates)).filter((name) => name.startsWith("_")))
    await cp(join(templates, key), join(folder, key), { recursive: true });
  for (const key of await shippedTemplates()) {
    await cp(join(templates, key), join(folder, `${key}-untagged`), { recursive: true });
    const file = join(folder, `${key}-untagged`, "template.json");
    const definition: unknown = JSON.parse(await readFile(file, "utf8"));
    const changed = { key: `${key}-untagged`, aliases: [], accessibility: false };
    await writeFile(file, JSON.stringify(Object.assign({}, definition, changed)));
  }
  return folder;
}

t.test("all templates in all their languages", async (t) => {
  const untagged = await untaggedTemplates();
  t.teardown(() => rm(untagged, { recursive: true }));
  const reporter = await startReporter({ templates: [templates, untagged] });
  t.teardown(() => reporter.stop());
  const keys = await shippedTemplates();
  t.equal(keys.length, 6);
  for (const locale of locales) {
    const session = await reporter.open(fullProject(), locale);
    for (const key of keys)
      await t.test(`${key} in ${locale}`, async (t) => {
        await conforms(t, await reporter.file(session, {}, key), { archive: "A", accessible: true });
        const plain = await reporter.file(session, {}, `${key}-untagged`);
        await conforms(t, plain, { archive: "U", accessible: false });
      });
  }
});

t.test("105 pages of all that browsers paint", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());
  const pictures = await effectPictures();
  const print = async (names: string[], tagged: boolean) => {
    const sections = Array.from({ length: 105 }, (_, index) => {
      const body = effects[names[index % names.length] ?? ""];
      const table = `<table><thead><tr><th scope="col">No.</th></tr></thead><tbody><tr><td>${index}</td></tr></tbody></table>`;
      return `<h2${index === 0 ? "" : ' style="break-before:page"'}>Part ${index}</h2>${body}${table}`;
    });
    const html = page(`<h1>Effects</h1>${sections.join("")}`);
    const { content, errors } = await service.print(
      job(html, { tagged, archivable: true, resources: pictures }),
    );
    const document = await open(content);
    t.equal(document.numPages, 105);
    await document.destroy();
    return { content, errors };
  };
  const all = Object.keys(effects);

  await t.test("untagged", async (t) => {
    const { content, errors } = await print(all, false);
    t.strictSame(errors, []);
    await conforms(t, content, { archive: "U", accessible: false });
  });
  await t.test("tagged", async (t) => {
    const { content, errors } = await print(
      all.filter((name) => name !== "masks"),
      true,
    );
    t.strictSame(errors, []);
    await conforms(t, content, { archive: "A", accessible: true });
  });
  await t.test("tagged, with masks, whose content Chromium shows twice: the reason is told", async (t) => {
    const { content, errors } = await print(all, true);
    t.match(errors, [{ id: "document-not-accessible", message: /shown more than once/ }]);
    await conforms(t, content, { archive: "U", accessible: false });
  });
});

t.test("the files of an export within its PDF", async (t) => {
  const host: StartedHost = await startHost();
  t.teardown(() => host.stop());
  const client = new OexClient(host.url);
  const folder = t.testdir();
  const path = join(folder, "order.pdf");
  const session = await client.open(fullProject());
  const config = { attachPDF: true, embedInPDF: ["OEX", "OBX"], oexFilename: "Größe ½ – 漢字" };
  const { pdf, oex, obx } = await client.exported(session, config);
  await writeFile(path, pdf?.bytes ?? "");
  const files = [oex, obx].map((file) => ({ name: file?.name ?? "", bytes: Buffer.from(file?.bytes ?? []) }));

  await t.test("are not named on a page of a PDF that cannot take them", async (t) => {
    const small = await startHost({ configuration: { pdf: { outputBytes: 400_000 } } });
    t.teardown(() => small.stop());
    const other = new OexClient(small.url);
    // Noise, which cannot be packed; it goes into the document, not onto the pages.
    const noise = {
      width: 500,
      height: 500,
      channels: 3,
      noise: { type: "gaussian", mean: 128, sigma: 50 },
    } as const;
    const picture = await sharp({ create: { ...noise, background: "white" } })
      .png()
      .toBuffer();
    const session = await other.open(projectOf({ items: [{ article: "A-1", sales: "1", picture }] }));
    const { pdf: plain, errors, json } = await other.exported(session, { ...config, exportImages: true });
    t.match(
      errors.find(({ id }) => id === "attachment-error"),
      { message: /^The PDF has no files inside: .*400000/ },
    );
    t.notOk("embedded" in json);
    t.notMatch((await readPages(plain?.bytes ?? new Uint8Array())).text, /Files in this PDF/);
  });
  await t.test("by qpdf", { skip: typeof qpdf === "string" ? qpdf : false }, async (t) => {
    if (typeof qpdf === "string") return;
    const list = await qpdf("--list-attachments", "--verbose", path);
    for (const { name } of files) {
      const about = list.slice(list.indexOf(`preferred name: ${name}`));
      t.match(about, /mime type: application\/xml\s+checksum: [0-9a-f]{32}/, name);
    }
    t.equal(list.match(/^ {2}preferred name/gm)?.length, 2);
  });
  await t.test("by pdfdetach", { skip: typeof pdfdetach === "string" ? pdfdetach : false }, async (t) => {
    if (typeof pdfdetach === "string") return;
    const out = t.testdir();
    await pdfdetach("-saveall", "-o", out, path);
    t.equal((await readdir(out)).length, 2);
    for (const { name, bytes } of files) t.ok(bytes.equals(await readFile(join(out, name))), name);
  });
});
