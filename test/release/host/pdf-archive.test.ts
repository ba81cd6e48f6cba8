/**
 * Archivable reports (PDF/A-3): what they say of themselves is true, and where it would not be, they say nothing and the
 * client is told why. The last pass is also tested by itself, for what must not depend on a browser.
 */
import { readPdf, readXmp, xmpProperty } from "@slipway/sdk/runtime/pdf";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import t from "tap";
import { stateFacts } from "../../../host/pdf/finish/claims.js";
import { finish } from "../../../host/pdf/finish/finish.js";
import type { FinishOrder } from "../../../host/pdf/finish/finish-messages.js";
import { writePdf } from "../../../host/pdf/finish/write-pdf.js";
import { effectPictures, effects } from "../../host/pdf-effects.js";
import { withFormContent } from "../../host/pdf-form-content.js";
import { job, newService, page, startedService, varFolder } from "../../host/pdf-support.js";
import { realChecker } from "../../host/vera-pdf.js";

const archive = "http://www.aiim.org/pdfa/ns/id/";

/** What the metadata of a PDF say, and its dates as PDF writes them. */
function facts(pdf: Uint8Array) {
  const file = readPdf(pdf);
  const metadata = file.resolve(file.catalog.entries.get("Metadata"));
  const packet =
    typeof metadata === "object" && metadata?.kind === "stream" ? readXmp(file.content(metadata)) : undefined;
  const property = (namespace: string, name: string): string | undefined =>
    packet && xmpProperty(packet, namespace, name);
  const information = file.dictionary(file.trailer.entries.get("Info"));
  const date = (key: string): string => {
    const value = file.resolve(information?.entries.get(key));
    return typeof value === "object" && value?.kind === "string" ? value.bytes : "";
  };
  return {
    level: property(archive, "conformance"),
    part: property(archive, "part"),
    created: property("http://ns.adobe.com/xap/1.0/", "CreateDate"),
    createdInformation: date("CreationDate"),
    hasIntent: file.catalog.entries.has("OutputIntents"),
  };
}

const table = `<table><thead><tr><th scope="col">Price</th></tr></thead><tbody><tr><td>2</td></tr></tbody></table>`;
const rich = page(
  `<h1>Order</h1>${table}<p><a href="https://example.com/">link</a> ½ – Ünï</p>
<div style="opacity:.5;background:linear-gradient(red,blue);box-shadow:1px 1px 3px">half</div>
<svg role="img" aria-label="Bars" width="40" height="40"><rect width="30" height="30" fill="#08f" opacity=".4"/></svg>
<h2 style="break-before:page">Second</h2><p id="${"x".repeat(40)}">text</p>`,
  "<style>@page { @bottom-left { content: counter(page) } }</style>",
);

t.test("archivable reports", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());

  await t.test("an accessible one conforms to level A and to PDF/UA", async (t) => {
    const { content, errors } = await service.print(job(rich, { tagged: true, archivable: true }));
    t.strictSame(errors, []);
    t.strictSame(checkArchive(content), []);
    t.strictSame(checkAccessibility(content), []);
    t.match(facts(content), { level: "A", part: "3", hasIntent: true });
    await realChecker(t, content, ["3a", "ua1"]);
  });

  await t.test("another one to level U", async (t) => {
    const { content, errors } = await service.print(job(rich, { archivable: true }));
    t.strictSame(errors, []);
    t.strictSame(checkArchive(content), []);
    t.match(facts(content), { level: "U", part: "3" });
    await realChecker(t, content, ["3u"]);
  });

  await t.test("one that is tagged but has a mistake for readers, too", async (t) => {
    const html = page("<h1>One</h1><h3>Two</h3>");
    const { content, errors } = await service.print(job(html, { tagged: true, archivable: true }));
    t.strictSame(
      errors.map(({ id }) => id),
      ["document-not-accessible"],
    );
    t.strictSame(checkArchive(content), []);
    t.equal(facts(content).level, "U");
  });

  await t.test("dates are those of the document itself", async (t) => {
    const { created = "", createdInformation } = facts(
      (await service.print(job(rich, { archivable: true }))).content,
    );
    t.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    t.equal(created.replace(/\D/g, ""), createdInformation.replace(/\D/g, ""));
  });

  await t.test("reports of other templates claim nothing", async (t) => {
    for (const tagged of [false, true]) {
      const { content } = await service.print(job(rich, { tagged }));
      t.match(facts(content), { level: undefined, part: undefined, hasIntent: false });
    }
  });

  await t.test("a character without a glyph is a reason", async (t) => {
    for (const tagged of [false, true]) {
      const html = page("<h1>One</h1><p>\u{10ffff}\u0378</p>");
      const { content, errors } = await service.print(job(html, { tagged, archivable: true }));
      t.match(
        errors.find(({ id }) => id === "pdf-not-archivable"),
        {
          scopes: ["WARN"],
          message: /^The PDF is not marked as archivable \(PDF\/A-3\): page 1: The text .* lacks/,
          additionalInformation: { findings: [{ rule: "6.2.11.8", page: 1 }] },
        },
      );
      t.match(facts(content), { level: undefined, hasIntent: false });
    }
  });
});

