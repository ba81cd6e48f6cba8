/** The reporter through HTTP: every operation, the effect of every request field, and its errors. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { repository, startHost } from "../start-host.js";
import { shippedTemplates } from "../templates/shipped-templates.js";
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
  sampleFile,
} from "./reporter-client.js";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const articleImage = "73bd68f4-da62-11d8-b9d6-00e081513ada";
const userImage = "cc080d73-88f4-4bfc-8ec1-e7e2ad30739a";
const firstExtraImage = "7423b6f0-d424-48b3-b75c-9fc5c61992c1";
const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";

let served: Uint8Array = new Uint8Array();
const links = createServer((request, response) => {
  const found = request.url === "/terms.pdf";
  response.writeHead(found ? 200 : 404, { "Content-Type": "application/pdf" }).end(found ? served : "");
});
links.listen(0, "127.0.0.1");
await once(links, "listening");
const address = links.address();
const linkHost = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

/** A template without options that takes no page breaks and prints what the request adds. */
const ownTemplates = await mkdtemp(join(tmpdir(), "slipway-templates-"));
async function writeLabel(version: string): Promise<void> {
  const folder = join(ownTemplates, "label");
  await mkdir(join(folder, "i18n"), { recursive: true });
  await writeFile(join(folder, "template.json"), JSON.stringify(labelDefinition(version)));
  await writeFile(
    join(folder, "report.ejs"),
    "<p><%= d.data.data.greeting %> <%= d.data.items.length %></p>",
  );
  await writeFile(join(folder, "style.css"), "p { color: black }");
  await writeFile(join(folder, "i18n", "en.json"), JSON.stringify({ title: "Label" }));
}

function labelDefinition(version: string): Json {
  return {
    key: "label",
    aliases: [],
    name: { en: "Label" },
    description: { en: "Prints a greeting" },
    category: { key: "other", name: { en: "Other" } },
    version,
    sortWeight: -1,
    pageBreaksDisabled: true,
    calculationLines: true,
    options: { categories: [] },
  };
}
await writeLabel("1.0.0");

const host = await startHost({
  configuration: { fetch: { allowedInternalHosts: [linkHost] } },
  templates: [join(repository, "templates"), ownTemplates],
});
const client = new ReporterClient(host.url);
t.teardown(async () => {
  links.close();
  await host.stop();
  await rm(ownTemplates, { recursive: true, force: true });
});

const demo = await client.open(await demoFile("json"));

function positions(data: Json): unknown[] {
  return each(data, "position");
}

function totals(data: Json): Json {
  return isJson(data["totals"]) ? data["totals"] : {};
}

/** The violations of a 400 by path. */
function violations(json: Json): Record<string, unknown> {
  const info = json["additionalInformation"];
  const list = isJson(info) && Array.isArray(info["violations"]) ? info["violations"].filter(isJson) : [];
  return Object.fromEntries(list.map((each) => [each["path"], each["expected"]]));
}

t.test("lists templates by category, in the language of the session", async (t) => {
  const all = async (query: string): Promise<Json[]> => {
    const answer = await client.get(`templates.json${query}`);
    t.equal(answer.status, 200, query);
    return Array.isArray(answer.json["list"]) ? answer.json["list"].filter(isJson) : [];
  };
  const [quote] = (await all("")).filter((template) => template["key"] === "quote");
  t.match(quote, {
    templateKey: "quote",
    name: "Quote",
    category: { key: "default", name: String },
    description: String,
    pageBreaksDisabled: false,
    properties: [],
    sortWeight: Number,
    source: "server",
    version: String,
    views: [],
  });
  const german = await client.open(await demoFile("json"), "de_DE");
  const keysOf = (templates: Json[]): unknown[] => templates.map((template) => template["key"]);
  t.match(await all(`?sessionId=${german}`), [{ key: "quote", name: "Angebot" }]);
  const shipped = await shippedTemplates();
  t.same(keysOf(await all("?category=*")).sort(), ["label", ...shipped].sort());
  t.same(keysOf(await all("?category=other,%20default&authToken=")).sort(), ["label", ...shipped].sort());
  t.match(await all("?category=other"), [{ key: "label", version: "1.0.0", pageBreaksDisabled: true }]);
  t.same(await all("?category=none"), []);
  await writeLabel("1.0.1");
  t.match(await all("?category=other&update"), [{ key: "label", version: "1.0.1" }], "update reloads");
  const store = await client.get("templates.json?authToken=abc&owdsURL=https%3A%2F%2Fstore.example");
  t.match(
    [store.status, store.json],
    [200, { list: [{ key: "quote" }] }],
    "a store that is not allowed takes nothing",
  );
  const unknown = await client.get(`templates.json?sessionId=${randomUUID()}`);
  t.match([unknown.status, unknown.json], [422, { id: "request-session-not-found" }]);
});

