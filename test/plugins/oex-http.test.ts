/** The order export over HTTP: downloads, real PDFs, broken bodies, and what is left of exports that do not end well. */
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { startHost } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";
import { archiveEntries, type Exported, OexClient } from "./oex-client.js";
import { articlesOf, headerOf } from "./oex-document-tree.js";
import { readDocument, references } from "./oex-export-checks.js";
import { picture as logo } from "./oex-project.js";
import { answerOf } from "./plugin-client.js";
import { article, demoFile, type Json, project } from "./reporter-client.js";

const megabyte = 1024 * 1024;
const articles = 2000;
/** Its Base64 has 60 KB, so that the document has 120 MB; nothing compresses it. */
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  randomBytes(45_000),
]).toString("base64");

// Room for the document, but not for its archive as well.
const host = await startHost({ configuration: { files: { maximumBytes: 150 * megabyte } } });
t.teardown(() => host.stop());
const client = new OexClient(host.url);
const demo = await client.open(await demoFile("json"));
const large = await client.open(largeProject());
const config = { exportImages: true };

function largeProject(): Json {
  const images = [{ tag: "default", asset: "picture" }];
  const items = Array.from({ length: articles }, (_, index) => article(index + 1, "12.50", { images }));
  return project(items, { assets: { picture: { mediaType: "image/png", base64: picture } } });
}

function storedFiles(): Promise<string[]> {
  return readdir(join(host.var, "files"));
}

async function until(condition: (files: string[]) => boolean): Promise<void> {
  while (!condition(await storedFiles())) await pause(10);
}

// First, while there are no other files.
t.test("a client that goes away ends its export, and no file stays", async (t) => {
  const leaving = new AbortController();
  const exporting = fetch(`${host.url}/EAIWS/plugins/oex/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId: large, config }),
    signal: leaving.signal,
  });
  const given = t.rejects(exporting, { name: "AbortError" });
  // The OBX is complete, and the document is being written.
  await until((files) => files.filter((name) => name.endsWith(".content")).length === 2);
  leaving.abort();
  await given;
  await host.logged(({ msg }) => msg === "request without its whole answer");
  await until((files) => files.length === 0);
  await stillServes(t);
});

t.test("an export that finds no room for its last file says so, and no file stays", async (t) => {
  const before = (await storedFiles()).length;
  const answer = await client.export({ sessionId: large, config });
  t.match(answer, {
    status: 503,
    json: { id: "request-overloaded", message: /no room for generated files/ },
  });
  await until((files) => files.length === before);
  await stillServes(t);
});

/** With the instance that it had, which is not ended for an export that was given up. */
async function stillServes(t: Test): Promise<void> {
  const { oex } = await client.exported(demo);
  t.ok(oex !== undefined && oex.bytes.length > 0);
  const ended = host.log.filter(({ msg }) => /^An instance of a plugin/.test(String(msg)));
  t.strictSame(ended, []);
}

t.test("files that are switched off are neither in the result nor in the archive", async (t) => {
  const flags = [true, false];
  for (const attachOEX of flags)
    for (const attachOBX of flags)
      for (const attachPDF of flags) {
        const exported = await client.exported(demo, { attachOEX, attachOBX, attachPDF });
        const { archive, oex, obx, pdf, json } = exported;
        t.strictSame(
          [oex, obx, pdf, json["url"]].map((file) => file !== undefined),
          [attachOEX, attachOBX, attachPDF, attachOEX],
        );
        const files = [oex, obx, pdf].filter((file) => file !== undefined);
        const entries = await archiveEntries(archive.bytes);
        t.strictSame(
          [...entries.keys()],
          files.map(({ name }) => name),
        );
        for (const file of files)
          t.ok(entries.get(file.name)?.equals(file.bytes), `${file.name} as delivered`);
        if (oex === undefined) continue;
        const document = readDocument(exported);
        t.strictSame(
          references(headerOf(document)).sort(),
          [obx, pdf].flatMap((file) => (file === undefined ? [] : [["ATT", file.name]])).sort(),
        );
        const embedded = articlesOf(document).filter((item) =>
          references(item).some(([type]) => type === "XML"),
        );
        t.equal(embedded.length, attachOBX ? articlesOf(document).length : 0);
      }
  const { archive, oex, obx, pdf } = await client.exported(demo, { attachPDF: true });
  t.strictSame(
    [oex, obx, pdf, archive].map((file) => file?.mediaType),
    ["application/xml", "application/xml", "application/pdf", "application/zip"],
  );
});

async function pagesOf({ pdf }: Exported) {
  if (pdf === undefined) throw new Error("There is no PDF");
  const pages = await printedPages(pdf.bytes);
  return { text: pages.map((page) => page.text).join(" "), images: pages[0]?.images };
}

t.test("the PDF is the order report, or made by the template that the request names", async (t) => {
  const config = { attachPDF: true, pdfLogoImage: logo, docNumber: "B-17", orderInfo: "Ring the bell" };
  const standard = await pagesOf(await client.exported(demo, config));
  for (const text of ["Order B-17", "Ring the bell", "LN-D16-OAK-GR"]) t.match(standard.text, text);
  t.notMatch(standard.text, "AR-240", "an alternative is not ordered");
  t.equal(standard.images, 1, "the logo");

  const chosen = { attachPDF: true, reporterTemplateKey: "quote" };
  const quote = await pagesOf(await client.exported(demo, chosen));
  t.match(quote.text, "Quote no. Q-2026-1187");
  t.match(quote.text, "AR-200-PT-4D");
  t.notMatch(quote.text, "AR-240", "nor is it shown by a template of quotes");

  const part = await pagesOf(await client.exported(demo, { ...chosen, manufacturerIds: ["SOLV"] }));
  t.match(part.text, "AR-200-PT-4D");
  t.notMatch(part.text, "ST-W120", "only articles of the chosen manufacturer");

  const withAlternatives = await pagesOf(
    await client.exported(demo, { attachPDF: true, documentType: "QUOTES" }),
  );
  t.match(withAlternatives.text, "Quotation Q-2026-1187");
  t.match(withAlternatives.text, "AR-240");
});

t.test("bodies that are no JSON objects", async (t) => {
  const headers = { "Content-Type": "application/json" };
  for (const body of ['{"sessionId": ', "", "[]", "null"])
    t.match(
      await answerOf(await fetch(`${host.url}/EAIWS/plugins/oex/export`, { method: "POST", headers, body })),
      { status: 400, json: { code: 400, id: "request-bad-request" } },
      body,
    );
});