t.test("what browsers paint in layers is archivable", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());
  const files = await effectPictures();
  for (const [name, body] of Object.entries(effects))
    for (const tagged of [false, true]) {
      const html = page(`<h1>Effects</h1>${body}`);
      const { content } = await service.print(job(html, { tagged, archivable: true, resources: files }));
      t.strictSame(checkArchive(content), [], name);
      const level = facts(content).level ?? "";
      t.equal(level, tagged && checkAccessibility(content).length === 0 ? "A" : "U", name);
      await realChecker(t, content, [`3${level.toLowerCase()}`]);
    }
});

t.test("the highest level is a setting", async (t) => {
  const service = await startedService({ varDirectory: varFolder(), pdf: { archive: { level: "B" } } });
  t.teardown(() => service.stop());
  const { content, errors } = await service.print(job(rich, { tagged: true, archivable: true }));
  t.strictSame(errors, []);
  t.equal(facts(content).level, "B");
  t.strictSame([checkArchive(content), checkAccessibility(content)], [[], []]);
});

t.test("attachments", async (t) => {
  const report = withFormContent({ shown: 1, depth: 1, loose: "", listed: true });
  const order: FinishOrder = { report, before: [], after: [], pages: 9, tagged: true, archive: "A" };
  const finished = (more: Partial<FinishOrder>) => finish({ ...order, ...more });
  const alone = await finished({});
  t.match(alone, { archive: { level: "A", findings: [] }, claim: { made: true } });
  t.strictSame(checkArchive(alone.content), []);

  await t.test("such as claim nothing take the claim away", async (t) => {
    const { content, archive } = await finished({ after: [report] });
    t.strictSame(archive, { level: undefined, findings: [] });
    t.equal(facts(content).level, undefined);
  });

  await t.test("such as claim less lower it", async (t) => {
    for (const [archive, level] of [
      ["A", "A"],
      ["U", "U"],
      ["B", "B"],
    ] as const) {
      const attachment = (await finished({ archive })).content;
      const { content } = await finished({ before: [attachment] });
      t.equal(facts(content).level, level);
      t.strictSame(checkArchive(content), []);
    }
  });

  await t.test("such as claim what is not true are seen through", async (t) => {
    const file = readPdf(withFormContent({ shown: 1, depth: 1, loose: "0 0 0 1 k", listed: true }));
    stateFacts(file, { accessible: true, archive: "A" });
    const { content, archive } = await finished({ after: [await writePdf(file)] });
    t.match(archive, { level: undefined, findings: [{ rule: "6.2.4.3", page: 2 }] });
    t.equal(facts(content).level, undefined);
  });
});

t.test("files that would make a PDF too large are refused before anything is read", async (t) => {
  const service = newService({ varDirectory: varFolder(), pdf: { outputBytes: 1000 } });
  await t.rejects(service.planUpdate({ pdf: Buffer.alloc(0), files: [], bytes: 1001 }), {
    code: 413,
    id: "request-too-large",
    message:
      "The PDF has at least 1001 bytes, but at most 1000 are allowed (pdf.outputBytes). Choose fewer items, or ask the admin for a higher limit.",
  });
});

t.test("the same input gives the same bytes, with an identifier", async (t) => {
  const report = withFormContent({ shown: 1, depth: 1, loose: "", listed: true });
  const order: FinishOrder = { report, before: [], after: [], pages: 0, tagged: true, archive: "A" };
  const [first, second] = [await finish(order), await finish(order)];
  t.ok(Buffer.from(first.content).equals(Buffer.from(second.content)));
  const other = await finish({ ...order, archive: "U" });
  const identifier = (pdf: Uint8Array): unknown => readPdf(pdf).trailer.entries.get("ID");
  t.notSame(identifier(first.content), identifier(other.content));
});
