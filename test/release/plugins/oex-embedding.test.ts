/** Orders and quotations as one file: what their PDFs carry, and what they never do. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedFiles, readPdf } from "@slipway/sdk/runtime/pdf";
import { checkAccessibility, checkArchive, projectOf, readPdf as readPages } from "@slipway/sdk/testing";
import t from "tap";
import { OexClient } from "../../plugins/oex-client.js";
import type { Json } from "../../plugins/plugin-client.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let client: OexClient;
let demo: string;
t.before(async () => {
  host = await startHost();
  client = new OexClient(host.url);
  demo = await client.open(await readFile(join(repository, "config", "demo", "demo-project.obk")));
});
t.teardown(() => host.stop());

const both = { attachPDF: true, embedInPDF: ["OEX", "OBX"] };

/** The files in the PDF of an export, with their bytes. */
function carried(pdf: { bytes: Uint8Array } | undefined) {
  if (pdf === undefined) throw new Error("There is no PDF");
  const file = readPdf(pdf.bytes);
  return embeddedFiles(file).map(({ name, relationship, mediaType, content }) => ({
    name,
    relationship,
    mediaType,
    bytes: Buffer.from(file.content(content)),
  }));
}

t.test("the PDF carries document and OBX, byte for byte", async (t) => {
  const { json, pdf, oex, obx } = await client.exported(demo, both);
  const files = carried(pdf).sort((a, b) => (a.name < b.name ? 1 : -1));
  t.strictSame(
    files.map(({ bytes, ...facts }) => facts),
    [
      { name: oex?.name, relationship: "Alternative", mediaType: "application/xml" },
      { name: obx?.name, relationship: "Supplement", mediaType: "application/xml" },
    ],
  );
  t.ok(files[0]?.bytes.equals(Buffer.from(oex?.bytes ?? [])));
  t.ok(files[1]?.bytes.equals(Buffer.from(obx?.bytes ?? [])));
  t.strictSame(json["embedded"], [oex?.name, obx?.name]);
  const { text } = await readPages(pdf?.bytes ?? new Uint8Array());
  t.ok(text.replaceAll(/\s+/g, " ").includes(`Files in this PDF: ${oex?.name}, ${obx?.name}`), text);
  t.strictSame(checkArchive(pdf?.bytes ?? new Uint8Array()), []);
  t.strictSame(checkAccessibility(pdf?.bytes ?? new Uint8Array()), []);
});

t.test("without further files there is one alone, also in the archive", async (t) => {
  const { json, pdf, oex, obx } = await client.exported(demo, {
    ...both,
    attachOEX: false,
    attachOBX: false,
  });
  t.strictSame([oex, obx, json["url"]], [undefined, undefined, undefined]);
  t.equal(carried(pdf).length, 2);
});

/** Not about articles that the order has no place for. */
const isOfPdf = ({ id }: { id?: unknown }): boolean => id !== "item-not-exported";

t.test("by default it carries none", async (t) => {
  const { json, pdf } = await client.exported(demo, { attachPDF: true });
  t.strictSame(carried(pdf), []);
  t.notOk("embedded" in json);
  t.notMatch((await readPages(pdf?.bytes ?? new Uint8Array())).text, /Files in this PDF/);
  t.notOk("embedInPDF" in (await client.config()).json);
});

t.test("the template has options; those that the document decides stay its own", async (t) => {
  const textWith = async (templateOptions: Json) => {
    const { pdf, errors } = await client.exported(demo, { attachPDF: true }, { templateOptions });
    const { text } = await readPages(pdf?.bytes ?? new Uint8Array());
    return { text, errors };
  };
  const usual = await textWith({});
  t.match(usual.text, /Armrests:/);
  const { text } = await textWith({ showConfiguration: false, priceSide: "sales" });
  t.notMatch(text, /Armrests:/);
  t.match(text, /Purchase, EUR/);
  const { errors } = await textWith({ showPictures: true });
  t.match(errors.filter(isOfPdf), [{ id: "template-option-unknown" }]);
  t.equal((await client.export({ sessionId: demo, templateOptions: 1 })).status, 400);
});

t.test("the PDF of another template carries data", async (t) => {
  const { pdf } = await client.exported(demo, {
    attachPDF: true,
    embedInPDF: ["OEX"],
    reporterTemplateKey: "quote",
  });
  t.match(carried(pdf), [{ relationship: "Data" }]);
});

