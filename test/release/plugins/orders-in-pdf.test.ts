/** PDFs that carry an Order-X or a Peppol order, by a real host and a real browser. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedFiles, readPdf, readXmp, xmpProperty } from "@slipway/sdk/runtime/pdf";
import { checkAccessibility, checkArchive, projectOf } from "@slipway/sdk/testing";
import t from "tap";
import { reportOnly } from "../../host/templates-support.js";
import { realChecker } from "../../host/vera-pdf.js";
import { OexClient } from "../../plugins/oex-client.js";
import { messagesOf } from "../../plugins/order-checks.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let client: OexClient;
t.before(async () => {
  host = await startHost();
  client = new OexClient(host.url);
});
t.teardown(() => host.stop());

const place = { street: "High Street 1", countryCode: "GB", postalCode: "PL1", location: "Plymouth" };
const priced = { purchase: "7391.17", purchaseDiscount: "13", sales: "9000", quantity: "1" };
const project = projectOf({
  addresses: {
    SoldTo: { name1: "Buyer", ...place, taxCodeEU: "GB123456789" },
    Supplier: { name1: "Maker", ...place, taxCodeEU: "DE123456789" },
  },
  items: [{ article: "A-1", text: "Chair", ...priced }],
});
const everything = { attachPDF: true, embedInPDF: ["OEX", "OBX", "ORDER-X", "UBL"] };

/** The files in a PDF by their names. */
function carried(pdf: { bytes: Uint8Array } | undefined) {
  const file = readPdf(pdf?.bytes ?? new Uint8Array());
  const files = embeddedFiles(file).map(
    ({ name, relationship, mediaType, content }) =>
      [name, { relationship, mediaType, bytes: Buffer.from(file.content(content)) }] as const,
  );
  return new Map(files);
}

/** What a PDF says of the order within it. */
function statement(pdf: { bytes: Uint8Array } | undefined) {
  const file = readPdf(pdf?.bytes ?? new Uint8Array());
  const metadata = file.resolve(file.catalog.entries.get("Metadata"));
  if (metadata === null || typeof metadata !== "object" || metadata.kind !== "stream")
    throw new Error("There are no metadata");
  const packet = readXmp(file.content(metadata));
  const own = (name: string) => xmpProperty(packet, "urn:factur-x:pdfa:CrossIndustryDocument:1p0#", name);
  return ["DocumentType", "DocumentFileName", "Version", "ConformanceLevel"].map(own);
}

