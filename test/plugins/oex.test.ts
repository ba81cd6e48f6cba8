/** The order export: its operations, its files, its errors, and the effect of each flag. */
import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { createOexChecker } from "./oex-checking-support.js";
import { archiveEntries, type Bytes, type Exported, listOf, OexClient } from "./oex-client.js";
import { exportLines, type Lines, onlyIn, readingOrder } from "./oex-document-lines.js";
import {
  all,
  articlesOf,
  headerOf,
  itemsOf,
  priceLines,
  readXml,
  value,
  type XmlElement,
} from "./oex-document-tree.js";
import { amounts, checkExport, checkTotals, readDocument, references } from "./oex-export-checks.js";
import { type FlagEffect, flagEffects } from "./oex-flag-effects.js";
import {
  directions,
  expectedRepairs,
  family,
  hostileProject,
  longText,
  sharpLine,
} from "./oex-hostile-project.js";
import { baseConfiguration, flagProject, itemId, itemNames } from "./oex-project.js";
import { oexInMemory, reporterInMemory, shippedTemplate } from "./plugins-in-memory.js";
import {
  article,
  demoFile,
  each,
  errorIds,
  id,
  isJson,
  type Json,
  project,
  ReporterClient,
  sampleFile,
} from "./reporter-client.js";

const host = await oexInMemory();
t.teardown(() => host.stop());
const reporterHost = await reporterInMemory([await shippedTemplate("quote")]);
t.teardown(() => reporterHost.stop());
const client = new OexClient(host);
const reporter = new ReporterClient(reporterHost);
const checker = await createOexChecker();
t.teardown(() => checker.dispose());
const demo = await client.open(await demoFile("json"));

const formats = ["ORDERS", "QUOTES"].flatMap((documentType) =>
  ["3.1", "3.0", "2.3"].map((oexVersion) => ({ documentType, oexVersion })),
);

const customer = {
  ...{ addressType: "SoldTo", addressNumber: "20418", name1: "Harbourlight", street: "Lotsenkai 14" },
  ...{ countryCode: "DE", postalCode: "20457", location: "Hamburg" },
};

/** Number, manufacturer and quantity of each article, in its order. */
function articles(document: XmlElement): string[] {
  return articlesOf(document).map((item) => {
    const quantity = value(item, "vOrderQuantity") || value(item, "vQuoteQuantity");
    return [value(item, "vVendorID"), value(item, "vVendorArticleNo"), quantity].join(" ");
  });
}

t.test("config.json has the fields and defaults of the interface document", async (t) => {
  const { status, json } = await client.config();
  t.equal(status, 200);
  t.strictSame(json, {
    additionalAgreement: null,
    additionalTextId: "@add",
    addresses: [],
    appName: "Slipway",
    appVersion: { aMajor: "1", aMinor: "0" },
    archiveFilename: null,
    attachOBX: true,
    attachOEX: true,
    attachPDF: false,
    calculationPurchase: true,
    calculationSales: true,
    clientILN: null,
    clientNo: null,
    commission: null,
    conditionNo: null,
    dealerAsSGR: false,
    delivery: null,
    dispatchNotes: null,
    docNumber: null,
    documentType: "ORDERS",
    exportAlternativeArticles: true,
    exportFolders: true,
    exportImages: false,
    exportInvisibleFeatures: true,
    exportRoomInformation: true,
    exportSetArticle: true,
    exportTextArticles: true,
    featureInARTL: false,
    hideDiscounts: false,
    hideHeaderDiscounts: false,
    hidePurchaseDiscounts: false,
    hideSalesDiscounts: false,
    identicateUser: false,
    ignoreITEMText: false,
    manufacturerId: null,
    manufacturerIds: [],
    obxFilename: null,
    oexFilename: null,
    oexVersion: "3.0",
    orderInfo: null,
    orderType: null,
    pdfFilename: null,
    pdfLogoImage: null,
    projectNumber: null,
    projectUserName: null,
    refNumber: false,
    reporterTemplateKey: null,
    salesGroup: null,
    salesOrganisation: null,
    shipToCode: null,
    specialModelInfoTextId: "71",
    splitDocumentByManufacturers: false,
    structuralInformation: true,
    useSCOrderInfo: false,
    useSalesOrgAsFilePrefix: false,
    useShipToCode: false,
    vendorILN: null,
    vendorNo: null,
    versionInOrder: false,
  });
  const unchanged = await client.export({ sessionId: demo, config: json });
  t.equal(unchanged.status, 200, "the default configuration can be sent as it is");
});

