import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import t from "tap";
import { repository } from "../start-host.js";
import type { PrintedPage } from "./printed-pages.js";
import { startReporter } from "./printed-reports.js";
import { runOf } from "./quote-pages.js";
import { article, fullProject, onePixel, project } from "./quote-project.js";

const reporter = await startReporter();
t.teardown(() => reporter.stop());

async function print(session: string, request: Record<string, unknown> = {}) {
  const pages = await reporter.print(session, request, "order");
  return { pages, text: pages.map((page) => page.text).join(" ") };
}

/** Texts of the line that a text stands on, from left to right. */
function line(pages: PrintedPage[], text: string): string[] {
  const { baseline } = runOf(pages, text);
  const page = pages.find((each) => each.runs.some((run) => run.text === text));
  return (page?.runs ?? [])
    .filter((run) => Math.abs(run.baseline - baseline) < 0.5)
    .sort((one, other) => one.left - other.left)
    .map((run) => run.text);
}

const picture = `data:image/png;base64,${onePixel}`;

const order = {
  number: "B-2026-0042",
  clientNo: "K-77120",
  vendorNo: "70441",
  projectNumber: "P-311",
  commission: "Second floor",
  delivery: "Week 3 of 2027\non pallets",
  dispatchNotes: "Call one day ahead",
  additionalAgreement: "<b>Annual</b> agreement",
  orderInfo: "Please confirm",
  logo: picture,
};

t.test("the demo project's order is one that a manufacturer can type in", async (t) => {
  const demo: ProjectDocument = JSON.parse(
    await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8"),
  );
  const session = await reporter.open(demo);
  const { pages, text } = await print(session);
  for (const each of [
    "Order Q-2026-1187",
    "Sold to",
    "Building site, 2nd floor, gate B",
    "Bill to",
    "No. 20418",
  ])
    t.ok(text.includes(each), each);
  t.ok(text.includes("Table top: Oak, natural oil"), "configuration");
  t.ok(text.includes("Special model Doors with cable cut-outs, 60 mm"));
  t.same(line(pages, "LN-D16-OAK-GR"), [
    "1.1.1",
    "LN-D16-OAK-GR",
    "Sit-stand desk 160 x 80",
    "6",
    "pcs",
    "535.50",
    "3,213.00",
  ]);
  t.same(line(pages, "Purchase value (excl. VAT)"), ["Purchase value (excl. VAT)", "EUR 16,820.83"]);
  t.notOk(text.includes("AR-240"), "an alternative is not ordered");
  t.notOk(text.includes("Value Added Tax"), "what the customer pays is nothing for the manufacturer");
  pages.forEach((page, index) => {
    t.ok(page.text.includes("Description Quantity"), "the head of the table on every page");
    t.ok(page.text.includes(`${index + 1}/${pages.length}`), "page numbers");
  });
  t.equal(pages[0]?.images, 0);

  await t.test("sales prices, with taxes", async (t) => {
    const sales = await print(session, { templateOptions: { priceSide: "sales" } });
    t.same(line(sales.pages, "LN-D16-OAK-GR").slice(-2), ["973.50", "5,841.00"]);
    t.same(line(sales.pages, "Value Added Tax (7%) on").at(-1), "EUR 46.25");
    t.same(line(sales.pages, "Total"), ["Total", "EUR 36,036.85"]);
    t.ok(sales.text.includes("Sales, EUR"));
  });
  await t.test("neither prices nor folders, with pictures", async (t) => {
    const bare = await print(session, {
      templateOptions: { showPrices: false, showFolders: false, showTexts: false, showImages: true },
    });
    t.same(line(bare.pages, "LN-D16-OAK-GR").slice(-2), ["6", "pcs"]);
    t.notMatch(bare.text, /price|EUR|\d\.\d\d\b(?! m)/i);
    t.notOk(bare.text.includes("Open workspace"));
    t.notOk(bare.text.includes("matched to the existing floor"));
    t.ok(bare.pages.some((page) => page.images > 0));
  });
  await t.test("in German", async (t) => {
    const german = await print(await reporter.open(demo, "de_DE"));
    for (const each of ["Bestellung Q-2026-1187", "Warenempfänger", "Rechnungsempfänger", "Einzelpreis"])
      t.ok(german.text.includes(each), each);
    t.same(line(german.pages, "Einkaufswert (zzgl. USt.)").at(-1), "EUR 16.820,83");
  });
});