t.test("order-x.xml in a PDF is the file beside it, and the metadata say what it is", async (t) => {
  const session = await client.open({ ...project });
  const { pdf, orderX, ubl, json } = await client.exported(session, {
    ...everything,
    orderX: "EXTENDED",
    attachUBL: true,
  });
  const files = carried(pdf);
  t.same(
    json["embedded"],
    [...files.keys()].sort((a, b) => order(a) - order(b)),
  );
  t.ok(files.get("order-x.xml")?.bytes.equals(Buffer.from(orderX?.bytes ?? [])));
  t.ok(files.get(ubl?.name ?? "")?.bytes.equals(Buffer.from(ubl?.bytes ?? [])));
  t.match(files.get("order-x.xml"), { relationship: "Alternative", mediaType: "text/xml" });
  for (const [name, { relationship }] of files)
    if (name !== "order-x.xml") t.equal(relationship, "Supplement", name);
  t.strictSame(statement(pdf), ["ORDER", "order-x.xml", "1.0", "EXTENDED"]);
  const bytes = Buffer.from(pdf?.bytes ?? []);
  t.strictSame([checkArchive(bytes), checkAccessibility(bytes)], [[], []]);
  await realChecker(t, bytes, ["3a", "ua1"]);

  const folder = await mkdtemp(join(tmpdir(), "slipway-order-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "order.pdf"), bytes);
  const checked = await runCommand(["pdf", "check", join(folder, "order.pdf")]);
  t.equal(checked.code, 0, checked.output + checked.errors);
});

/** OEX, OBX, Order-X, UBL. */
function order(name: string): number {
  if (name === "order-x.xml") return 2;
  return name.endsWith("_ubl.xml") ? 3 : name.endsWith(".obx") ? 1 : 0;
}

t.test("only within the PDF", async (t) => {
  const session = await client.open({ ...project });
  const made = await client.exported(session, { attachPDF: true, embedInPDF: ["ORDER-X"] });
  t.same([made.orderX, made.ubl], [undefined, undefined]);
  t.strictSame(statement(made.pdf), ["ORDER", "order-x.xml", "1.0", "COMFORT"]);
  const other = await client.exported(session, {
    ...everything,
    orderXProfile: "EXTENDED",
    orderXRelationship: "Source",
  });
  t.equal(other.orderX, undefined);
  t.strictSame(statement(other.pdf), ["ORDER", "order-x.xml", "1.0", "EXTENDED"]);
  t.equal(carried(other.pdf).get("order-x.xml")?.relationship, "Source");
  const { pdf } = await client.exported(session, { attachPDF: true, embedInPDF: ["OEX", "UBL"] });
  t.strictSame(statement(pdf), [undefined, undefined, undefined, undefined]);
});

t.test("a PDF that is not archivable has the order beside it", async (t) => {
  const folder = t.testdir({
    plain: reportOnly("plain", "<p>Plain</p>"),
  });
  const plain = await startHost({ templates: [folder] });
  t.teardown(() => plain.stop());
  const other = new OexClient(plain.url);
  const session = await other.open({ ...project });
  const { pdf, orderX, errors } = await other.exported(session, {
    ...everything,
    reporterTemplateKey: "plain",
  });
  t.ok(orderX);
  t.notOk(carried(pdf).has("order-x.xml"));
  t.equal(carried(pdf).size, 3, "the other files are within it");
  t.match(messagesOf(errors, "pdf-not-archivable"), [
    /^order-x\.xml is a file beside the PDF and not inside it/,
  ]);
});

t.test("a quotation has neither order, and no purchase amount in any stream", async (t) => {
  const session = await client.open({ ...project });
  const amounts = /7[.,]?391|6[.,]?430[.,]?3/; // as it is, and less the discount
  const flags = ["calculationPurchase", "calculationSales", "hideDiscounts", "hidePurchaseDiscounts"];
  for (let set = 0; set < 2 ** flags.length; set += 1) {
    const chosen = Object.fromEntries(flags.map((flag, index) => [flag, (set & (2 ** index)) > 0]));
    const config = { ...everything, ...chosen, documentType: "QUOTES", orderX: "EXTENDED", attachUBL: true };
    const { pdf, orderX, ubl, errors } = await client.exported(session, config);
    t.same([orderX, ubl], [undefined, undefined]);
    t.equal(messagesOf(errors, "oex-order-missing").length, 2);
    const file = readPdf(pdf?.bytes ?? new Uint8Array());
    let streams = 0;
    for (const reference of file.references()) {
      const object = file.get(reference);
      if (object === null || typeof object !== "object" || object.kind !== "stream") continue;
      const subtype = object.dictionary.entries.get("Subtype");
      if (JSON.stringify(subtype)?.includes("Image")) continue;
      streams += 1;
      t.notMatch(Buffer.from(file.content(object)).toString("utf8"), amounts, JSON.stringify(chosen));
    }
    t.ok(streams > 3);
  }
});

t.test("the command line makes and checks such orders", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-orders-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "config.json");
  const addresses = [{ addressType: "Supplier", name1: "Solvanne", ...place, taxCodeEU: "DE123456789" }];
  const wanted = { orderX: "COMFORT", attachUBL: true, addresses, manufacturerIds: ["SOLV"] };
  await writeFile(config, JSON.stringify({ ...wanted, buyerEndpoint: "0088:4012345000009" }));
  const demo = join(repository, "config", "demo", "demo-project.obk");
  const made = await runCommand(["export", demo, "--config", config, "--out", folder, "--validate"]);
  t.equal(made.code, 0, made.errors);
  const written = made.output.split("\n");
  t.equal(written.filter((path) => /_(order-x|ubl)\.xml$/.test(path)).length, 2);
  for (const path of written)
    if (path.endsWith("_order-x.xml")) t.match(await readFile(path, "utf8"), /1p0:comfort/);
});
