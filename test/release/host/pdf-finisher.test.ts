/**
 * The last pass over a report: what tagged reports and reports with attachments are like afterwards. The pass is also tested
 * by itself: no browser prints files as damaged as these.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import { PdfFormatError } from "@slipway/sdk/runtime/pdf";
import fc from "fast-check";
import t from "tap";
import { finish } from "../../../host/pdf/finish/finish.js";
import {
  handWritten,
  hostile,
  linkedPage,
  printedByChromium,
  roles,
} from "../../host/pdf-finisher-support.js";
import { disguised, foreign } from "../../host/pdf-foreign-attachments.js";
import { job, open, page, pageTexts, startedService, varFolder } from "../../host/pdf-support.js";

const table = (name: string): string =>
  `<table><thead><tr><th scope="col">${name}</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`;

/** Three pages; the link on the first leads to the last. All documents name that destination alike. */
function chapters(name: string): string {
  const style = "<style>@page { size: A5 } h2 { break-before: page }</style>";
  const first = `<h1>${name}</h1><p><a href="#end">to the end</a></p>${table(name)}`;
  const body = `${first}<h2>${name} two</h2>${table("Prices")}<h2 id="end">${name} end</h2><p>Ümläut – ½</p>`;
  return page(body, style).replace("<title>Test", `<title>${name}`);
}

const alone = (report: Uint8Array) => ({
  report,
  before: [],
  after: [],
  pages: 0,
  tagged: true,
  archive: undefined,
});