t.test("what the export hands over stands on the order", async (t) => {
  const session = await reporter.open(fullProject());
  const { pages, text } = await print(session, { data: { order } });
  for (const each of [
    "Order B-2026-0042",
    "Customer no. K-77120",
    "Supplier no. 70441",
    "Project no. P-311",
    "Commission Second floor",
    "Delivery Week 3 of 2027 on pallets",
    "Dispatch notes Call one day ahead",
    "Additional agreement <b>Annual</b> agreement",
    "Information Please confirm",
  ])
    t.ok(text.includes(each), each);
  t.ok(pages[1] === undefined || pages[1].text.startsWith("Order B-2026-0042 · Quay House"), "running head");
  t.equal(pages[0]?.images, 1, "the logo");
  t.notOk(text.includes("We thank you for your enquiry"), "a letter to the customer");
  t.ok((await print(session, { templateOptions: { showHeaderText: true } })).text.includes("We thank you"));

  await t.test("logos", async (t) => {
    const images = async (request: Record<string, unknown>) =>
      (await print(session, request)).pages[0]?.images;
    t.equal(await images({ templateOptions: { logo: picture } }), 1);
    t.equal(await images({ templateOptions: { logo: "http://127.0.0.1:9/logo.png" } }), 0);
    t.equal(await images({ data: { order: { logo: `data:image/png;base64,"><h2>broken` } } }), 0);
  });
  await t.test("addresses replace those of the project, and equal ones are printed once", async (t) => {
    const addresses = [
      { addressType: "Supplier", name1: "Nordholm AB", location: "Göteborg", countryCode: "SE" },
      { addressType: "ShipTo", name1: "Depot East" },
      { addressType: "Payer", name1: "Accounts Payable", street: "1 Exchange Square", countryCode: "GB" },
    ];
    const { text } = await print(session, { data: { order: { addresses } } });
    for (const each of ["Nordholm AB", "SWEDEN", "Depot East", "Bill to · Payer"])
      t.ok(text.includes(each), each);
    t.notOk(text.includes("Warehouse North"));
    t.equal(text.split("Accounts Payable").length, 2);
  });
  await t.test("a quotation marks what does not count, and has sales prices", async (t) => {
    const { text } = await print(session, { data: { order: { documentType: "QUOTES" } } });
    t.ok(text.includes("Quotation Q-0815"));
    t.ok(text.includes("Alternative – not included in the total"));
    t.ok(text.includes("Sales, GBP"));
    t.ok(text.includes("GBP 820.23"));
  });
});

t.test("without purchase prices the order shows sales prices, or what was asked for", async (t) => {
  const session = await reporter.open(project([article(1, { quantity: { value: "3", unit: "C62" } })]));
  t.same(line((await print(session)).pages, "No. 1").slice(-2), ["100.00", "300.00"]);
  const asked = await print(session, { templateOptions: { priceSide: "purchase" } });
  t.same(line(asked.pages, "No. 1").at(-1), "pcs");
  t.notOk(asked.text.includes("100.00"));
});

t.test("data of other shapes does no harm", async (t) => {
  const session = await reporter.open(project([article(1)]));
  for (const odd of [
    null,
    "order",
    [],
    { number: {}, logo: 7, addresses: "none" },
    { addresses: [null, {}] },
  ]) {
    const { text } = await print(session, { data: { order: odd } });
    t.ok(text.includes("Order Q-0815"), JSON.stringify(odd));
  }
});

t.test("100 articles flow over the pages untorn", async (t) => {
  const items = Array.from({ length: 100 }, (_, index) => article(index + 1));
  const { pages } = await print(await reporter.open(project(items)));
  const seen: number[] = [];
  for (const page of pages) {
    const begun = [...page.text.matchAll(/\bChair (\d+)/g)].map((match) => Number(match[1]));
    const ended = [...page.text.matchAll(/End of (\d+)/g)].map((match) => Number(match[1]));
    t.same(begun, ended);
    t.ok(begun.length > 0 && page.text.includes("Description Quantity"));
    seen.push(...begun);
  }
  t.same(
    seen,
    items.map((_, index) => index + 1),
  );
  t.ok(pages.at(-1)?.text.includes("GBP 12,000.00"));
});

t.test("words and numbers of any length stay inside the text area", async (t) => {
  const word = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(6);
  const long = article(1, {
    quantity: { value: "123456.75", unit: "MTR" },
    baseArticleNumber: word,
    finalArticleNumber: `${word}X`,
    productDescription: { shortText: [{ lang: "en", value: word }], longText: [{ lang: "en", value: word }] },
    productPrices: [{ side: "sales", base: { value: "123456789.12", currency: "GBP" } }],
  });
  const session = await reporter.open(project([long]));
  const fields = Object.fromEntries(Object.keys(order).map((name) => [name, word]));
  const { pages } = await print(session, {
    data: {
      order: { ...fields, addresses: [{ addressType: "Supplier", name1: word, addressNumber: word }] },
    },
  });
  t.same(
    pages.flatMap((page) =>
      page.runs.filter((run) => run.left < 19.5 || run.right > 190.6).map((run) => run.text),
    ),
    [],
  );
});