t.test("manufacturers.json lists the manufacturers of a project", async (t) => {
  const { json } = await client.manufacturers(demo);
  t.strictSame(json["list"], [
    { manufacturerId: "BREN", manufacturerName: "Brenholt Workplaces" },
    { manufacturerId: "KVIS", manufacturerName: "Kvistad Acoustics & Light" },
    { manufacturerId: "SOLV", manufacturerName: "Solvanne Seating" },
    { manufacturerId: "OAL", manufacturerName: "Office Atelier Lindqvist" },
  ]);
  const nameless = await client.manufacturers(await client.open(project([article(1, "1.00")])));
  t.strictSame(nameless.json["list"], [{ manufacturerId: "M", manufacturerName: "" }]);
  const unknown = await client.manufacturers(randomUUID());
  t.match(unknown, { status: 422, json: { id: "request-session-not-found" } });
});

t.test("all types and versions of all project files are valid and add up", async (t) => {
  const files: [string, Bytes | undefined][] = [
    ["demo.json", await demoFile("json")],
    ["demo.obk", await demoFile("obk")],
    ["demo.obx", await demoFile("obx")],
    ["one-article-with-contact.obk", await sampleFile("one-article-with-contact.obk")],
    ["one-article.obx", await sampleFile("one-article.obx")],
  ];
  for (const [name, content] of files) {
    const options = content === undefined ? { skip: "the file is not at hand" } : {};
    await t.test(name, options, async (t) => {
      if (content === undefined) return;
      const session = await client.open(content);
      // Exchange files have no addresses, and quotations need one.
      const config = name === "demo.json" || name === "demo.obk" ? {} : { addresses: [customer] };
      for (const format of formats) {
        await t.test(`${format.documentType} ${format.oexVersion}`, async (t) => {
          const exported = await client.exported(session, { ...format, ...config });
          const document = await checkExport(t, exported, checker);
          checkTotals(t, document);
          const others = exported.errors.filter(({ id }) => id !== "item-not-exported");
          const repaired = others.map(({ id, additionalInformation }) => {
            t.equal(id, "oex-value-repaired");
            return isJson(additionalInformation) ? additionalInformation["field"] : undefined;
          });
          const isOldQuotation = format.documentType === "QUOTES" && format.oexVersion === "2.3";
          if (name === "demo.json" || name === "demo.obk")
            t.strictSame(repaired, isOldQuotation ? ["inactive", "config.delivery"] : []);
          t.equal(
            priceLines(headerOf(document)).some(({ area }) => area === "P"),
            format.documentType === "ORDERS",
          );
        });
      }
    });
  }
});

t.test("totals are those of the reporter, to the cent", async (t) => {
  const reported = await reporter.open(await demoFile("json"));
  const totalsOf = async (exported: Exported, request: Json): Promise<void> => {
    const { totals } = await reporter.data({ sessionId: reported, ...request });
    const { net, total, taxes } = isJson(totals) ? totals : {};
    const lines = priceLines(headerOf(readDocument(exported))).filter(({ area }) => area === "S");
    const own = amounts(lines, "S");
    t.strictSame([own.get("TNEH"), own.get("TOTL")], [net, total]);
    const ofType = (type: string) => lines.filter((line) => line.type === type);
    t.strictSame(
      ofType("TTAX").map((tax) => [Number(tax.rate), tax.value]),
      listOf(taxes).map(({ rate, value }) => [Number(rate), value]),
    );
    t.strictSame(
      ofType("TTNE").map(({ value }) => value),
      listOf(taxes).map(({ base }) => base),
    );
  };
  const quotation = await client.exported(demo, { documentType: "QUOTES" });
  await totalsOf(quotation, {});
  t.match(amounts(priceLines(headerOf(readDocument(quotation))), "S").get("TOTL"), "36036.85");
  const order = await client.exported(demo);
  await totalsOf(order, { items: order.json["items"], matchBasketItemIds: true });
});

