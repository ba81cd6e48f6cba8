/**
 * What the test kit brings along for tests of plugins: projects, readers of generated files, a printer. Uses the part
 * itself: the browser is the one that a host finds, which may be one that npm brought.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  calculate,
  checkProject,
  definePlugin,
  PricingProcedure,
  type ProjectDocument,
  route,
  SessionId,
  Type,
  Validator,
  walkItems,
} from "@slipway/sdk";
import {
  awkwardCents,
  brokenPrices,
  chromiumPrinter,
  createTestHost,
  deepFolders,
  emptyProject,
  everyKindOfItem,
  foreignPrices,
  hostileText,
  hostileTexts,
  type ItemDescription,
  id,
  malformedTexts,
  manyArticles,
  type ProjectDescription,
  pngPicture,
  projectOf,
  readArchive,
  readPdf,
  readXml,
  severalViews,
  smallOffice,
  type TestPrintJob,
  twoManufacturers,
  xmlElements,
} from "@slipway/sdk/testing";
import { ZipArchive } from "archiver";
import fc from "fast-check";
import t from "tap";
import { findBrowser } from "../../host/pdf/print/find-browser.js";

const procedure = readProcedure();

function readProcedure(): PricingProcedure {
  const file = new URL("../../config/procedures/STDB2B_WBK.json", import.meta.url);
  const read = new Validator().compile(PricingProcedure, "procedure")(JSON.parse(readFileSync(file, "utf8")));
  if (!read.ok) throw new Error(JSON.stringify(read.violations));
  return read.value;
}

/** Prints a template of the test for a session. */
const printing = definePlugin({
  setup: (host) => ({
    routes: [
      route.post("print", {
        summary: "Prints.",
        body: Type.Object({ sessionId: SessionId }),
        session: "required",
        async handler({ session, locale, suppress }) {
          const { assets = {} } = await session.project();
          const pictures = Object.values(assets).map(({ sha256 }) => `/assets/${sha256}`);
          const data = JSON.stringify({ pictures: [...pictures, "/assets/gone"] });
          const template = { key: "pictures", version: "", data, locale, formatLocale: locale };
          const appendLinks = ["https://example.com/terms.pdf"];
          const { file, pages, errors } = await host.pdf.render({
            template,
            filename: "Pictures",
            appendLinks,
          });
          for (const error of errors) suppress(error);
          return { url: file.url, pages };
        },
      }),
    ],
  }),
});

/** What a host makes of a project that was sent to it. */
function sent(project: ProjectDocument) {
  const json: unknown = JSON.parse(JSON.stringify(project));
  return checkProject(json);
}

function prices(project: ProjectDocument) {
  const { calculation, errors } = calculate(project, procedure);
  const { netValue, tax, currency } = calculation.header;
  return { net: netValue?.value, tax: tax?.value, currency, errors: errors.map((error) => error.id) };
}

t.test("projects fit the model, cost what they say and can be opened", async (t) => {
  const host = await createTestHost({ plugin: printing });
  t.teardown(() => host.stop());
  const projects: [
    ProjectDocument,
    net: string,
    tax: string,
    more?: { currency?: string; errors?: string[] },
  ][] = [
    [projectOf(), "0.00", "0.00"],
    [emptyProject(), "0.00", "0.00"],
    [smallOffice(), "3562.50", "676.88"],
    [everyKindOfItem(), "130.00", "24.70"],
    [twoManufacturers(), "80.00", "15.20"],
    [manyArticles(0), "0.00", "0.00"],
    [manyArticles(120, { pictures: 7 }), "5202.00", "988.38"],
    [deepFolders(97), "1.00", "0.19"],
    [hostileTexts(), "14.00", "2.66"],
    [malformedTexts(), "3.00", "0.57"],
    [foreignPrices(), "292.00", "23.65", { currency: "CHF" }],
    [awkwardCents(), "198.07", "17.17"],
    [severalViews(), "1100.00", "209.00"],
    [brokenPrices(), "10.00", "1.90", { errors: ["item-price-error"] }],
  ];
  for (const [project, net, tax, more] of projects) {
    const name = project.header.name ?? "";
    t.match(sent(project), { ok: true }, name);
    t.strictSame(prices(project), { net, tax, currency: "EUR", errors: [], ...more }, name);
    t.match(await host.openSession(project), { revision: 1 }, name);
  }
  t.match(sent(deepFolders(98)), { ok: false });
  await t.rejects(host.openSession(deepFolders(98)), { code: 400, message: /nesting/ });
});