t.test(
  "gives the options of a template by key or alias, labels in the language of the session",
  async (t) => {
    const german = await client.open(await demoFile("json"), "de_DE");
    const english = await client.get("template/basket-standard-pro-fop/options.json");
    t.equal(english.status, 200);
    t.match(english.json, {
      options: { attachments: {}, categories: [{ key: "letterhead", label: "Letterhead" }] },
    });
    const other = await client.get("options.json?templateKey=quote");
    t.same(other.json, english.json, "both paths answer the same");
    const inGerman = await client.get(`options.json?templateKey=quote&sessionId=${german}`);
    t.match(inGerman.json, { options: { categories: [{ key: "letterhead", label: "Briefkopf" }] } });
    const missing = await client.get("options.json");
    t.match([missing.status, Object.keys(violations(missing.json))], [400, ["query.templateKey"]]);
    for (const path of ["template/none/options.json", "options.json?templateKey=none"]) {
      const unknown = await client.get(path);
      t.match([unknown.status, unknown.json], [404, { id: "request-template-not-found", scopes: [] }]);
    }
  },
);

t.test("generates a PDF through each of its paths", async (t) => {
  const body = { sessionId: demo, calculationScheme: "STDB2B_WBK" };
  const answer = await client.post("template/basket-standard-pro-fop/v1/generate", body);
  t.equal(answer.status, 200);
  t.equal(answer.mediaType, "application/json");
  t.same(Object.keys(answer.json).sort(), ["name", "url"], "no errors, no `errors`");
  t.match(answer.json["name"], /^Harbourlight_Media_new_second_floor_Q-2026-1187_\d{6}-\d{6}\.pdf$/);
  t.match(answer.json["url"], new RegExp(`^${host.url}/files/[^/]+/Harbourlight_Media.*\\.pdf$`));
  const pages = await client.pages(answer.json["url"]);
  const data = await client.data(body);
  t.equal(totals(data)["total"], "36036.85");
  for (const part of ["Harbourlight Media", "EUR 36,036.85", "Task chair Aro, mesh back", "Open workspace"]) {
    t.ok(pages.join(" ").includes(part), part);
  }
  const byBody = await client.post("generate", { ...body, templateKey: "quote", filename: "mine" });
  t.match([byBody.status, byBody.json], [200, { name: "mine.pdf" }]);
  const old = await client.post("template/quote/generate", body);
  t.equal(old.mediaType, "text/plain");
  t.match((await client.pages(old.text))[0], /Harbourlight/);
});

t.test("the same project prints the same in each of its forms", async (t) => {
  const printed = async (file: Uint8Array<ArrayBuffer>): Promise<string[]> => {
    const sessionId = await client.open(file);
    const { json } = await client.post("generate", { sessionId, templateKey: "quote" });
    return client.pages(json["url"]);
  };
  const fromJson = await printed(await demoFile("json"));
  t.ok(fromJson.length > 1);
  t.same(await printed(await demoFile("obk")), fromJson, "OBK");
});