t.test("an export comes without its PDF when there is no such template", async (t) => {
  const exported = await client.exported(demo, { attachPDF: true, reporterTemplateKey: "nothing" });
  checkTotals(t, await checkExport(t, exported, checker));
  t.equal(exported.pdf, undefined);
  t.match(
    exported.errors.filter((error) => error["id"] === "attachment-error"),
    [{ type: "attachment", message: /nothing/, scopes: ["ERROR"] }],
  );
  t.strictSame(references(headerOf(readDocument(exported))), [["ATT", exported.obx?.name]]);
});

t.test("alone, without a reporter, and with validation", async (t) => {
  const config = { validate: true, validateLimit: 30_000, applicationName: "Office", timeZone: "Asia/Tokyo" };
  const alone = await oexInMemory({ alone: true, config });
  t.teardown(() => alone.stop());
  const own = new OexClient(alone);
  t.match((await own.config()).json, { appName: "Office" });
  const small = project([article(1, "100.00", { seriesId: "S1" })], { addresses: [customer] });
  const session = await own.open(small);
  for (const format of formats) {
    const exported = await own.exported(session, { ...format, vendorNo: "7", delivery: "2026-12-01" });
    const document = await checkExport(t, exported, checker);
    t.equal(value(all(document, "hdrDateTime")[0] ?? document, "vTimeZone"), "+0900");
    t.strictSame(
      errorIds(exported.json).filter(
        (error) => error !== "oex-value-repaired" && error !== "item-not-exported",
      ),
      [],
      "nothing was found",
    );
  }
  const withPdf = await own.exported(session, { attachPDF: true, vendorNo: "7" });
  t.equal(withPdf.pdf, undefined);
  t.strictSame(errorIds(withPdf.json), ["attachment-error"]);
  t.strictSame(references(headerOf(readDocument(withPdf))), [["ATT", withPdf.obx?.name]]);
  const large = await own.exported(await own.open(await demoFile("json")));
  const notRepairs = large.errors.filter(
    ({ id }) => id !== "oex-value-repaired" && id !== "item-not-exported",
  );
  t.match(
    notRepairs,
    [{ id: "oex-document-unchecked", scopes: ["WARN"] }],
    "too large for the schema, else valid",
  );
  t.equal(notRepairs.length, 1);
});

t.test("the OBX holds the articles of the document", async (t) => {
  for (const format of formats) {
    const exported = await client.exported(demo, format);
    if (exported.obx === undefined) throw new Error("There is no OBX");
    const again = await client.open(exported.obx.bytes);
    const expected = articles(readDocument(exported));
    t.strictSame(
      articles(readDocument(await client.exported(again, { ...format, addresses: [customer] }))),
      expected,
    );
  }
  const parts = await client.exported(await client.open(mixedComposite()), { manufacturerIds: ["OWN"] });
  if (parts.obx === undefined) throw new Error("There is no OBX");
  t.strictSame(articles(readDocument(parts)), ["OWN A-2 6"]);
  const data = await reporter.data({ sessionId: await reporter.open(parts.obx.bytes) });
  t.strictSame(each(data, "quantity"), ["6"], "as many as in all of the composite that is not ordered");
});

/** Three frames of one manufacturer, each with two legs of another one. */
function mixedComposite(): Json {
  const leg = article(2, "1.00", {
    ...{ manufacturerId: "OWN", mainArticleId: id(1), quantity: { value: "2", unit: "C62" } },
  });
  const frame = article(1, "1.00", {
    manufacturerId: "OTH",
    quantity: { value: "3", unit: "C62" },
    children: [leg],
  });
  return project([frame]);
}