t.test("a few words say all about a small project", (t) => {
  const items: ItemDescription[] = [
    {
      folder: { en: "Office", de: "Büro" },
      items: [
        {
          ...{ article: "CH-1", manufacturer: "NLF", series: "SEA", finalNumber: "CH-1-BL", quantity: "2.5" },
          ...{ unit: "MTR", sales: "100.00", purchase: { value: "60.00", currency: "USD" } },
          ...{ text: "Chair", longText: { de: "Stuhl" }, featureText: "In blue", remark: "Assembled" },
          features: { COL: { label: "Colour", text: "blue", value: "BL", visible: false }, Glides: "hard" },
          ...{ discount: "10", purchaseDiscount: "-2.5", taxCategory: "reduced_rate", externalNumber: "E-1" },
          ...{
            status: "optional",
            picture: pngPicture(),
            taggedPictures: { side: pngPicture({ width: 2 }) },
          },
          more: { variantCode: "V" },
        },
      ],
    },
    { article: "CO-1", id: 7, picture: pngPicture(), parts: [{ article: "CO-2" }] },
    { set: "SET", items: [{ article: "ME-1" }] },
    { userArticle: "U-1", manufacturerName: "Joiner", sales: "1.00" },
    { note: "Done" },
  ];
  const project = projectOf({
    ...{ languages: ["en", "de"], currency: "EUR", exchangeRates: { USD: "1.08" }, items, discount: "3" },
    addresses: { ShipTo: "Warehouse", SoldTo: { name1: "Buyer", location: "Plymouth" } },
    views: [{ name: "All" }, { name: "Merged", mergeMode: "Articles" }],
  });
  t.match(sent(project), { ok: true });
  t.match(project, {
    addresses: [
      { addressType: "SoldTo", name1: "Buyer", location: "Plymouth" },
      { addressType: "ShipTo", name1: "Warehouse" },
    ],
    manufacturers: {
      NLF: {
        name: [{ lang: "en", value: "Maker NLF" }],
        series: { SEA: [{ lang: "en", value: "Series SEA" }] },
      },
      MF: { series: { S1: [{ lang: "en", value: "Series S1" }] } },
    },
    settings: {
      languages: ["en", "de"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: { USD: "1.08" },
    },
    conditions: [
      { itemId: id(2), level: 20, counter: 0, amount: { kind: "percentage", value: "2.5" } },
      { itemId: id(2), level: 210, counter: 0, amount: { kind: "percentage", value: "-10" } },
      { level: 410, counter: 0, amount: { kind: "percentage", value: "-3" } },
    ],
    views: [
      { id: id(900), name: "All", mergeMode: "None" },
      { id: id(901), mergeMode: "Articles" },
    ],
    defaultViewId: id(900),
  });
  t.strictSame(
    [...walkItems(project.items)].map((item) => [item.type, item.id]),
    [
      ["folder", id(1)],
      ["article", id(2)],
      ["article", id(7)],
      ["article", id(3)],
      ["setArticle", id(4)],
      ["article", id(5)],
      ["userArticle", id(6)],
      ["text", id(8)],
    ],
  );
  const [chair, composite, part, , member] = [...walkItems(project.items)].slice(1);
  t.strictSame(chair, {
    ...{ type: "article", id: id(2), articleKind: "article", manufacturerId: "NLF", seriesId: "SEA" },
    ...{ baseArticleNumber: "CH-1", finalArticleNumber: "CH-1-BL", useFinalArticleNumber: true },
    quantity: { value: "2.5", unit: "MTR" },
    productDescription: {
      shortText: [{ lang: "en", value: "Chair" }],
      longText: [{ lang: "de", value: "Stuhl" }],
      featureText: [{ lang: "en", value: "In blue" }],
    },
    features: [
      {
        ...{ name: "COL", value: "BL", visible: false },
        ...{ nameText: [{ lang: "en", value: "Colour" }], valueText: [{ lang: "en", value: "blue" }] },
      },
      {
        ...{ name: "Glides", value: "V1", visible: true },
        ...{ nameText: [{ lang: "en", value: "Glides" }], valueText: [{ lang: "en", value: "hard" }] },
      },
    ],
    productPrices: [
      { side: "purchase", base: { value: "60.00", currency: "USD" } },
      { side: "sales", base: { value: "100.00", currency: "EUR" } },
    ],
    fields: {
      "c962203c-7e83-4a2f-8060-acaa4a06c921": "E-1",
      "73bd68f4-da62-11d8-b9d6-00e081513ada": "picture-1",
    },
    images: [{ tag: "side", asset: "picture-2" }],
    customTexts: [{ id: "@add", visible: true, text: [{ lang: "en", value: "Assembled" }] }],
    taxCategories: { VAT: "reduced_rate" },
    inactive: [{ kind: "optional" }],
    variantCode: "V",
  });
  t.match(
    [composite, part, member],
    [
      { fields: { "73bd68f4-da62-11d8-b9d6-00e081513ada": "picture-1" } },
      { mainArticleId: id(7) },
      { setArticleId: id(4) },
    ],
  );
  t.match(project.assets, {
    "picture-1": { mediaType: "image/png", width: 4, height: 4, base64: /^iVBOR/ },
    "picture-2": { mediaType: "image/png", width: 2, height: 4 },
  });
  t.strictSame(
    Object.keys(project.assets ?? {}),
    ["picture-1", "picture-2"],
    "equal pictures are there once",
  );
  t.match(sent(projectOf({ items: [{ article: "A", sales: "12,50" }] })), {
    ok: false,
    violations: [{ path: "project.items[0].productPrices[0].base.value", received: '"12,50"' }],
  });
  for (const number of [-1, 0.5, 1e12]) t.throws(() => id(number), { name: "RangeError" });
  t.throws(() => pngPicture({ colour: "blue" }), /six hexadecimal digits, received "blue"/);
  t.end();
});

t.test("whatever is described becomes a project that is reckoned without errors", async (t) => {
  const host = await createTestHost({ plugin: printing });
  t.teardown(() => host.stop());
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 50 }),
    fc.dictionary(fc.constantFrom("en", "de", "pt_BR", "und"), fc.string({ unit: "binary", maxLength: 20 })),
  );
  const percent = fc.integer({ min: -1000, max: 1000 }).map((tenths) => (tenths / 10).toFixed(1));
  const price = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const picture = fc.integer({ min: 1, max: 3 }).map((width) => pngPicture({ width }));
  const position = {
    quantity: fc.oneof(fc.nat(), fc.constantFrom("0.125", "-2")),
    unit: fc.constantFrom("C62", "MTR", "x"),
    ...{ sales: price, purchase: price, discount: percent, purchaseDiscount: percent },
    ...{
      text,
      longText: text,
      remark: text,
      externalNumber: fc.string({ unit: "binary", maxLength: 20 }),
      picture,
    },
    taggedPictures: fc.dictionary(fc.string({ maxLength: 5 }), picture, { maxKeys: 2 }),
    taxCategory: fc.constantFrom("standard_rate", "reduced_rate"),
    status: fc.constantFrom(
      "alternative" as const,
      "optional" as const,
      "nonOffer" as const,
      "nonOrder" as const,
    ),
  };
  const word = fc.string({ unit: "binary", maxLength: 30 });
  const {
    sales: _sales,
    purchase: _purchase,
    discount: _discount,
    purchaseDiscount: _less,
    ...unpriced
  } = position;
  const { item } = fc.letrec<{ item: ItemDescription; items: ItemDescription[] }>((tie) => ({
    items: fc.array(tie("item"), { maxLength: 4, depthIdentifier: "items" }),
    item: fc.oneof(
      { depthIdentifier: "items", depthSize: "small" },
      fc.record({ note: text, longText: text }, { requiredKeys: ["note"] }),
      fc.record(
        {
          ...{
            article: word,
            manufacturer: word,
            series: word,
            finalNumber: word,
            featureText: text,
            ...position,
          },
          features: fc.dictionary(word, text, { maxKeys: 3 }),
          parts: tie("items"),
        },
        { requiredKeys: ["article"] },
      ),
      fc.record(
        { userArticle: word, manufacturerName: word, ...position },
        { requiredKeys: ["userArticle"] },
      ),
      fc.record({ set: word, items: tie("items"), ...unpriced }, { requiredKeys: ["set", "items"] }),
      fc.record(
        { folder: text, items: tie("items"), subtotal: fc.boolean() },
        { requiredKeys: ["folder", "items"] },
      ),
    ),
  }));
  const description: fc.Arbitrary<ProjectDescription> = fc.record(
    {
      ...{ name: word, number: word, discount: percent, items: fc.array(item, { maxLength: 5 }) },
      languages: fc.constantFrom([], ["de"], ["en", "fr"]),
      currency: fc.constantFrom("EUR", "CHF"),
      addresses: fc.dictionary(fc.constantFrom("SoldTo" as const, "ShipTo" as const), word),
      manufacturers: fc.dictionary(word, fc.record({ name: text, series: fc.dictionary(word, text) })),
      views: fc.array(
        fc.record({ name: word, mergeMode: fc.constantFrom("None" as const, "Compact" as const) }),
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(description, async (described) => {
      const project = projectOf(described);
      const read = sent(project);
      if (!read.ok) throw new Error(JSON.stringify(read.violations));
      (await host.openSession(project)).close();
      const ids = [...walkItems(project.items)].map((each) => each.id);
      return new Set(ids).size === ids.length && prices(project).errors.length === 0;
    }),
    { numRuns: 100 },
  );
  t.pass("no counter-example");
});

