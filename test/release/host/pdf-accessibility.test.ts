/**
 * Accessible PDFs: that those of the shipped templates are, and that the checks find what is not. The last pass is also
 * tested by itself: no browser prints content that other programs have written.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import { SaxesParser } from "saxes";
import t from "tap";
import { finish } from "../../../host/pdf/finish/finish.js";
import { readPage } from "../../documentation/pages.js";
import { edits, mistakes } from "../../host/pdf-accessibility-faults.js";
import { PdfEdit, richDocument } from "../../host/pdf-accessibility-support.js";
import { printedByChromium } from "../../host/pdf-finisher-support.js";
import { job, open, pageTexts, startedService } from "../../host/pdf-support.js";
import { demoFile, ReporterClient } from "../../plugins/reporter-client.js";
import { cleanEnvironment, repository, startHost } from "../../start-host.js";

/** The rules that a document breaks, each once, sorted. */
async function broken(pdf: Uint8Array): Promise<string[]> {
  const findings = checkAccessibility(pdf);
  return [...new Set(findings.map(({ rule }) => rule))].sort();
}

t.test("every shipped template that says so makes accessible reports, which are archivable", async (t) => {
  const host = await startHost();
  t.teardown(() => host.stop());
  const client = new ReporterClient(host.url);
  const templates = await accessibleTemplates();
  t.ok(templates.length > 0);
  for (const locale of ["en_GB", "de_DE"]) {
    const sessionId = await client.open(await demoFile("obk"), locale);
    for (const template of templates) {
      const answer = await client.post(`template/${template}/v1/generate`, { sessionId });
      const file = await fetch(String(answer.json["url"]));
      t.equal(file.status, 200, `${template} ${answer.text}`);
      const pdf = new Uint8Array(await file.arrayBuffer());
      t.strictSame(checkAccessibility(pdf), [], `${template} in ${locale}`);
      t.strictSame(checkArchive(pdf), [], `${template} in ${locale}`);
    }
  }
});

async function accessibleTemplates(): Promise<string[]> {
  const folder = join(repository, "templates");
  const definitions = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name, "template.json")] : [],
  );
  const texts = await Promise.all(definitions.map((file) => readFile(file, "utf8").catch(() => "{}")));
  return texts.flatMap((text) => {
    const { key, accessibility }: { key?: string; accessibility?: boolean } = JSON.parse(text);
    return key !== undefined && accessibility === true ? [key] : [];
  });
}