const obk = await sampleFile("one-article-with-contact.obk");
const obx = await sampleFile("one-article.obx");
const skip = obk === undefined || obx === undefined ? "the sample files are not at hand" : false;
t.test("real project files print their texts and prices", { skip }, async (t) => {
  if (obk === undefined || obx === undefined) return;
  const sessionId = await client.open(obk);
  const body = { sessionId, calculationScheme: "STDB2B_WBK" };
  const { json } = await client.post("template/basket-standard-pro-fop/v1/generate", body);
  const text = (await client.pages(json["url"])).join(" ");
  for (const part of ["Steelforce Pro 310 HC", "359.35", "71.87", "431.22"]) t.ok(text.includes(part), part);
  const asJson = await fetch(`${host.url}/api/sessions/${sessionId}/project?assets=inline`);
  const copy = await client.open(new Uint8Array(await asJson.arrayBuffer()));
  const again = await client.post("generate", { sessionId: copy, templateKey: "quote" });
  t.equal((await client.pages(again.json["url"])).join(" "), text, "the same project as JSON");
  const fromObx = await client.post("generate", { sessionId: await client.open(obx), templateKey: "quote" });
  const obxText = (await client.pages(fromObx.json["url"])).join(" ");
  for (const part of ["VLTSB5DCBC1111I", "Monitor arm (desk mounted)", "Colour: Silver/white", "495.00"]) {
    t.ok(obxText.includes(part), part);
  }
});

t.test("views, filters and page breaks", async (t) => {
  const own = await client.data({ sessionId: demo });
  t.match(own["view"], { name: "WBK-Standard" }, "the project's default view");
  t.ok(positions(own).includes("2.1.2"));
  const view = {
    id: id(900),
    name: "Merged",
    displayMode: "sorted",
    mergeMode: "Articles",
    setArticleMode: "Expand",
    showTexts: true,
    showNonOffer: true,
    showNonOrder: true,
    hiddenDiscounts: false,
    expand: [],
    items: [],
  };
  const twin = { baseArticleNumber: "T", productDescription: { shortText: [{ lang: "en", value: "Twin" }] } };
  const room = {
    type: "folder",
    id: id(3),
    name: [{ lang: "en", value: "Room" }],
    children: [article(4, "50.00")],
  };
  const small = project([article(1, "10.00", twin), article(2, "10.00", twin), room], { views: [view] });
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
  const plain = await client.post("generate", { templateKey: "quote", sessionId });
  const apart = await client.post("generate", { templateKey: "quote", sessionId, pageBreaks });
  t.equal((await client.pages(plain.json["url"])).length, 1);
  t.equal((await client.pages(apart.json["url"])).length, 2, "one break between the two, not two");
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
      unknown: 1,
      showTaxes: "perhaps",
      articleImageSize: "7",
      footerAlign: "middle",
      subject: {},
    },
  });
  t.equal(wrong.status, 400);
  t.match(violations(wrong.json), {
    "body.templateOptions.unknown": /as key/,
    "body.templateOptions.showTaxes": "a boolean",
    "body.templateOptions.articleImageSize": /one of "-1"/,
    "body.templateOptions.footerAlign": /one of "left", "center", "right"/,
    "body.templateOptions.subject": "a string",
  });
  const hidden = { showTaxes: false, subject: "Your quote" };
  const { json } = await client.post("generate", {
    sessionId,
    templateKey: "quote",
    templateOptions: hidden,
  });
  const text = (await client.pages(json["url"])).join(" ");
  t.match(text, /Your quote/);
  t.notMatch(text, /19%/);
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

