/** What the reporter tells templates: it is what its schema says, its sums are exact, and every field of the request has its effect. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Exact } from "@slipway/sdk";
import { projectOf, type TestTemplate } from "@slipway/sdk/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import t, { type Test } from "tap";
import { largeProject } from "../bench/pdf/large-project.js";
import { repository } from "../start-host.js";
import { fullProject as quoteProject } from "../templates/quote-project.js";
import { hostileProject } from "./oex-hostile-project.js";
import { flagProject } from "./oex-project.js";
import { reporterInMemory, shippedTemplate } from "./plugins-in-memory.js";
import { fullProject, fullRequest, fullTemplate, listedViewId } from "./report-data-project.js";
import { membersOf, objectsOf, occurringMembers } from "./report-data-schema.js";
import {
  allItems,
  article,
  demoFile,
  each,
  errorIds,
  id,
  isJson,
  type Json,
  project,
  ReporterClient,
  totals,
  violations,
} from "./reporter-client.js";

/** Takes no options. */
const labelTemplate: TestTemplate = { key: "label", calculationLines: true, html: () => "<p>Label</p>" };
const host = await reporterInMemory([fullTemplate, labelTemplate, await shippedTemplate("quote")]);
t.teardown(() => host.stop());
const client = new ReporterClient(host);
const demo = await client.open(await demoFile("json"));