t.test("wrong requests", async (t) => {
  const refused = async (config: Json) => {
    const { status, json } = await client.export({ sessionId: demo, config });
    return [status, JSON.stringify(json)];
  };
  t.match(await refused({ embedInPDF: ["OEX"] }), [400, /body\.config\.attachPDF` must be true, because/]);
  t.match(await refused({ attachPDF: true, embedInPDF: ["XLS"] }), [400, /body\.config\.embedInPDF\[0\]/]);
  t.match(await refused({ attachPDF: true, embedInPDF: ["OEX", "OEX"] }), [400, /body\.config\.embedInPDF/]);
});

t.test("without a PDF there is an error, and the other files", async (t) => {
  const { errors, pdf, oex } = await client.exported(demo, { ...both, reporterTemplateKey: "nothing" });
  t.equal(pdf, undefined);
  t.ok(oex);
  t.match(errors.filter(isOfPdf), [{ id: "attachment-error" }]);
  const only = { ...both, attachOEX: false, attachOBX: false, reporterTemplateKey: "nothing" };
  const made = await client.exported(demo, only);
  t.ok(made.oex, "what the PDF alone was to carry is not lost");
  t.ok(made.obx);
});

t.test("a quotation never carries purchase prices", async (t) => {
  const place = { street: "High Street 1", countryCode: "GB", postalCode: "PL1", location: "Plymouth" };
  const customer = { name1: "Buyer", ...place };
  const priced = { purchase: "7391.17", purchaseDiscount: "13", sales: "9000", quantity: "1" };
  const session = await client.open(
    projectOf({ addresses: { SoldTo: customer }, items: [{ article: "A-1", ...priced }] }),
  );
  const purchasePrice = /7[.,]?391|6[.,]?430[.,]?3/; // as it is, and less the discount
  for (const calculationPurchase of [true, false])
    for (const calculationSales of [true, false])
      for (const hideDiscounts of [true, false]) {
        const flags = { calculationPurchase, calculationSales, hideDiscounts };
        const { pdf } = await client.exported(session, { ...both, ...flags, documentType: "QUOTES" });
        const files = carried(pdf);
        t.equal(files.length, 2);
        for (const { name, bytes } of files) t.notMatch(bytes.toString("utf8"), purchasePrice, name);
        const pages = await readPages(pdf?.bytes ?? new Uint8Array());
        t.notMatch(JSON.stringify(pages), purchasePrice, JSON.stringify(flags));
      }
  const order = await client.exported(session, both);
  const [document] = carried(order.pdf).filter(({ name }) => name.endsWith(".xml"));
  t.match(document?.bytes.toString("utf8"), purchasePrice, "an order does");
});

t.test("the PDF of an order opens as the project of its OBX", async (t) => {
  const { pdf, obx } = await client.exported(demo, both);
  const [fromPdf, fromObx] = await Promise.all(
    [pdf, obx].map(async (file) => {
      const body = Buffer.from(file?.bytes ?? []);
      const answer = await fetch(`${host.url}/api/sessions`, { method: "POST", body });
      t.equal(answer.status, 201);
      const { project, warnings } = Object(await answer.json());
      return { project, warnings };
    }),
  );
  t.strictSame(fromPdf, fromObx);
  t.ok(fromPdf?.project.articles > 0);
});

t.test("PDFs that are no projects", async (t) => {
  const opened = async (body: Uint8Array) => {
    const answer = await fetch(`${host.url}/api/sessions`, { method: "POST", body: Buffer.from(body) });
    return [answer.status, JSON.stringify(await answer.json())];
  };
  const { pdf } = await client.exported(demo, { attachPDF: true, embedInPDF: ["OEX"] });
  const bytes = pdf?.bytes ?? new Uint8Array();
  t.match(await opened(bytes), [400, /This PDF has no project in it/]);
  t.match(await opened(bytes.subarray(0, 5000)), [400, /This PDF is damaged/]);
});

t.test("the command line makes such a PDF and opens it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-hybrid-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const project = join(repository, "config", "demo", "demo-project.obk");
  const made = await runCommand(["export", project, "--embed", "OEX,OBX", "--out", folder]);
  t.equal(made.code, 0, made.errors);
  const order = made.output.split("\n").find((path) => path.endsWith(".pdf")) ?? "";
  t.equal(carried({ bytes: await readFile(order) }).length, 2);
  const opened = await runCommand(["session", "open", order, "--url", host.url]);
  t.match([opened.code, opened.output], [0, /^[0-9a-f-]{36}/], opened.errors);
});