/** What is embedded in an article under a type of reference. */
function embedded(item: XmlElement, type: string): XmlElement | undefined {
  const isOfType = (child: XmlElement) =>
    child.name === "itmReference" && value(child, "vReferenceType") === type;
  return item.children.find(isOfType)?.children.find(({ name }) => name === "vReferenceValue");
}

t.test("each article carries its own OBX", async (t) => {
  const documents = {
    "3.1": readDocument(await client.exported(demo, { oexVersion: "3.1" })),
    "2.3": readDocument(await client.exported(demo, { oexVersion: "2.3" })),
  };
  const inBase64 = articlesOf(documents["2.3"]).map((item) => embedded(item, "EDS")?.text ?? "");
  for (const [index, item] of articlesOf(documents["3.1"]).entries()) {
    const { sections, text = "" } = embedded(item, "XML") ?? {};
    t.equal(sections, 1, "a section of CDATA");
    t.equal(Buffer.from(inBase64[index] ?? "", "base64").toString(), text, "the same in version 2.3");
    const data = await reporter.data({ sessionId: await reporter.open(new TextEncoder().encode(text)) });
    const [first] = listOf(data["items"]);
    const number = first?.["baseArticleNumber"] || first?.["articleNumber"];
    const shown = [number, first?.["quantity"], first?.["unitPrice"]];
    t.strictSame(shown, [value(item, "vVendorArticleNo"), "1", null], "one piece without a price");
  }
});

t.test("names of files", async (t) => {
  const named = await client.exported(demo, {
    ...{
      oexFilename: "order.xml",
      obxFilename: "articles",
      pdfFilename: "../../print",
      archiveFilename: "all",
    },
    ...{ useSalesOrgAsFilePrefix: true, salesOrganisation: "DE/1", attachPDF: true },
  });
  const { oex, obx, pdf, archive } = named;
  const names = [oex, obx, pdf, archive].map((file) => file?.name);
  t.strictSame(names, ["DE 1_order.xml", "DE 1_articles.obx", "DE 1_print.pdf", "DE 1_all.zip"]);
  t.strictSame([...(await archiveEntries(archive.bytes)).keys()], names.slice(0, 3));
  t.match(named.json["name"], /^DE 1_oex-orders_Q-2026-1187_\d{8}-\d{6}$/);
  t.match(value(all(readDocument(named), "hdrOrgData")[0] ?? readDocument(named), "vOrgDataValue"), "DE/1");

  const signs = await client.exported(demo, {
    docNumber: "  Nr. 4/5 (ä) and much more than that",
    attachOBX: false,
  });
  t.match(signs.oex?.name, /^oex-orders_Nr-4-5-and-much-more_\d{8}-\d{6}\.xml$/);
  t.equal(value(headerOf(readDocument(signs)), "vOrderNumber"), "Nr. 4/5 (ä) and much more than that");
});

t.test("articles of some manufacturers", async (t) => {
  const manufacturers = async (config: Json): Promise<string[]> => {
    const exported = await client.exported(demo, { attachOBX: false, ...config });
    const document = await checkExport(t, exported, checker);
    checkTotals(t, document);
    return [...new Set(articlesOf(document).map((item) => value(item, "vVendorID")))].sort();
  };
  t.strictSame(await manufacturers({}), ["BREN", "KVIS", "OAL", "SOLV"]);
  t.strictSame(await manufacturers({ manufacturerIds: ["KVIS", "BREN"] }), ["BREN", "KVIS"]);
  t.strictSame(await manufacturers({ manufacturerId: "KVIS" }), ["KVIS"]);
  const split = { splitDocumentByManufacturers: true, manufacturerId: "SOLV" };
  t.strictSame(await manufacturers(split), ["SOLV"]);
  t.strictSame(await manufacturers({ ...split, manufacturerIds: ["KVIS"] }), ["SOLV"]);
});