t.test("hostile texts are where plugins look for texts", (t) => {
  const written = JSON.stringify(hostileTexts().items);
  for (const text of Object.values(hostileText)) t.ok(written.includes(JSON.stringify(text).slice(1, -1)));
  t.end();
});

async function zip(entries: Record<string, string>): Promise<Uint8Array> {
  const archive = new ZipArchive({ zlib: { level: 9 } });
  for (const [name, content] of Object.entries(entries)) archive.append(content, { name });
  const chunks: Buffer[] = [];
  const finished = archive.finalize();
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return new Uint8Array(Buffer.concat(chunks));
}

t.test("archives", async (t) => {
  const inner = Buffer.from(await zip({ "deep.txt": "Tief" })).toString("latin1");
  const files = await readArchive(
    await zip({ "b/data.json": '{"a":[1]}', "a.XML": "<a><b n='1'/><b>x</b></a>", "c.bin": inner, "d/": "" }),
  );
  t.strictSame(
    [...files.values()].map(({ name, mediaType }) => [name, mediaType]),
    [
      ["b/data.json", "application/json"],
      ["a.XML", "application/xml"],
      ["c.bin", "application/octet-stream"],
    ],
  );
  t.strictSame(files.get("b/data.json")?.json(), { a: [1] });
  const xml = files.get("a.XML")?.xml();
  t.match(xml, { name: "a", children: [{ name: "b", attributes: { n: "1" } }, { text: "x" }] });
  t.equal([...xmlElements(readXml("<a><b><b/></b></a>"), "b")].length, 2);
  const bytes = new TextEncoder().encode("no such thing");
  await t.rejects(readArchive(bytes), /not a ZIP/);
  await t.rejects(readArchive(await zip({ "bomb.txt": "x".repeat(30_000_000) })), /bomb\.txt: .* ratio/);
  const json = files.get("b/data.json");
  await t.rejects(
    async () => json?.archive(),
    /^b\/data\.json \(application\/json\) cannot be read as a ZIP archive: /,
  );
  await t.rejects(async () => json?.pdf(), /^b\/data\.json \(application\/json\) cannot be read as a PDF: /);
  t.throws(() => json?.xml(), /cannot be read as XML: line 1, column \d+: /);
  t.throws(() => files.get("a.XML")?.json(), /^a\.XML \(application\/xml\) cannot be read as JSON: /);
  t.throws(() => readXml("<!DOCTYPE a><a/>"), /document type/);
});