/** Numbers of the pages whose structure has content of cells that are heads. */
async function pagesWithHeads(pdf: Uint8Array): Promise<number[]> {
  const document = await open(pdf);
  const numbers: number[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const tree: unknown = await (await document.getPage(number)).getStructTree();
    // A cell that has no content on the page has no children there.
    if (/"role":"TH"[^[]*"children":\[\{/.test(JSON.stringify(tree))) numbers.push(number);
  }
  await document.destroy();
  return numbers;
}

t.test("documents", async (t) => {
  let service: Awaited<ReturnType<typeof startedService>> | undefined;
  t.teardown(() => service?.stop());
  const folder = t.testdir();
  const started = await startedService({ varDirectory: folder });
  service = started;
  const print = async (html: string) => (await started.print(job(html, { tagged: true }))).content;
  const [raw = new Uint8Array()] = await printedByChromium(`${folder}/chromium`, [richDocument]);
  const rich = await print(richDocument);

  t.test("what a browser leaves out is found and repaired, and the text stays", async (t) => {
    t.ok((await broken(raw)).length > 0);
    t.strictSame(checkAccessibility(rich), []);
    t.strictSame(await pageTexts(rich), await pageTexts(raw));
  });

  t.test("the test of the SDK's page checks a report, and fails for one with a fault", async (t) => {
    const [snippet] = readPage("sdk/README.md").blocks.filter(({ name }) => name === "quote.test.ts");
    for (const [pdf, fails] of [
      [rich, false],
      [raw, true],
    ] as const) {
      const place = join(folder, fails ? "with-fault" : "sound");
      await mkdir(place);
      await symlink(join(repository, "node_modules"), join(place, "node_modules"));
      await writeFile(join(place, "package.json"), '{ "type": "module" }');
      await writeFile(join(place, "quote.test.ts"), snippet?.content ?? "");
      await writeFile(join(place, "quote.pdf"), pdf);
      const { status, stdout } = spawnSync(
        process.execPath,
        ["--import", "tsx", "--test", "--test-reporter=tap", "quote.test.ts"],
        { cwd: place, env: cleanEnvironment(), encoding: "utf8" },
      );
      t.equal(status !== 0, fails, stdout);
      t.match(stdout, fails ? /not ok 1 - the quote is accessible/ : /^ok 1 - the quote is accessible/m);
    }
  });

  t.test("links, metadata and repeated heads of tables say what they have to", async (t) => {
    const edit = await PdfEdit.of(rich);
    t.strictSame([...new Set(edit.linkDescriptions())], ["the shop", "its logo"]);
    const texts: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on("text", (text) => text.trim() !== "" && texts.push(text));
    edit.metadata((xml) => {
      parser.write(xml).close();
      return xml;
    });
    t.equal(texts[0], "Quote & <more>");
    t.ok(texts.includes("en"));
    const [before, after] = [await pagesWithHeads(raw), await pagesWithHeads(rich)];
    t.ok(after.length > 0 && after.length < before.length, `${after} of ${before}`);
  });

  t.test("content that other programs write is marked as well", async (t) => {
    const edit = await PdfEdit.of(raw);
    const font = /\/F\d+ \d+ Tf/;
    edit.content((content) =>
      [
        content,
        `BT ${font.exec(content)?.[0]} (EMC \\) \\( BT) Tj /Span <</Lang (en)>> BDC <0003> Tj EMC[<0003>]TJ ET`,
        "q 1 0 0 1 5 5 cm BI /W 8 /H 1 /BPC 8 /CS /G ID ab EI\0cd EI Q % EMC",
        "0 0 m 9 9 l S/Artifact BMC 0 0 9 9 re f EMC 0 0 9 9 re W n",
      ].join("\n"),
    );
    const order = {
      report: await edit.save(),
      before: [],
      after: [],
      pages: 0,
      tagged: true,
      archive: undefined,
    };
    const { content } = await finish(order);
    const findings = checkAccessibility(content);
    t.strictSame(
      findings.filter(({ rule }) => !["06-002", "10-001", "31-030"].includes(rule)),
      [],
    );
  });

  t.test("a report with an attachment without tags does not say that it conforms", async (t) => {
    const attachment = await PDFDocument.create();
    attachment.addPage().drawText("Terms");
    const order = {
      report: raw,
      before: [],
      after: [await attachment.save()],
      pages: 9,
      tagged: true,
      archive: undefined,
    };
    t.strictSame(await broken((await finish(order)).content), ["01-005", "06-002", "31-009"]);
  });

  t.test("found: encryption that keeps screen readers out", async (t) => {
    for (const [contentAccessibility, rule] of [
      [false, "26-002"],
      [true, "clause 7.16"],
    ] as const) {
      const { document } = await PdfEdit.of(rich);
      document.encrypt({ ownerPassword: "owner", permissions: { contentAccessibility } });
      t.strictSame(await broken(await document.save()), [rule]);
    }
  });

  for (const [rules, what, edit] of edits)
    t.test(`found: ${what}`, async (t) => {
      const edited = await PdfEdit.of(rich);
      edit(edited);
      t.strictSame(await broken(await edited.save()), [...rules].sort());
    });

  for (const [what, html, rules] of mistakes)
    t.test(`found: ${what}`, async (t) => {
      t.strictSame(await broken(await print(html)), rules);
    });
});