t.test("the finisher", async (t) => {
  const folder = varFolder();
  const [chromiumReport, terms] = await printedByChromium(`${folder}/chromium`, [
    chapters("Report"),
    chapters("Terms"),
  ]);
  if (chromiumReport === undefined || terms === undefined) throw new Error("nothing was printed");
  const files: Record<string, Uint8Array> = { "/terms.pdf": terms };
  const server = createServer((request, response) => void response.end(files[request.url ?? ""]));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startedService({
    varDirectory: folder,
    pdf: { attachments: { pages: 20 } },
    fetch: { allowedInternalHosts: [host] },
  });
  t.teardown(async () => {
    server.close();
    server.closeAllConnections();
    await service.stop();
  });
  const link = (path: string, content: Uint8Array): string => {
    files[path] = content;
    return `http://${host}${path}`;
  };

  t.test("a tagged report is smaller than what Chromium prints, and reads the same", async (t) => {
    const printed = await service.print(job(chapters("Report"), { tagged: true }));
    t.strictSame(printed.errors, []);
    t.ok(printed.content.length < chromiumReport.length * 0.8, `${printed.content.length} bytes`);
    t.strictSame(await pageTexts(printed.content), await pageTexts(chromiumReport));
    const [finished, raw] = [await open(printed.content), await open(chromiumReport)];
    t.equal(printed.pages, 3);
    t.strictSame(outlineTitles(await finished.getOutline()), outlineTitles(await raw.getOutline()));
    const [after, before] = [await roles(finished), await roles(raw)];
    for (const role of ["H1", "H2", "P", "Link", "Table", "TR", "TH", "TD"]) {
      t.ok(before[role], role);
      t.equal(after[role], before[role], role);
    }
    t.equal(await linkedPage(finished, 1), 3);
  });

  t.test("an untagged report without attachments is what Chromium printed", async (t) => {
    const printed = await service.print(job(chapters("Report")));
    t.match(Buffer.from(printed.content.subarray(0, 8)).toString(), "%PDF-1.4");
  });

  t.test("links of a report lead to the web and to people, and to its own places", async (t) => {
    const links = {
      web: "https://example.com/a?b=1",
      mail: "mailto:someone@example.com",
      script: "javascript:app.alert(1)",
      disguised: "java&#10;script:app.alert(1)",
      local: "file:///etc/passwd",
      relative: "/templates/of/the/host",
    };
    const anchors = Object.entries(links).map(([name, href]) => `<p><a href="${href}">${name}</a></p>`);
    for (const tagged of [false, true]) {
      const printed = await service.print(job(page(`<h1>Links</h1>${anchors.join("")}`), { tagged }));
      t.strictSame(printed.errors, []);
      t.match((await pageTexts(printed.content))[0], "Links web mail script disguised local relative");
      const annotations = await (await (await open(printed.content)).getPage(1)).getAnnotations();
      t.strictSame(
        annotations.flatMap((each) => each.unsafeUrl ?? []),
        [links.web, links.mail],
      );
    }
  });

  t.test("attachments bring their tags, outlines and destinations", async (t) => {
    const other = link("/other.pdf", terms);
    const printed = await service.print(
      job(chapters("Report"), {
        tagged: true,
        prependLinks: [link("/terms.pdf", terms)],
        appendLinks: [other],
      }),
    );
    t.strictSame(printed.errors, []);
    t.equal(printed.pages, 9);
    const texts = await pageTexts(terms);
    t.strictSame(await pageTexts(printed.content), [
      ...texts,
      ...(await pageTexts(chromiumReport)),
      ...texts,
    ]);
    const document = await open(printed.content);
    t.match((await document.getMetadata()).info, { Title: "Report" });
    const outline = await document.getOutline();
    t.strictSame(
      outline.map((item) => item.title),
      ["Terms", "Report", "Terms"],
    );
    t.strictSame(outlineTitles(outline).length, 9);
    const [parts, joined] = [await roles(await open(terms)), await roles(document)];
    for (const role of ["H1", "H2", "Link", "Table", "TH", "TD"])
      t.equal(joined[role], (parts[role] ?? 0) * 3, role);
    t.equal(Object.keys(await document.getDestinations()).length, 3);
    for (const first of [1, 4, 7])
      t.equal(await linkedPage(document, first), first + 2, "a link of its own part");
    const targets = outline.map(async ({ dest }) =>
      Array.isArray(dest) ? (await document.getPageIndex(dest[0])) + 1 : undefined,
    );
    t.strictSame(await Promise.all(targets), [1, 4, 7]);
  });

  t.test("a report that went through the finisher can be an attachment", async (t) => {
    const first = await service.print(job(chapters("First"), { tagged: true }));
    const links = [link("/first.pdf", first.content)];
    const second = await service.print(job(chapters("Second"), { tagged: true, appendLinks: links }));
    t.strictSame(second.errors, []);
    const document = await open(second.content);
    t.equal((await roles(document))["H1"], 2);
    t.equal(await linkedPage(document, 4), 6);
  });

  t.test("a damaged attachment is mended, and keeps its tags, outline and destinations", async (t) => {
    const text = Buffer.from(terms).toString("latin1");
    const damaged = Buffer.from(text.replace(/startxref\s+\d+/, "startxref\n1"), "latin1");
    const links = [link("/damaged.pdf", damaged)];
    const printed = await service.print(job(chapters("Report"), { tagged: true, appendLinks: links }));
    t.strictSame(printed.errors, []);
    const document = await open(printed.content);
    const [part, joined] = [await roles(await open(terms)), await roles(document)];
    for (const role of ["H1", "H2", "Table", "TD"]) t.equal(joined[role], (part[role] ?? 0) * 2, role);
    t.strictSame(outlineTitles(await document.getOutline()).length, 6);
    t.equal(await linkedPage(document, 4), 6);
  });

  t.test("labels of pages and hidden layers stay", async (t) => {
    const labelled = handWritten([
      "<</Type /Catalog /Pages 2 0 R /PageLabels <</Nums [0 <</S /r>>]>> /OCProperties <</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>>>",
      "<</Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 300]>>",
      "<</Type /Page /Parent 2 0 R /Resources <</Properties <</Layer 4 0 R>>>>>>",
      "<</Type /OCG /Name (Plan)>>",
    ]);
    const printed = await service.print(
      job(chapters("Report"), { prependLinks: [link("/labelled.pdf", labelled)] }),
    );
    t.strictSame(printed.errors, []);
    const document = await open(printed.content);
    t.strictSame(await document.getPageLabels(), ["i", "2", "3", "4"]);
    const configuration = await document.getOptionalContentConfig();
    t.equal(configuration.name, "Layers");
    const layers = [...configuration];
    t.match(layers, [[String, { name: "Plan", visible: false }]]);
    t.strictSame((await document.getPage(1)).view, [0, 0, 300, 300], "what the page inherited");
  });

  t.test("nothing of an attachment runs, opens or comes along", async (t) => {
    const printed = await service.print(
      job(page("Report"), { appendLinks: [link("/armed.pdf", await armed())] }),
    );
    t.strictSame(printed.errors, []);
    const document = await open(printed.content);
    t.equal(document.numPages, 2);
    t.equal(await document.getOpenAction(), null);
    t.notOk(await document.hasJSActions());
    t.equal(await document.getAttachments(), null);
    t.strictSame(await document.getFieldObjects(), null);
    const last = await document.getPage(2);
    t.strictSame(Object.keys((await last.getJSActions()) ?? {}), []);
    const annotations = await last.getAnnotations();
    t.strictSame(
      annotations.map((each) => each.url ?? each.unsafeUrl ?? each.action ?? each.attachment),
      [undefined, undefined, "https://example.com/"],
    );
    const plain = Buffer.from(
      await (await PDFDocument.load(printed.content)).save({ useObjectStreams: false }),
    );
    t.notMatch(plain.toString("latin1"), /JavaScript|Launch|EmbeddedFile|app\.alert|OpenAction/);
  });

  t.test("nothing runs or opens that is disguised as something else", async (t) => {
    const order = { ...alone(chromiumReport), tagged: false, after: [disguised], pages: 1 };
    const { content } = await finish(order);
    const saved = await (await PDFDocument.load(content)).save({ useObjectStreams: false });
    const actions = Buffer.from(saved)
      .toString("latin1")
      .match(/\/(URI|JS|FS|EF|FileAttachment) *[(<].*/g);
    t.strictSame(actions, ["/URI (www.example.com)"]);
  });

  t.test("what needs a password or is hostile is left out or mended, and the rest comes", async (t) => {
    const locked = await PDFDocument.create();
    locked.addPage();
    locked.encrypt({ userPassword: "secret", ownerPassword: "secret" });
    const links = [
      link("/locked.pdf", await locked.save()),
      ...Object.entries(hostile)
        // The first is no PDF at all; the other keeps the forgiving parser busy until its process is ended.
        .filter(([what]) => what !== "nothing at all" && what !== "a cross-reference stream of nothing")
        .map(([, each], index) => link(`/hostile-${index}.pdf`, each)),
      link("/terms.pdf", terms),
    ];
    const printed = await service.print(job(page("Report"), { tagged: true, appendLinks: links }));
    const texts = await pageTexts(printed.content);
    t.equal(texts[0], "Report");
    t.strictSame(texts.slice(-3), await pageTexts(terms));
    t.match(printed.errors[0]?.message, /locked.pdf was left out: it needs a password/);
    t.ok(printed.errors.length > 8, `${printed.errors.length} are left out`);
    for (const { message } of printed.errors)
      t.match(message, /it is damaged\.$|it needs a password\.$|is damaged: .* missing/);
  });

  t.test("what a tagged report could not be itself may be attached to it", async (t) => {
    for (const [what, content] of Object.entries(foreign)) {
      const order = { ...alone(chromiumReport), after: [content, terms], pages: 9 };
      const finished = await finish(order);
      t.match(finished, { pages: 7, refused: [] }, what);
      const strict = await PDFDocument.load(finished.content, { throwOnInvalidObject: true });
      t.equal(strict.getPageCount(), 7, what);
    }
  });

  t.test("the reader ends with an error for what it cannot use", async (t) => {
    for (const [what, content] of Object.entries(hostile))
      await t.rejects(finish(alone(content)), PdfFormatError, what);
  });

  t.test("the reader stands any damage to a file", async () => {
    const changes = fc.array(fc.tuple(fc.nat(chromiumReport.length - 1), fc.nat(255)), { maxLength: 30 });
    const property = fc.asyncProperty(changes, fc.nat(chromiumReport.length), async (damages, cut) => {
      const damaged = Uint8Array.from(chromiumReport);
      for (const [position, byte] of damages) damaged[position] = byte;
      for (const content of [damaged, chromiumReport.subarray(0, cut)]) {
        const finishing = finish({ ...alone(content), tagged: false, after: [damaged], pages: 9 });
        await finishing.catch((error: unknown) => {
          if (!(error instanceof PdfFormatError)) throw error;
        });
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });
});

/** All titles of an outline, from the top down. */
function outlineTitles(items: { title: string; items: unknown[] }[] | null): string[] {
  return (items ?? []).flatMap((item) => [item.title, ...outlineTitles(item.items as typeof items)]);
}

/** A page with all that a foreign document may try. */
async function armed(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const page = document.addPage([300, 300]);
  document.addJavaScript("start", "app.alert(1)");
  await document.attach(Buffer.from("MZ"), "virus.exe", { mimeType: "application/x-msdownload" });
  const script = context.obj({ S: "JavaScript", JS: PDFString.of("app.alert(2)") });
  const launch = context.obj({ S: "Launch", F: PDFString.of("cmd.exe"), Next: script });
  document.catalog.set(PDFName.of("OpenAction"), script);
  page.node.set(PDFName.of("AA"), context.obj({ O: script }));
  const link = (action: object) =>
    context.register(
      context.obj({
        Type: "Annot",
        Subtype: "Link",
        Rect: [0, 0, 9, 9],
        A: context.obj(action as Parameters<typeof context.obj>[0]),
        AA: context.obj({ U: script }),
      } as Parameters<typeof context.obj>[0]),
    );
  const uri = (address: string) => link({ S: "URI", URI: PDFString.of(address), Next: launch });
  const field = document.getForm().createTextField("field");
  field.addToPage(page);
  field.acroField.dict.set(PDFName.of("AA"), context.obj({ K: script }));
  page.node.set(
    PDFName.of("Annots"),
    context.obj([
      link({ S: "Launch", F: PDFString.of("cmd.exe") }),
      uri("javascript:app.alert(3)"),
      uri("https://example.com/"),
    ]),
  );
  return document.save();
}
