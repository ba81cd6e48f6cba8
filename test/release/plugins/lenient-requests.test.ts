/** What clients in the field send that is not quite what the interface asks for: over HTTP, and the same to a test host. */
import { request } from "node:http";
import { join } from "node:path";
import { createTestHost, emptyProject, type TestHost } from "@slipway/sdk/testing";
import t, { type Test } from "tap";
import { listOf } from "../../plugins/oex-client.js";
import { isJson, type Json, type PluginClient, pluginClient } from "../../plugins/plugin-client.js";
import { oexInMemory, reporterInMemory, shippedTemplate } from "../../plugins/plugins-in-memory.js";
import { article, errorIds, project, violations } from "../../plugins/reporter-client.js";
import answering from "../../sdk/parity/answering/index.js";
import greeting from "../../sdk/parity/greeting/index.js";
import { repository, startHost } from "../../start-host.js";

const host = await startHost({
  plugins: [join(repository, "plugins"), join(repository, "test", "sdk", "parity")],
  templates: [join(repository, "templates")],
  configuration: {
    plugins: { config: { reporter: { listAliases: true } } },
    cors: { origins: ["https://app.example.com"] },
  },
});
t.teardown(() => host.stop());

type Plugin = "Reporter" | "oex" | "Answering";

const templates = await Promise.all(["quote", "order"].map(shippedTemplate));
const inMemory: Record<Plugin, () => Promise<TestHost>> = {
  Reporter: () => reporterInMemory(templates, { listAliases: true }),
  oex: () => oexInMemory(),
  Answering: () =>
    createTestHost({
      plugin: answering,
      name: "Answering",
      config: { unit: "pieces" },
      others: [{ plugin: greeting, name: "Greeting", version: "2.1.0", aliases: ["hello"] }],
    }),
};

/** The same over HTTP and to a test host. */
function both(plugin: Plugin, name: string, run: (t: Test, client: PluginClient) => Promise<void>): void {
  t.test(`${name}, over HTTP`, (t) => run(t, pluginClient(host.url, plugin)));
  t.test(`${name}, in a test host`, async (t) => {
    const kit = await inMemory[plugin]();
    t.teardown(() => kit.stop());
    await run(t, pluginClient(kit, plugin));
  });
}

const chair = project([article(1, "12.50")]);

both("Answering", "null counts as absent where a member may be left out", async (t, client) => {
  const becomes = async (what: string, given: Json, expected: Json): Promise<void> => {
    const { status, json } = await client.post("members", { name: "Ada", ...given });
    const usual = { name: "Ada", count: 1, data: {} };
    t.strictSame([status, json], [200, { body: { ...usual, ...expected } }], what);
  };
  await becomes("an optional member", { comment: null, choice: null, texts: null }, {});
  await becomes("one with a default", { count: null, data: null }, {});
  await becomes("one of an object", { inner: { name: "i", comment: null } }, { inner: { name: "i" } });
  await becomes(
    "of an element",
    { list: [{ price: 1, unit: null }, { price: 2 }] },
    { list: [{ price: 1 }, { price: 2 }] },
  );
  await becomes("of a tuple", { pair: [{ a: null }, "b"] }, { pair: [{}, "b"] });
  await becomes("of a record", { texts: { de: null, en: "text" } }, { texts: { en: "text" } });
  await becomes("of an intersection", { both: { a: null, b: null } }, { both: {} });
  await becomes(
    "null where the schema has it",
    { nullable: null, anything: null },
    { nullable: null, anything: null },
  );
  const free = { a: null, b: [null, { c: null }] };
  await becomes("free data", { data: free, anything: free }, { data: free, anything: free });
  await becomes(
    "the form of a union that a name tells",
    {
      notes: [
        { type: "text", text: "t", language: null },
        { type: "mark", language: null },
      ],
    },
    {
      notes: [
        { type: "text", text: "t" },
        { type: "mark", language: null },
      ],
    },
  );
  await becomes(
    "the form of a union that its members tell",
    {
      sizes: [
        { width: 1, unit: null },
        { diameter: 1, unit: null },
      ],
    },
    { sizes: [{ width: 1 }, { diameter: 1, unit: null }] },
  );
  const deepFolder = (levels: number, more: Json): Json =>
    levels === 0 ? { name: "f", ...more } : { name: "f", ...more, folders: [deepFolder(levels - 1, more)] };
  const many = <T>(element: T): T[] => Array.from({ length: 15_000 }, () => element);
  await becomes(
    "a large body",
    {
      list: many({ price: 1, unit: null }),
      notes: many({ type: "mark" }),
      sizes: [{ width: 1, unit: null }],
    },
    { list: many({ price: 1 }), notes: many({ type: "mark" }), sizes: [{ width: 1 }] },
  );
  await becomes("a tree", { folder: deepFolder(40, { comment: null }) }, { folder: deepFolder(40, {}) });
});