t.test("data is passed on unmodified, locales and file names are followed", async (t) => {
  const extra = {
    list: [1, "two", null, { deep: true }],
    "<b>": "</script>",
    constructor: { prototype: 1 },
  };
  const sessionId = await client.open(
    project([article(1, "1234.50")], { header: { projectDate: "2026-11-20" } }),
  );
  t.same(await client.data({ sessionId, data: extra }).then((data) => data["data"]), extra);
  t.same((await client.data({ sessionId, something: "else" }))["data"], {}, "unknown members do no harm");
  const printed = async (body: Json): Promise<string> => {
    const { json } = await client.post("generate", { templateKey: "quote", sessionId, ...body });
    return (await client.pages(json["url"])).join(" ");
  };
  t.match(await printed({}), /EUR 1,234\.50/);
  const german = await printed({ dateTimeLocale: "de_DE" });
  t.match(german, /EUR 1\.234,50/);
  t.match(german, /20\.11\.26/);
  t.match(german, /Total price/, "only formats change");
  const names: [string | undefined, RegExp][] = [
    [undefined, /^Report_\d{6}-\d{6}\.pdf$/],
    ["Offer 1", /^Offer 1\.pdf$/],
    ["offer.PDF", /^offer\.pdf$/],
    ["../../etc/pass:wd", /^[^/\\:]+\.pdf$/],
    [" .pdf", /^Report_\d{6}-\d{6}\.pdf$/],
    ["Größe „groß“ 椅子", /^Größe „groß“ 椅子\.pdf$/u],
  ];
  for (const [filename, expected] of names) {
    const body = { templateKey: "quote", sessionId, ...(filename === undefined ? {} : { filename }) };
    const { json } = await client.post("generate", body);
    t.match(json["name"], expected);
    t.equal((await fetch(String(json["url"]))).status, 200, String(json["name"]));
  }
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

t.test("a template without page breaks and options", async (t) => {
  const sessionId = await client.open(project([article(1, "1.00")]));
  const body = { sessionId, templateKey: "label", data: { greeting: "Good day" } };
  const breaks = { pageBreaks: [{ posNo: "1", value: "after" }] };
  const answer = await client.post("generate", { ...body, ...breaks });
  t.match(await client.pages(answer.json["url"]), [/Good day 1/]);
  t.match(answer.json["errors"], [{ id: "page-break-ignored", type: "page", scopes: ["WARN"] }]);
  t.match((await client.data(body))["options"], {});
  const bare = await client.post("generate", { sessionId, templateKey: "label" });
  t.match([bare.status, bare.json["id"]], [200, undefined], "data is an empty object by default");
});

t.test("links are put before and after the report; one that fails does not end it", async (t) => {
  const sessionId = await client.open(project([article(1, "1.00")]));
  const terms = await client.open(
    project([article(1, "1.00")], { header: { name: "Terms and conditions" } }),
  );
  const { json } = await client.post("generate", { templateKey: "quote", sessionId: terms });
  served = new Uint8Array(await (await fetch(String(json["url"]))).arrayBuffer());
  const link = `http://${linkHost}/terms.pdf`;
  const answer = await client.post("generate", {
    templateKey: "quote",
    sessionId,
    prependLinks: [link],
    appendLinks: [`http://${linkHost}/missing.pdf`, link],
  });
  const pages = await client.pages(answer.json["url"]);
  t.same(
    pages.map((page) => /Terms and conditions/.test(page)),
    [true, false, true],
  );
  t.match(answer.json["errors"], [{ id: "attachment-error", type: "attachment", scopes: ["ERROR"] }]);
});

t.test("a text that cannot be read is reported and the report still comes", async (t) => {
  const unreadable = { shortText: [{ lang: "en", value: "<p>Oak <b>table</p>", format: "iml" }] };
  const fallback = {
    shortText: [
      { lang: "en", value: "{broken", format: "json" },
      { lang: "de", value: "Stuhl" },
    ],
  };
  const items = [
    article(1, "5.00", { productDescription: unreadable }),
    article(2, "5.00", { productDescription: fallback }),
  ];
  const header = { name: "Rich", headerText: [{ lang: "en", value: "<a", format: "xml" }] };
  const sessionId = await client.open(project(items, { header }));
  const answer = await client.post("generate", { templateKey: "quote", sessionId });
  t.equal(answer.status, 200);
  t.match(answer.json["errors"], [
    { id: "project-text-error", type: "project", additionalInformation: { field: "headerText" } },
    {
      id: "item-text-error",
      type: "item",
      scopes: ["ERROR"],
      message: new RegExp(`${id(1)}.*shortText`),
      cause: [/iml/],
      additionalInformation: { itemId: id(1), field: "shortText", lang: "en" },
    },
    { id: "item-text-error", additionalInformation: { itemId: id(2) } },
  ]);
  t.notOk(isJson(answer.json["errors"]) || "code" in answer.json, "suppressed errors carry no code");
  const text = (await client.pages(answer.json["url"])).join(" ");
  t.match(text, /A-1 /);
  t.match(text, /Stuhl/, "the next best language takes its place");
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