t.test("a document is printed by a real Chromium, and its pages are read", async (t) => {
  const { executable } = await findBrowser({ executable: undefined, cache: undefined, varDirectory: "var" });
  const printer = chromiumPrinter({ executable });
  t.teardown(() => printer.stop());
  const asked: string[] = [];
  const job = (html: string, more: Partial<TestPrintJob> = {}): TestPrintJob => ({
    ...{ html, tagged: false, archivable: false, scripts: false, prependLinks: [], appendLinks: [] },
    signal: new AbortController().signal,
    async load(path) {
      asked.push(path);
      const content = pngPicture({ width: 30, height: 20 });
      return path === "/assets/there" ? { mediaType: "image/png", content } : undefined;
    },
    ...more,
  });

  const html = `<!doctype html><html lang="de-DE"><head><title>Angebot</title>
    <style>@page { size: 200mm 100mm; margin: 10mm } body { margin: 0 }</style></head>
    <body><h1>Büro</h1><p>Preis <b>12,50</b>, <a href="https://example.com/a">mehr</a> <a href="#end">unten</a></p>
    <img src="/assets/there" style="width: 30mm"><img src="https://example.com/elsewhere.png">
    <p id="end" style="break-before: page">Ende</p><script>document.body.append("Skript")</script></body></html>`;
  const first = await printer.print(
    job(html, { tagged: true, appendLinks: ["https://example.com/terms.pdf"] }),
  );
  t.equal(first.pages, 2);
  t.match(first.errors, [
    {
      id: "document-resource-missing",
      additionalInformation: { paths: ["https://example.com/elsewhere.png"] },
    },
    {
      id: "attachment-error",
      scopes: ["ERROR"],
      additionalInformation: { link: "https://example.com/terms.pdf" },
    },
  ]);
  const pdf = await readPdf(first.content);
  t.match(pdf, {
    ...{ title: "Angebot", language: "de-DE", tagged: true, text: "Büro Preis 12,50, mehr unten\nEnde" },
    outline: [{ title: "Büro", page: 1, children: [] }],
    attachments: [],
  });
  const [page] = pdf.pages;
  const near = (value: number | undefined, expected: number) =>
    Math.abs((value ?? Number.NaN) - expected) < 0.5;
  t.ok(near(page?.width, 200) && near(page?.height, 100), "millimetres");
  t.strictSame(page?.lines, ["Büro", "Preis 12,50, mehr unten"]);
  t.match(page?.links, [
    { url: "https://example.com/a", page: undefined },
    { url: undefined, page: 2 },
  ]);
  const picture = page?.images.find(({ pixelWidth }) => pixelWidth === 30);
  t.equal(picture?.pixelHeight, 20);
  t.ok(near(picture?.left, 10) && near((picture?.right ?? 0) - (picture?.left ?? 0), 30), "where it stands");
  t.ok(near((picture?.bottom ?? 0) - (picture?.top ?? 0), 20));
  t.strictSame(asked, ["/assets/there"], "other addresses lead nowhere");

  const script = `<p id="a">Text</p><img src="/assets/none"><script>
    fetch("https://example.com").then(() => { a.textContent = "there" }, () => { a.append(" refused") })</script>`;
  const second = await printer.print(job(script, { scripts: true }));
  t.match((await readPdf(second.content)).text, /^Text refused/);
  t.match(second.errors, [
    {
      id: "document-resource-missing",
      additionalInformation: { paths: { length: 2 } },
    },
  ]);
  for (const path of ["/assets/none", "https://example.com/"]) t.match(second.errors[0]?.message, path);
  t.match((await readPdf((await printer.print(job(script))).content)).text, /^Text$/);

  const leading = job('<meta http-equiv="refresh" content="0;url=https://example.com">x');
  await t.rejects(printer.print(leading), { id: "template-error", code: 500, message: /navigate/ });
  const leaving = new AbortController();
  const hanging = job('<img src="/assets/slow">', {
    signal: leaving.signal,
    load() {
      leaving.abort(new Error("gone"));
      return new Promise(() => undefined);
    },
  });
  await t.rejects(printer.print(hanging), /^gone$/);
  await printer.stop();
  t.equal((await printer.print(job("<p>again</p>"))).pages, 1, "with another browser");
  const host = await createTestHost({
    ...{ plugin: printing, printer },
    templates: [
      {
        key: "pictures",
        html: (data) => JSON.stringify(data).replaceAll(/"([^"]+)"/g, '<img src="$1">'),
      },
    ],
  });
  const portrait = pngPicture({ width: 12, height: 34 });
  const session = await host.openSession(projectOf({ items: [{ article: "A", picture: portrait }] }));
  const answer = await host.post("print", { sessionId: session.id });
  t.match([answer.status, answer.json], [200, { pages: 1 }]);
  t.strictSame(
    answer.errors.map((error) => [error.id, ...error.scopes]),
    [
      ["document-resource-missing", "WARN"],
      ["attachment-error", "ERROR"],
    ],
  );
  const file = host.file(answer.json["url"]);
  t.match(file, { name: "Pictures.pdf", mediaType: "application/pdf" });
  const sizes = (await file.pdf()).pages.flatMap((each) =>
    each.images.map(({ pixelWidth, pixelHeight }) => `${pixelWidth} x ${pixelHeight}`),
  );
  t.ok(sizes.includes("12 x 34"), "a picture of the session");
  await host.stop();
  const wrong = chromiumPrinter({ executable: "/nowhere/chrome" });
  await t.rejects(wrong.print(job("<p>no</p>")), /names no program that can be started: \/nowhere\/chrome/);
});

t.test("what is missing is named", (t) => {
  const without = (call: string): string => {
    // As where the packages are not installed.
    const hooks = `export async function resolve(name, context, next) {
      if (!/^(pdfjs-dist|puppeteer-core)/.test(name)) return next(name, context);
      throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    }`;
    const program = `import { register } from "node:module";
      register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
      const kit = await import("@slipway/sdk/testing");
      await kit.${call}.catch((error) => console.log(error.message));`;
    const options = { encoding: "utf8" as const, cwd: new URL("../..", import.meta.url) };
    return spawnSync(process.execPath, ["--input-type=module", "--eval", program], options).stdout;
  };
  t.match(
    without("readPdf(new Uint8Array())"),
    /"pdfjs-dist", which is not installed: npm install --save-dev pdfjs-dist/,
  );
  const job = '{ html: "", signal: new AbortController().signal }';
  t.match(
    without(`chromiumPrinter().print(${job})`),
    /"puppeteer-core", which is not installed: npm install --save-dev puppeteer-core/,
  );
  t.end();
});