both("Answering", "null for a required member is told, and unknown members stay", async (t, client) => {
  const refused = async (body: Json): Promise<unknown[]> => {
    const { status, json } = await client.post("members", body);
    t.equal(status, 400);
    const info = json["additionalInformation"];
    return listOf(isJson(info) ? info["violations"] : []).map((each) => Object.values(each));
  };
  t.strictSame(await refused({ name: null, comment: null }), [["body.name", "a string", "null"]]);
  t.strictSame(await refused({ name: "a", other: null }), [["body.other", "no such field", "null"]]);
  t.strictSame(await refused({ name: "a", inner: { name: null }, list: [null, { price: null }] }), [
    ["body.inner.name", "a string", "null"],
    ["body.list[0]", "an object", "null"],
    ["body.list[1].price", "a number", "null"],
  ]);
  t.match(await refused({ name: "a", notes: [{ type: "text", text: null }] }), [
    ["body.notes[0].text", "a string", "null"],
  ]);
  let deep: Json = {};
  for (let level = 0; level < 1000; level++) deep = { inner: deep, comment: null };
  t.match(await refused({ name: "a", inner: deep }), [["body", /levels of nesting/]]);
});

both("Answering", "null names no session", async (t, client) => {
  const sessionId = await client.open({ ...emptyProject() }, "de_DE");
  const optional = await client.post("optional-session", { sessionId: null });
  t.match(optional, { status: 200, json: { id: "none", locale: "en" } });
  const inQuery = await client.post(`optional-session?sessionId=${sessionId}`, { sessionId: null });
  t.match(inQuery, { status: 200, json: { id: sessionId } });
  const required = await client.post("session", { sessionId: null, count: null });
  t.match(required, { status: 400, json: { message: /body\.sessionId` must be a string, but is null\.$/ } });
});

both("Reporter", "a serializer writes null for what a report does without", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  const absent = [
    ...[
      "calculationScheme",
      "preferredImageColumn",
      "viewId",
      "externalRefColumn",
      "data",
      "items",
      "filename",
    ],
    ...[
      "matchBasketItemIds",
      "imageOptions",
      "imageColumns",
      "pageBreaks",
      "templateOptions",
      "prependLinks",
    ],
    ...["appendLinks", "dateTimeLocale", "templateKey"],
  ];
  const body = { sessionId, ...Object.fromEntries(absent.map((name) => [name, null])) };
  const given = await client.post("template/quote/data.json", body);
  const plain = await client.post("template/quote/data.json", { sessionId });
  t.equal(given.status, 200, given.text);
  const { generated: _, ...expected } = plain.json;
  t.match(given.json, expected);
  const data = { a: null, b: { c: [null] } };
  t.strictSame((await client.post("template/quote/data.json", { sessionId, data })).json["data"], data);
});

both("oex", "a serializer writes null for what an export does without", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  const address = { addressType: "SoldTo", name1: "Ada", name2: null, contacts: null, commAddresses: null };
  const config = {
    ...{ attachPDF: null, attachOBX: null, documentType: null, addresses: [address], manufacturerIds: null },
    ...{ manufacturerId: null, appName: null, appVersion: null, clientNo: null },
  };
  const exported = await client.post("export", { sessionId, imageOptions: null, config });
  t.match(exported, { status: 200, json: { name: /^oex-orders/, obx: Object, items: Array } }, exported.text);
  t.equal((await client.post("export", { sessionId, config: null })).status, 200);
  const wrong = await client.post("export", { sessionId, config: { addresses: [{ addressType: null }] } });
  t.equal(wrong.status, 400);
  t.match(Object.keys(violations(wrong.json)), ["body.config.addresses[0].addressType"]);
});

t.test("null for a workbook's settings", async (t) => {
  const client = pluginClient(host.url, "excel");
  const sessionId = await client.open(chair, "en_GB");
  const body = { sessionId, sheetSettings: { articleStartRow: null }, hideTaxes: null, hideLineTags: null };
  t.match(await client.post("v1/exportCSV/articlelist", body), { status: 200, json: { name: /\.csv$/ } });
});

both("Reporter", "options of another template are told of, and the report comes", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  const data = async (templateOptions: Json) =>
    await client.post("data.json", { sessionId, templateKey: "quote", templateOptions });
  const { status, json } = await data({ showLongTxt: true, colourOfTheLogo: 1, showTaxes: "false" });
  t.equal(status, 200);
  t.match(json["options"], { showTaxes: false });
  t.match(listOf(json["errors"]), [
    {
      ...{ id: "template-option-unknown", type: "template", scopes: ["WARN"] },
      message: 'The template has no option "showLongTxt" of `templateOptions`. Did you mean "showLongText"?',
      additionalInformation: { option: "showLongTxt" },
    },
    { message: /has no option "colourOfTheLogo" of `templateOptions`\. It has .*showTaxes/ },
  ]);
  const wrong = await data({ colourOfTheLogo: 1, showTaxes: "perhaps" });
  t.equal(wrong.status, 400);
  t.strictSame(Object.keys(violations(wrong.json)), ["body.templateOptions.showTaxes"]);
  const many = await data(
    Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`o${index}`, index])),
  );
  t.equal(many.status, 200);
  const told = listOf(many.json["errors"]);
  t.equal(told.length, 100);
  t.match(told.at(-1), {
    message: /4900 more like it are not listed/,
    additionalInformation: { more: 4900 },
  });
  const long = await data({ ["x".repeat(500_000)]: 1 });
  t.equal(long.status, 200);
  t.strictSame(errorIds(long.json), ["template-option-unknown"]);
});

both("oex", "members that the configuration does not have are told of", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  const exported = async (config: Json) => await client.post("export", { sessionId, config });
  const address = { addressType: "SoldTo", name1: "Ada", nick: "A" };
  const { status, json } = await exported({ attachPdf: true, unit: 1, addresses: [address] });
  t.equal(status, 200);
  t.notOk(json["pdf"]);
  t.match(
    listOf(json["errors"]).filter(({ id }) => id === "config-member-unknown"),
    [
      {
        ...{ type: "config", scopes: ["WARN"], additionalInformation: { field: "config.attachPdf" } },
        message: '`config` has no member "attachPdf", which was ignored. Did you mean "attachPDF"?',
      },
      { message: /has no member "unit", which was ignored\. GET config\.json lists/ },
      { additionalInformation: { field: "config.addresses[0].nick" } },
    ],
  );
  t.equal((await exported({ unit: 1, attachPDF: "yes" })).status, 400, "a known one of another type");
  const many = await exported(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at])));
  const told = listOf(many.json["errors"]).filter(({ id }) => id === "config-member-unknown");
  t.equal(told.length, 100);
  t.match(told.at(-1), { additionalInformation: { more: 4900 } });
});

both("Reporter", "two keys of one template are no contradiction", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  const alias = "basket-standard-pro-fop";
  const asked = async (path: string, body: string): Promise<unknown> => {
    const answer = await client.post(`template/${path}/data.json`, { sessionId, templateKey: body });
    return answer.status === 200 ? answer.status : Object.keys(violations(answer.json));
  };
  t.equal(await asked("quote", alias), 200);
  t.equal(await asked(alias, "quote"), 200);
  t.equal(await asked(alias, alias), 200);
  const [one = "", other = ""] = templates[0]?.aliases ?? [];
  t.not(one, other);
  t.equal(await asked(one, other), 200, "two aliases");
  t.strictSame(await asked("quote", "order"), ["body.templateKey"]);
  t.strictSame(await asked("quote", "nothing"), ["body.templateKey"]);
  const unknown = await client.post("template/nothing/data.json", { sessionId, templateKey: "quote" });
  t.match(unknown, { status: 404, json: { id: "request-template-not-found" } });
});

both("Reporter", "one slash at the end of a path does not matter", async (t, client) => {
  const sessionId = await client.open(chair, "en_GB");
  t.equal((await client.get("templates.json/?category=*")).status, 200);
  t.equal((await client.get("template/quote/options.json/")).status, 200);
  t.equal((await client.post("data.json/", { sessionId, templateKey: "quote" })).status, 200);
  t.equal((await client.post("generate/", {})).status, 400);
  t.equal((await client.get("templates.json//")).status, 404);
});

both("Reporter", "templates are listed under their aliases where the server says so", async (t, client) => {
  const listed = listOf((await client.get("templates.json?category=*")).json["list"]);
  const quotes = listed.filter(({ name }) => name === "Quote" || name === "quote");
  t.strictSame(
    quotes.map(({ key, templateKey }) => [key, templateKey]),
    [
      ["quote", "quote"],
      ["basket-standard-pro-fop", "basket-standard-pro-fop"],
      ["pCon_basket_Standard", "pCon_basket_Standard"],
    ],
  );
  const [own, ...others] = quotes.map(({ key: _, templateKey: __, ...record }) => record);
  for (const other of others) t.strictSame(other, own);
  const none = await client.get("templates.json?category=none");
  t.strictSame(none.json["list"], []);
  const sessionId = await client.open(chair, "en_GB");
  for (const { key } of quotes) {
    t.equal((await client.get(`template/${key}/options.json`)).status, 200);
    t.equal((await client.post(`template/${key}/data.json`, { sessionId })).status, 200);
  }
});

t.test("without the setting, a template is listed once", async (t) => {
  const kit = await reporterInMemory(templates);
  t.teardown(() => kit.stop());
  const listed = await pluginClient(kit, "Reporter").get("templates.json?category=*");
  t.strictSame(
    listOf(listed.json["list"]).map(({ key }) => key),
    ["order", "quote"],
  );
});

t.test("a body is JSON by some types, and without a type for clients that are no browsers", async (t) => {
  const sessionId = await pluginClient(host.url, "oex").open(chair, "en_GB");
  const text = JSON.stringify({ sessionId });
  // A client's own words, because `fetch` adds a type to texts.
  const asked = (
    headers: Record<string, string>,
    path = "EAIWS/plugins/oex/manufacturers.json",
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const sized = "Transfer-Encoding" in headers ? {} : { "Content-Length": Buffer.byteLength(text) };
      request(`${host.url}/${path}`, { method: "POST", headers: { ...sized, ...headers } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on("error", reject)
        .end(text);
    });
  const typed = (type: string, more = {}): Promise<number> => asked({ "Content-Type": type, ...more });
  for (const type of [
    "application/json",
    "text/json",
    "text/json; charset=utf-8",
    "application/vnd.order+json",
  ])
    t.equal(await typed(type), 200, type);
  t.equal(await asked({}), 200, "no type");
  t.equal(await asked({ "Content-Type": "" }), 200, "an empty type");
  t.equal(await asked({ "Transfer-Encoding": "chunked" }), 200, "of no stated length");
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/xml",
  ])
    t.equal(await typed(type), 415, type);
  const pages = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "https://app.example.com" },
    { "Sec-Fetch-Site": "cross-site" },
  ];
  for (const page of pages) t.equal(await asked(page), 415, JSON.stringify(page));
  const allowed = { Origin: "https://app.example.com" };
  t.equal(await typed("text/json", allowed), 200, "a browser asks before it sends this type");
  for (const type of ["", "text/json", "text/plain"])
    t.equal(
      await asked({ "Content-Type": type }, "api/plugins/oex/rollback"),
      415,
      `the host's own, "${type}"`,
    );
});