const schema = json(await readFile(join(repository, "sdk", "schemas", "report-data.schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true });
formats.default(ajv);
const validate = ajv.compile(schema);
const occurring = new Set<string>();

function json(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new TypeError("no JSON object");
  return value;
}

/** Members of suppressed errors, which are the same in every answer. */
function isOfErrors(name: string): boolean {
  return name.startsWith("ReportData.errors.");
}

/** The answer of data.json. */
async function dataOf(
  opened: Json | Uint8Array<ArrayBuffer>,
  request: Json = {},
  locale = "en_GB",
): Promise<Json> {
  const sessionId = await client.open(opened, locale);
  return client.data({ sessionId, templateKey: "full", ...request });
}

/** Fails with what does not fit. */
function valid(t: Test, data: Json, name: string): void {
  t.ok(validate(data), `${name} fits its schema`, { errors: validate.errors });
  for (const member of occurringMembers(schema, data)) occurring.add(member);
}

function rows(object: unknown, member: string): Json[] {
  const value = isJson(object) ? object[member] : undefined;
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function sum(of: readonly Json[], member: string): Exact {
  return of.reduce((total, each) => total.plus(String(each[member] ?? 0)), new Exact(0));
}

/** What is wrong with the sums of a report; nothing where all are exact. */
function wrongSums({ totals }: Json): string[] {
  if (!isJson(totals)) return ["no totals"];
  const wrong: string[] = [];
  const same = (what: string, got: Exact, wanted: unknown): void => {
    if (!got.eq(String(wanted))) wrong.push(`${what}: ${got} instead of ${wanted}`);
  };
  for (const part of ["byManufacturer", "byFolder"]) {
    const parts = rows(totals, part);
    for (const member of ["positions", "quantity"])
      same(`${part} ${member}`, sum(parts, member), totals[member]);
    same(`${part} net`, sum(parts, "net"), totals["itemNet"]);
    const isZero = new Exact(String(totals["itemNet"])).isZero();
    const shares = parts.filter((each) => each["share"] !== null);
    if (isZero) same(`${part} shares`, new Exact(shares.length), 0);
    else same(`${part} shares`, sum(shares, "share"), 100);
  }
  same("tax", sum(rows(totals, "taxes"), "value"), totals["tax"]);
  same("net", sum(rows(totals, "headerDiscounts"), "value").plus(String(totals["itemNet"])), totals["net"]);
  const steps = ["net", "eco", "tax", "rounding"].map((member) => ({ value: totals[member] }));
  same("total", sum(steps, "value"), totals["total"]);
  return wrong;
}

/** Lines that totals add up where all of the basket is printed as it is nested. */
function countedLines(data: Json): Json[] {
  return allItems(data).filter(
    (item) =>
      item["kind"] === "article" &&
      item["status"] === "active" &&
      item["articleType"] !== "setArticle" &&
      item["isPseudo"] === false,
  );
}

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const articleImage = "73bd68f4-da62-11d8-b9d6-00e081513ada";
const userImage = "cc080d73-88f4-4bfc-8ec1-e7e2ad30739a";
const firstExtraImage = "7423b6f0-d424-48b3-b75c-9fc5c61992c1";
const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";

function positions(data: Json): unknown[] {
  return each(data, "position");
}

t.test("the schema describes every member, and refuses others", (t) => {
  t.same(
    membersOf(schema).flatMap(({ name, schema: { description } }) =>
      isOfErrors(name) || (typeof description === "string" && description !== "") ? [] : name,
    ),
    [],
    "every member is described",
  );
  t.same(
    [...objectsOf(schema)].flatMap((each) =>
      isOfErrors(each.name) || each.schema["additionalProperties"] === false ? [] : each.name,
    ),
    ["ReportData.options", "ReportData.data", "ReportData.errors"],
    "what is not described is refused",
  );
  t.end();
});

t.test("data of all kinds of projects fit the schema, and their sums are exact", async (t) => {
  const projects: [string, Json | Uint8Array<ArrayBuffer>, Json?][] = [
    ["everything", fullProject(), fullRequest],
    ["one folder of everything", fullProject(), { ...fullRequest, items: [id(10)] }],
    ["a part of everything in another order", fullProject(), { viewId: listedViewId }],
    ["demo.json", await demoFile("json")],
    ["demo.obk", await demoFile("obk")],
    ["demo.obx", await demoFile("obx")],
    ["quote", { ...quoteProject() }],
    ["flags of the export", flagProject()],
    ["hostile", hostileProject()],
    ["300 articles", { ...(await largeProject(300)) }],
    ["a text and nothing else", project([{ type: "text", id: id(1), text: [] }])],
  ];
  for (const [name, content, request] of projects) {
    const data = await dataOf(content, request, name.startsWith("demo") ? "de_DE" : "en_GB");
    valid(t, data, name);
    t.same(wrongSums(data), [], name);
  }
  t.same(
    membersOf(schema).flatMap(({ name }) => (isOfErrors(name) || occurring.has(name) ? [] : name)),
    [],
    "every member of the schema occurs",
  );
  const data = await dataOf(fullProject(), fullRequest);
  t.notOk(validate({ ...data, further: 1 }), "what is not described is refused");
  t.notOk(validate({ ...data, generated: "today" }));
});

t.test("totals tell what each maker and folder contributes", async (t) => {
  const pieces = (value: string, unit = "C62"): Json => ({ quantity: { value, unit } });
  const own = { type: "userArticle", ...pieces("1") };
  const cost = (value: string): Json => ({
    productPrices: [{ side: "sales", base: { value, currency: "EUR" } }],
  });
  const folder = (number: number, name: string, children: Json[]): Json => {
    return { type: "folder", id: id(number), name: [{ lang: "en", value: name }], children };
  };
  const items = [
    folder(10, "Hall", [
      article(1, "10.00"),
      article(2, "10.00", { manufacturerId: "N", inactive: [{ kind: "alternative" }] }),
      folder(11, "Niche", [article(3, "20.00", { manufacturerId: "N", ...pieces("1.5", "MTR") })]),
    ]),
    folder(20, "Office", [
      { type: "setArticle", id: id(21), ...pieces("2"), children: [article(22, "3.33", pieces("3"))] },
    ]),
    folder(30, "Empty", []),
    { ...own, id: id(40), manufacturerName: "Joiner", ...cost("0.02") },
    { ...own, id: id(41), ...cost("30.00") },
  ];
  const manufacturers = { M: { name: [{ lang: "en", value: "Maker" }], series: {} } };
  const conditions = [{ level: 410, counter: 0, amount: { kind: "percentage", value: "-5" } }];
  const { totals } = await dataOf(project(items, { manufacturers, conditions }));
  t.match(totals, {
    itemNet: "90.00",
    net: "85.50",
    tax: "16.24",
    positions: 5,
    quantity: "9",
    purchase: null,
  });
  t.same(rows(totals, "byManufacturer"), [
    { manufacturerId: "N", name: "", positions: 1, quantity: "0", net: "30.00", share: "33.34" },
    { manufacturerId: "M", name: "Maker", positions: 2, quantity: "7", net: "29.98", share: "33.31" },
    { manufacturerId: "", name: "Joiner", positions: 1, quantity: "1", net: "0.02", share: "0.02" },
    { manufacturerId: "", name: "", positions: 1, quantity: "1", net: "30.00", share: "33.33" },
  ]);
  t.same(rows(totals, "byFolder"), [
    { id: id(10), position: "1", name: "Hall", positions: 2, quantity: "1", net: "40.00", share: "44.44" },
    { id: id(20), position: "2", name: "Office", positions: 1, quantity: "6", net: "19.98", share: "22.20" },
    { id: id(30), position: "3", name: "Empty", positions: 0, quantity: "0", net: "0.00", share: "0.00" },
    { id: null, position: "", name: "", positions: 2, quantity: "2", net: "30.02", share: "33.36" },
  ]);
});

t.test("what articles cost to buy and take up is told for one and for all", async (t) => {
  const data = await dataOf(fullProject());
  const [, chair, , , part] = allItems(data);
  t.match(chair, { quantity: "4", purchaseUnitPrice: "60.00", purchaseTotalPrice: "240.00" });
  t.same(chair?.["packaging"], {
    ...{ width: "650", height: "1100", depth: "609.6", volume: "0.3105" },
    ...{ netWeight: "17.25", grossWeight: "18.3", packages: "2" },
    ...{ totalVolume: "1.242", totalNetWeight: "69", totalGrossWeight: "73.2" },
  });
  t.match(part, { packaging: null, purchaseUnitPrice: null, purchaseTotalPrice: null });
  t.same(chair?.["features"], [{ id: "COL", name: "Colour", value: "black" }]);
  const { totals } = data;
  t.match(totals, {
    purchase: "240.00",
    delivery: {
      ...{ packages: "2", netWeight: "69", grossWeight: "73.2", volume: "1.242" },
      ...{ withoutWeight: 3, withoutVolume: 3 },
    },
  });
});

t.test("whatever a project holds and a request filters, the sums are exact", async (t) => {
  let next = 0;
  const price = fc.integer({ min: -300, max: 100_000 }).map((cents) => new Exact(cents).div(100).toFixed(2));
  const maker = fc.constantFrom({}, { manufacturerId: "" }, { manufacturerId: "A" }, { manufacturerId: "B" });
  const status = fc.constantFrom({}, {}, {}, { inactive: [{ kind: "alternative" }] });
  const amount = fc.constantFrom("1", "3", "0.5", "0", "17");
  const quantity = fc.record({ value: amount, unit: fc.constantFrom("C62", "H87", "MTR") });
  const leaf = fc
    .tuple(price, fc.record({ quantity }), maker, status)
    .map(([cost, ...more]): Json => Object.assign(article(0, cost), ...more));
  const name = [{ lang: "en", value: "Folder" }];
  const { items } = fc.letrec<{ items: Json[]; item: Json }>((tie) => ({
    items: fc.array(tie("item"), { maxLength: 4 }),
    item: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie("items").map((children): Json => ({ type: "folder", name, children })),
      fc.tuple(leaf, tie("items")).map(
        ([main, children]): Json => ({
          ...main,
          children: children.filter((each) => each["type"] !== "folder"),
        }),
      ),
      fc
        .tuple(quantity, status, fc.array(leaf, { maxLength: 3 }))
        .map(([each, more, children]): Json => ({ type: "setArticle", quantity: each, ...more, children })),
    ),
  }));
  const numbered = (list: readonly Json[]): Json[] =>
    list.map((item) => ({
      ...item,
      id: id(++next),
      ...(item["children"] === undefined ? {} : { children: numbered(rows(item, "children")) }),
    }));
  const discount = fc.constantFrom("-5", "-33.3", "2.5");
  await fc.assert(
    fc.asyncProperty(
      items,
      discount,
      fc.array(fc.nat(12), { maxLength: 2 }),
      async (generated, value, picked) => {
        next = 0;
        const conditions = [{ level: 410, counter: 0, amount: { kind: "percentage", value } }];
        const list = numbered([...generated, article(0, "1.00")]);
        const sessionId = await client.open(project(list, { conditions }));
        const all = await client.data({ sessionId, templateKey: "full" });
        const some = picked.map((number) => id(1 + (number % next)));
        const filtered = await client.data({ sessionId, templateKey: "full", items: some });
        for (const data of [all, filtered]) {
          if (!validate(data)) throw new Error(JSON.stringify(validate.errors));
          const wrong = wrongSums(data);
          if (wrong.length > 0) throw new Error(wrong.join("; "));
        }
        const { totals } = all;
        const counted = countedLines(all);
        const net = sum(counted, "totalPrice").toFixed(2);
        const expected = { positions: counted.length, itemNet: net };
        const got = isJson(totals) ? { positions: totals["positions"], itemNet: totals["itemNet"] } : {};
        if (JSON.stringify(got) !== JSON.stringify(expected))
          throw new Error(JSON.stringify([got, expected]));
      },
    ),
    { numRuns: 60 },
  );
  t.pass("no counter-example");
});

t.test("views, filters and page breaks", async (t) => {
  const own = await client.data({ sessionId: demo });
  t.match(own["view"], { name: "WBK-Standard" }, "the project's default view");
  t.ok(positions(own).includes("2.1.2"));
  const { views } = projectOf({ views: [{ id: id(900), name: "Merged", mergeMode: "Articles" }] });
  const twin = { baseArticleNumber: "T", productDescription: { shortText: [{ lang: "en", value: "Twin" }] } };
  const room = {
    type: "folder",
    id: id(3),
    name: [{ lang: "en", value: "Room" }],
    children: [article(4, "50.00")],
  };
  const small = project([article(1, "10.00", twin), article(2, "10.00", twin), room], { views });
  const sessionId = await client.open(small);
  const basket = await client.data({ sessionId });
  t.same([basket["view"], positions(basket)], [null, ["1", "2", "3", "3.1"]]);
  const merged = await client.data({ sessionId, viewId: id(900) });
  t.same(positions(merged), ["1", "2", "2.1"]);
  t.match(merged, {
    view: { id: id(900), name: "Merged", setArticleMode: "Expand" },
    items: [{ basketItemIds: [id(1), id(2)], quantity: "2", unitPrice: "10.00", totalPrice: "20.00" }],
    totals: { total: "83.30" },
  });
  const some = await client.data({ sessionId, viewId: id(900), items: [id(2)], matchBasketItemIds: true });
  t.same(positions(some), ["1"], "a merged line has the id of each of its items");
  t.same([totals(some)["net"], totals(some)["total"]], ["20.00", "23.80"], "totals of what is printed");
  const none = await client.post("data.json", {
    templateKey: "quote",
    sessionId,
    viewId: id(900),
    items: [id(2)],
  });
  t.match([none.status, none.json], [422, { id: "project-empty" }], "no line of the view has this id itself");
  const framed = await client.data({ sessionId, items: [id(4), "nonsense"] });
  t.same(positions(framed), ["3", "3.1"], "the folder stays as a frame");
  t.match(framed["errors"], [{ id: "item-not-found", type: "item", scopes: ["WARN"] }]);
  const pageBreaks = [
    { posNo: "2", value: "before" },
    { posNo: "1", value: "after" },
    { posNo: "9.9", value: "before" },
  ];
  const broken = await client.data({ sessionId, pageBreaks });
  t.same(
    [each(broken, "breakBefore"), each(broken, "breakAfter")],
    [
      [false, true, false, false],
      [true, false, false, false],
    ],
  );
  t.match(broken["errors"], [{ id: "page-break-unknown", type: "page", scopes: ["WARN"], message: /9\.9/ }]);
});

t.test("totals are those of the project, whatever a view hides or repeats", async (t) => {
  const line = (number: number, basketItemIds: string[], children: Json[] = []): Json => ({
    id: id(number),
    basketItemIds,
    positionNumber: String(number),
    children,
  });
  const view = {
    id: id(900),
    name: "Odd",
    displayMode: "sorted",
    mergeMode: "None",
    setArticleMode: "Expand",
    showTexts: true,
    showNonOffer: false,
    showNonOrder: true,
    hiddenDiscounts: false,
    expand: [],
    items: [line(901, [id(3)], [line(902, [id(1), id(1)]), line(903, [id(1)])]), line(904, [id(2)])],
  };
  const items = [
    article(1, "10.00", { quantity: { value: "-2", unit: "C62" } }),
    article(2, "30.00", { nonOffer: true }),
    {
      type: "folder",
      id: id(3),
      name: [],
      children: [article(4, "5.00", { quantity: { value: "0", unit: "C62" } })],
    },
  ];
  const sessionId = await client.open(project(items, { views: [view] }));
  const all = await client.data({ sessionId, viewId: id(900) });
  t.same(positions(all), ["901", "902", "903"]);
  t.match(allItems(all)[1], {
    basketItemIds: [id(1)],
    quantity: "-2",
    unitPrice: "10.00",
    totalPrice: "-20.00",
  });
  t.match(allItems(all)[0], { subTotal: "-20.00" }, "an item counts once");
  t.match(totals(all), {
    net: "10.00",
    taxes: [{ rate: "19", base: "10.00", value: "1.90" }],
    total: "11.90",
  });
  const some = await client.data({ sessionId, viewId: id(900), items: [id(902), id(903)] });
  t.match(totals(some), { net: "-20.00", taxes: [{ base: "-20.00", value: "-3.80" }], total: "-23.80" });
  const basket = await client.data({ sessionId });
  t.match(allItems(basket).at(-1), { quantity: "0", unitPrice: null, totalPrice: "0.00" });
});

t.test("options: defaults, then what the project remembers, then the request", async (t) => {
  const config = {
    configItemValues: [
      ["showLongText", false],
      ["articleImageSize", "30"],
      ["footerAlign", "diagonal"],
      ["ofAnotherVersion", 1],
    ],
  };
  const appData = {
    "W-BK": {
      "report/templateConfig/basket-standard-pro-fop": config,
      "report/templateConfig/of-another-template": { configItemValues: [["showTaxes", false]] },
    },
  };
  const sessionId = await client.open(project([article(1, "1.00")], { appData }));
  const optionsOf = async (templateKey: string, templateOptions: Json = {}): Promise<Json> =>
    client.data({ sessionId, templateKey, templateOptions });
  const remembered = await optionsOf("basket-standard-pro-fop");
  t.match(remembered["options"], {
    showLongText: false,
    articleImageSize: 30,
    footerAlign: "center",
    showTaxes: true,
  });
  t.match(remembered["errors"], [{ id: "template-option-ignored", scopes: ["WARN"], message: /diagonal/ }]);
  t.match(
    (await optionsOf("quote"))["options"],
    { showLongText: false },
    "they belong to the template, whichever of its names was asked for",
  );
  const requested = {
    showLongText: "true",
    articleImageSize: 25,
    extraImageSize: "-1",
    subject: "Offer",
    footerAlign: null,
  };
  t.match((await optionsOf("basket-standard-pro-fop", requested))["options"], {
    showLongText: true,
    articleImageSize: 25,
    extraImageSize: -1,
    subject: "Offer",
    footerAlign: "center",
  });
  const wrong = await client.post("data.json", {
    sessionId,
    templateKey: "quote",
    templateOptions: {
      showTaxes: "perhaps",
      articleImageSize: "7",
      footerAlign: "middle",
      subject: {},
    },
  });
  t.equal(wrong.status, 400);
  t.match(violations(wrong.json), {
    "body.templateOptions.showTaxes": "a boolean",
    "body.templateOptions.articleImageSize": /one of "-1"/,
    "body.templateOptions.footerAlign": /one of "left", "center", "right"/,
    "body.templateOptions.subject": "a string",
  });
});

t.test("pictures and the external reference come from the columns of the request", async (t) => {
  const asset = { mediaType: "image/png", base64: pixel, width: 1, height: 1 };
  const items = [
    article(1, "1.00", {
      fields: {
        [userImage]: "user",
        [articleImage]: "article",
        [firstExtraImage]: "extra",
        [externalItemNumber]: "E-1",
        [id(700)]: "R-1",
      },
      images: [
        { tag: "default", asset: "front" },
        { tag: "side", asset: "side" },
      ],
    }),
    article(2, "1.00", { fields: { [articleImage]: "gone" }, images: [{ tag: "default", asset: "front" }] }),
    article(3, "1.00", { fields: { [firstExtraImage]: "gone" } }),
  ];
  const assets = { user: asset, article: asset, extra: asset, front: asset, side: asset };
  const sessionId = await client.open(project(items, { assets }));
  const sources = (data: Json, at: number): unknown => {
    const image = allItems(data)[at]?.["image"];
    return isJson(image) ? image["source"] : image;
  };
  const standard = await client.data({ sessionId });
  t.same(
    [0, 1, 2].map((at) => sources(standard, at)),
    [articleImage, "default", null],
  );
  t.match(allItems(standard)[0], {
    image: { url: /^\/assets\/[0-9a-f]{64}$/, width: 1, height: 1 },
    extraImages: [{ source: firstExtraImage }],
    externalReference: "",
  });
  t.match(standard["errors"], [
    {
      id: "item-image-error",
      scopes: ["WARN"],
      additionalInformation: { itemId: id(2), source: articleImage },
    },
    {
      id: "item-image-error",
      scopes: ["ERROR"],
      additionalInformation: { itemId: id(3), source: firstExtraImage },
    },
  ]);
  const chosen = await client.data({
    sessionId,
    preferredImageColumn: userImage,
    imageColumns: [],
    externalRefColumn: id(700),
  });
  t.match(allItems(chosen)[0], { image: { source: userImage }, extraImages: [], externalReference: "R-1" });
  const byTag = await client.data({
    sessionId,
    preferredImageColumn: id(701),
    imageOptions: ["tag=side", "zoom=30", "shadowPlane.color=1,1,1", "colour=red", "nonsense", "tag="],
  });
  t.equal(sources(byTag, 0), "side");
  const ignored = (Array.isArray(byTag["errors"]) ? byTag["errors"].filter(isJson) : []).filter(
    (error) => error["id"] === "image-option-ignored",
  );
  t.match(
    ignored.map((error) => [error["type"], error["scopes"], error["additionalInformation"]]),
    ["zoom=30", "shadowPlane.color=1,1,1", "colour=red", "nonsense", "tag="].map((option) => [
      "image",
      ["WARN"],
      { option },
    ]),
  );
});

t.test("data is passed on unmodified", async (t) => {
  const extra = {
    list: [1, "two", null, { deep: true }],
    "<b>": "</script>",
    constructor: { prototype: 1 },
  };
  const sessionId = await client.open(project([article(1, "1234.50")]));
  t.same(await client.data({ sessionId, data: extra }).then((data) => data["data"]), extra);
  t.same((await client.data({ sessionId, something: "else" }))["data"], {}, "unknown members do no harm");
});

t.test("all lines of an article's price sheet are there for templates that ask for them", async (t) => {
  const sessionId = await client.open(project([article(1, "12.50")]));
  const linesFor = async (templateKey: string): Promise<unknown[]> =>
    each(await client.data({ sessionId, templateKey }), "calculationLines").flat();
  t.match(
    (await linesFor("label")).find((line) => isJson(line) && line["level"] === 200),
    { label: "Gross Value", tags: ["GROSS_SALES_PRICE"], value: "12.50" },
  );
  t.same(await linesFor("quote"), []);
});

t.test(
  "prices: details, sub totals, alternatives, sets, pseudo articles and what cannot be read",
  async (t) => {
    const priced = (base: string, components: Json[]): Json => ({
      productPrices: [{ side: "sales", base: { value: base, currency: "EUR" }, components }],
    });
    const surcharge = {
      label: [{ lang: "en", value: "Leather" }],
      amount: { kind: "money", value: "20.00", currency: "EUR" },
    };
    const part = (number: number, price: string, more: Json = {}): Json => article(number, price, more);
    const items = [
      {
        type: "folder",
        id: id(1),
        name: [{ lang: "en", value: "Room" }],
        showSubTotal: true,
        children: [
          article(2, "", { ...priced("100.00", [surcharge]), quantity: { value: "2", unit: "C62" } }),
          article(3, "70.00", { inactive: [{ kind: "alternative" }] }),
          article(4, "80.00", { inactive: [{ scheme: "OTHER", kind: "optional" }] }),
        ],
      },
      {
        type: "setArticle",
        id: id(5),
        quantity: { value: "3", unit: "C62" },
        collapsed: true,
        children: [part(6, "10.00"), part(7, "5.00", { inactive: [{ kind: "optional" }] })],
      },
      article(8, "0.00", {
        pseudoArticle: true,
        productPrices: [],
        children: [part(9, "40.00", { mainArticleId: id(8) })],
      }),
      article(10, "", { productPrices: [{ side: "sales", base: { value: "9.00", currency: "USD" } }] }),
      article(11, "", { productPrices: [] }),
    ];
    const conditions = [
      { itemId: id(2), level: 211, counter: 0, amount: { kind: "percentage", value: "-10" } },
      {
        level: 410,
        counter: 0,
        amount: { kind: "percentage", value: "-5" },
        label: [{ lang: "en", value: "Project discount" }],
      },
    ];
    const sessionId = await client.open(project(items, { conditions }));
    const data = await client.data({ sessionId });
    const [folder, chair, alternative, other, set, , optional, pseudo, , foreign, free] = allItems(data);
    t.equal(folder?.["subTotal"], "296.00", "216.00 and 80.00, not the alternative");
    t.match(chair, {
      unitPrice: "108.00",
      totalPrice: "216.00",
      priceDetails: [
        { kind: "base", unitPrice: "100.00", totalPrice: "200.00", percentage: null },
        { kind: "variant", label: "Leather", unitPrice: "20.00", totalPrice: "40.00" },
        { kind: "discount", percentage: "-10", unitPrice: "-12.00", totalPrice: "-24.00" },
        { kind: "net", unitPrice: "108.00", totalPrice: "216.00" },
      ],
    });
    t.match(alternative, { status: "alternative", totalPrice: "70.00", priceDetails: [] });
    t.match(other, { status: "active" }, "an optional position of another scheme");
    t.match(set, { articleType: "setArticle", collapsed: true, totalPrice: "30.00", unitPrice: "10.00" });
    t.match(optional, { status: "optional", isPart: true, quantity: "3", totalPrice: "15.00" });
    t.match(pseudo, { isPseudo: true, unitPrice: null, totalPrice: null });
    t.match(
      (Array.isArray(pseudo?.["pseudoCalculationLines"]) ? pseudo["pseudoCalculationLines"] : []).filter(
        (line) => isJson(line) && Array.isArray(line["tags"]) && line["tags"].includes("ITEM_NET_VALUE"),
      ),
      [{ value: "40.00" }],
    );
    t.match(free, { totalPrice: null }, "no price is not a price of zero");
    t.equal(foreign?.["totalPrice"], null);
    t.match(data["errors"], [
      { id: "item-price-error", type: "item", additionalInformation: { itemId: id(10) } },
    ]);
    t.match(totals(data), {
      itemNet: "366.00",
      headerDiscounts: [{ label: "Project discount", percentage: "-5", value: "-18.30" }],
      net: "347.70",
      taxes: [{ rate: "19", base: "347.70", value: "66.06" }],
      eco: null,
      rounding: null,
      total: "413.76",
    });
  },
);

t.test("sheets that the sender computed count as they are", async (t) => {
  const money = (value: string): Json => ({ value, currency: "EUR" });
  const sheet = (net: string): Json => ({
    currency: "EUR",
    lines: [
      { level: 400, counter: 0, label: [], value: money(net) },
      { level: 500, counter: 0, label: [], value: money(net) },
      { level: 530, counter: 0, label: [], value: money(net) },
    ],
  });
  const calculations = [
    { scheme: "STDB2B_WBK", header: sheet("777.00"), items: { [id(1)]: sheet("777.00") } },
  ];
  const sessionId = await client.open(project([article(1, "1.00"), article(2, "1.00")], { calculations }));
  const data = await client.data({ sessionId });
  t.equal(totals(data)["total"], "777.00");
  t.same(each(data, "totalPrice"), ["777.00", null]);
  t.match(data["errors"], [{ id: "item-price-error", additionalInformation: { itemId: id(2) } }]);
});

t.test("requests that cannot be answered", async (t) => {
  const sessionId = await client.open(project([article(1, "1.00")]));
  const refused = async (path: string, body: Json, status: number, expected: Json): Promise<Json> => {
    const answer = await client.post(path, body);
    t.equal(answer.status, status, `${path} ${JSON.stringify(body).slice(0, 60)}`);
    t.match(answer.json, { code: status, scopes: [], ...expected });
    return answer.json;
  };
  const unknown = randomUUID();
  const missing = await refused("template/quote/v1/generate", { sessionId: unknown }, 422, {
    id: "request-session-not-found",
    type: "request",
    cause: [],
    additionalInformation: {},
  });
  t.same(Object.keys(missing).sort(), [
    "additionalInformation",
    "cause",
    "code",
    "id",
    "message",
    "scopes",
    "type",
  ]);
  for (const path of ["generate", "data.json"]) {
    const keyless = await refused(path, { sessionId }, 400, { id: "request-bad-request" });
    t.same(Object.keys(violations(keyless)), ["body.templateKey"]);
  }
  const wrong = await refused(
    "template/quote/data.json",
    {
      sessionId,
      viewId: 1,
      pageBreaks: [{ posNo: "1", value: "over" }],
      items: "all",
      imageColumns: ["x"],
      data: [],
    },
    400,
    { id: "request-bad-request" },
  );
  t.same(Object.keys(violations(wrong)).sort(), [
    "body.data",
    "body.imageColumns[0]",
    "body.items",
    "body.pageBreaks[0].value",
    "body.viewId",
  ]);
  const two = await refused("template/quote/v1/generate", { sessionId, templateKey: "other" }, 400, {});
  t.same(Object.keys(violations(two)), ["body.templateKey"]);
  await refused("template/none/v1/generate", { sessionId }, 404, { id: "request-template-not-found" });
  await refused("data.json", { sessionId, templateKey: "none" }, 404, { id: "request-template-not-found" });
  const quote = { sessionId, templateKey: "quote" };
  await refused("generate", { ...quote, viewId: id(404) }, 422, { id: "request-view-not-found" });
  await refused("generate", { ...quote, calculationScheme: "NONE" }, 422, {
    id: "request-calculation-not-found",
  });
  const locale = await refused("generate", { ...quote, dateTimeLocale: "nowhere in particular" }, 400, {});
  t.same(Object.keys(violations(locale)), ["body.dateTimeLocale"]);
  const empty = await client.open(project([]));
  await refused("generate", { ...quote, sessionId: empty }, 422, { id: "project-empty", type: "project" });
  t.same(errorIds(missing), [], "aborting errors stand alone");
});