t.test("refusals", async (t) => {
  const refused = async (config: unknown, more: Json = {}): Promise<Json> => {
    const { status, json } = await client.export({ sessionId: demo, config, ...more });
    t.equal(status, json["code"]);
    return json;
  };
  /** Path and what came, of a 400. */
  const violations = async (config: unknown, more?: Json): Promise<unknown[]> => {
    const json = await refused(config, more);
    t.match(json, { code: 400, id: "request-bad-request", type: "request", scopes: [] });
    const info = json["additionalInformation"];
    const found = listOf(isJson(info) ? info["violations"] : []);
    t.ok(found.every((each) => String(each["expected"]).length > 0));
    return found.map(({ path, received }) => [path, received]);
  };

  t.strictSame(await violations({ documentType: "INVOIC", oexVersion: "3.2" }), [
    ["body.config.documentType", '"INVOIC"'],
    ["body.config.oexVersion", '"3.2"'],
  ]);
  t.strictSame(await violations({ splitDocumentByManufacturers: true }), [
    ["body.config.manufacturerId", "null"],
  ]);
  t.strictSame(await violations({ splitDocumentByManufacturers: true, manufacturerId: " " }), [
    ["body.config.manufacturerId", '" "'],
  ]);
  t.strictSame(await violations({ manufacturerIds: ["NONE", "KVIS", "NIX"] }), [
    ["body.config.manufacturerIds[0]", '"NONE"'],
    ["body.config.manufacturerIds[2]", '"NIX"'],
  ]);
  t.strictSame(await violations({ manufacturerId: "NIX" }), [["body.config.manufacturerId", '"NIX"']]);
  t.strictSame(await violations({ addresses: [customer, { ...customer, addressType: "Owner" }] }), [
    ["body.config.addresses[1].addressType", '"Owner"'],
  ]);
  t.strictSame(
    await violations(
      {
        attachOBX: "yes",
        appVersion: { aMajor: null, aMinor: "1" },
        manufacturerIds: "KVIS",
        docNumber: 5,
      },
      { calculationScheme: 7, preferredImageColumn: "first", imageOptions: "tag=x" },
    ),
    [
      ["body.calculationScheme", "7"],
      ["body.preferredImageColumn", '"first"'],
      ["body.imageOptions", '"tag=x"'],
      ["body.config.attachOBX", '"yes"'],
      ["body.config.appVersion.aMajor", "null"],
      ["body.config.manufacturerIds", '"KVIS"'],
      ["body.config.docNumber", "5"],
    ],
  );
  t.strictSame(await violations({ pdfLogoImage: "no picture" }), [
    ["body.config.pdfLogoImage", '"no picture"'],
  ]);
  t.strictSame(await violations([]), [["body.config", "[]"]]);
  t.strictSame(await violations({}, { sessionId: "7" }), [["body.sessionId", '"7"']]);

  t.match(await refused({}, { sessionId: randomUUID() }), {
    code: 422,
    id: "request-session-not-found",
    type: "request",
  });
  t.match(await refused({}, { calculationScheme: "NONE" }), {
    code: 422,
    id: "request-calculation-not-found",
  });
  const folder = { type: "folder", id: id(2), name: [], children: [{ type: "text", id: id(3), text: [] }] };
  const alternative = article(1, "1.00", { inactive: [{ kind: "alternative" }] });
  for (const items of [[], [folder]]) {
    const sessionId = await client.open(project(items));
    const empty = await refused({}, { sessionId });
    t.match(empty, {
      code: 422,
      id: "project-empty",
      type: "project",
      message: /^The project has no articles/,
    });
  }
  const negative = article(4, "1.00", { quantity: { value: "-3", unit: "C62" } });
  const sessionId = await client.open(project([folder, alternative, negative]));
  t.match(await refused({}, { sessionId }), {
    ...{ code: 422, id: "project-empty", type: "project" },
    message: /^No article is left to export\. .* \(an order has no alternatives\); .*quantity -3 \(/,
    additionalInformation: {
      leftOut: [
        { itemId: id(1), reason: "status", text: "an order has no alternatives" },
        { itemId: negative.id, reason: "quantity" },
      ],
    },
  });
  const homeless = await client.open(project([article(1, "1.00")]));
  t.match(await refused({ documentType: "QUOTES" }, { sessionId: homeless }), {
    ...{ code: 422, id: "project-address-missing", type: "project" },
  });
});

t.test("content that breaks careless exports", async (t) => {
  const session = await client.open(hostileProject());
  for (const format of formats) {
    await t.test(`${format.documentType} ${format.oexVersion}`, async (t) => {
      const exported = await client.exported(session, { ...format, orderInfo: sharpLine });
      const document = await checkExport(t, exported, checker);
      checkTotals(t, document);
      const shortened = exported.errors.filter(({ id }) => id === "manufacturer-code-shortened");
      t.match(shortened, [{ scopes: ["WARN"], message: /"!"/ }], "an id without a character of a code");
      const leftOut = exported.errors.filter(({ id }) => id === "item-not-exported");
      const negative = leftOut.filter(({ message }) => /negative/.test(String(message)));
      t.match(negative, [{ scopes: ["WARN"], additionalInformation: { reason: "quantity" } }]);
      const others = exported.errors.filter(
        (error) => !shortened.includes(error) && !leftOut.includes(error),
      );
      const repairs = others.map(({ id, scopes, additionalInformation }) => {
        t.strictSame([id, scopes], ["oex-value-repaired", ["WARN"]]);
        return isJson(additionalInformation) ? additionalInformation : {};
      });
      const hasFolders = format.oexVersion !== "2.3";
      const expected = expectedRepairs.filter(([, field]) => hasFolders || field !== "name");
      for (const [itemId, field, begin] of expected) {
        const found = repairs.find((repair) => repair["itemId"] === itemId && repair["field"] === field);
        t.ok(String(found?.["value"]).startsWith(begin), `${itemId} ${field}: ${found?.["value"]}`);
        t.match(found?.["change"], /\w/);
      }
      const isDue = ["config.delivery", "addresses"];
      const known = new Set([...expectedRepairs.map(([itemId, field]) => `${itemId} ${field}`)]);
      const unexpected = repairs.filter((repair) => !known.has(`${repair["itemId"]} ${repair["field"]}`));
      const isOldQuotation = format.documentType === "QUOTES" && format.oexVersion === "2.3";
      t.strictSame(
        unexpected.map((repair) => repair["field"]),
        isOldQuotation ? isDue : [],
        "nothing else is reported",
      );
      checkHostileTexts(t, document);
      const [first] = articlesOf(document);
      t.equal(articlesOf(document).length, 5, "a negative quantity and its part are left out");
      t.equal(value(all(document, "hdrText")[0] ?? document, "vTextContent"), sharpLine);
      t.equal(value(first ?? document, "vVendorArticleNo"), "A-1");
    });
  }
});

function checkHostileTexts(t: Test, document: XmlElement): void {
  const texts = articlesOf(document).map((item) =>
    all(item, "itmText").map((text) => [
      value(text, "vTextType"),
      all(text, "vTextContent")
        .map((line) => (line.attributes["aLineFormat"] === "~" ? ` ${line.text}` : line.text))
        .join(""),
    ]),
  );
  t.strictSame(texts[0], [
    ["ARTS", sharpLine],
    ["ARTL", longText.replace(family, ` ${family}`)],
  ]);
  t.strictSame(texts[3], [["ARTS", directions]]);
  const [configuration] = all(document, "itmConfigText");
  t.equal(value(configuration ?? document, "vOptionText"), "n".repeat(80));
  t.equal(value(configuration ?? document, "vValueText"), sharpLine);
}

// What each of the 27 flags of the export configuration changes, and that it changes nothing else.
const flagSession = await client.open(flagProject(), "de_DE");
const flagNames: ReadonlyMap<string, string> = new Map(itemNames.map((name) => [itemId(name), name]));
const defaults = (await client.config()).json;
const flags = Object.keys(defaults).filter((field) => typeof defaults[field] === "boolean");

/** Items of a document in the order of reading, by name. */
function itemOrder({ oex }: Exported): string[] {
  return oex === undefined ? [] : [...readingOrder(readXml(oex.bytes), flagNames).values()];
}

async function exportOf(t: Test, documentType: string, config: Json): Promise<Exported> {
  const exported = await client.exported(flagSession, { ...baseConfiguration, documentType, ...config });
  if (exported.oex === undefined) return exported;
  t.same(await checker.check(exported.oex.bytes), [], "the document is valid");
  const ids = itemsOf(readXml(exported.oex.bytes)).map((item) => item.attributes["aUUID"]);
  t.same(new Set(ids), new Set(Array.isArray(exported.json["items"]) ? exported.json["items"] : []));
  return exported;
}

/** The effect on a quotation, from that on an order. */
function quoted({ gone = [], come = [], quotes = {} }: FlagEffect): Required<Omit<FlagEffect, "quotes">> {
  const inQuotes = (lines: readonly string[]) =>
    lines
      .filter((line) => !line.includes("Pricing[P "))
      .map((line) => line.replaceAll("oex-orders", "oex-quotes").replace("vOrder", "vQuote"))
      .map((line) => line.replace("Bestellung als PDF", "Angebot als PDF"));
  return {
    gone: [...inQuotes(gone), ...(quotes.gone ?? [])],
    come: [...inQuotes(come), ...(quotes.come ?? [])],
  };
}

/** Without a document only the files can be compared. */
function comparable(lines: Lines, { oex }: Exported): Lines {
  const isOfFiles = /^(name|oex|obx|pdf|archive|url|obx \w+|archive holds|error .*)$/;
  return oex !== undefined ? lines : new Map([...lines].filter(([path]) => isOfFiles.test(path)));
}

t.test("every flag has an effect in the table", async (t) => {
  t.equal(flags.length, 27);
  t.same(Object.keys(flagEffects).sort(), [...flags].sort());
  const withoutEffect = flags.filter((flag) => {
    const { gone = [], come = [], quotes = {} } = flagEffects[flag] ?? {};
    return [...gone, ...come, ...(quotes.gone ?? [])].length === 0;
  });
  t.same(withoutEffect, []);
});

for (const documentType of ["ORDERS", "QUOTES"]) {
  await t.test(documentType, async (t) => {
    const base = await exportOf(t, documentType, {});
    const baseLines = await exportLines(base, flagNames);
    const notOrdered = documentType === "ORDERS" ? ["stool", "lamp"] : [];
    t.same(
      itemOrder(base),
      itemNames.filter((name) => !notOrdered.includes(name)),
    );
    const errors = base.errors.filter(({ id }) => id !== "item-not-exported");
    t.same(errors, [], "nothing in the project needs a repair");

    for (const flag of flags) {
      await t.test(flag, async (t) => {
        const changed = await exportOf(t, documentType, { [flag]: defaults[flag] !== true });
        const lines = await exportLines(changed, flagNames);
        const effect = flagEffects[flag] ?? {};
        const expected = documentType === "ORDERS" ? effect : quoted(effect);
        const before = comparable(baseLines, changed);
        t.same(onlyIn(before, lines).sort(), [...(expected.gone ?? [])].sort(), "what is gone");
        t.same(onlyIn(lines, before).sort(), [...(expected.come ?? [])].sort(), "what has come");

        if (changed.oex !== undefined) {
          const left = new Set(itemOrder(changed));
          const expectedOrder = itemOrder(base).filter((name) => left.has(name));
          t.same([...left], expectedOrder, "the order of the items is the same");
        }
        if (base.obx !== undefined && !(expected.gone ?? []).some((line) => line.startsWith("obx ")))
          t.ok(changed.obx && Buffer.from(changed.obx.bytes).equals(base.obx.bytes), "the OBX is the same");
      });
    }
  });
}
