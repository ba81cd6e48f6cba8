/** The reporter and the order export as clients of a host use them: over HTTP, with shipped templates and a real Chromium. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import t, { type Test } from "tap";
import { repository, startHost } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";
import { shippedTemplates } from "../templates/shipped-templates.js";
import { archiveEntries, type Exported, OexClient } from "./oex-client.js";
import { articlesOf, headerOf } from "./oex-document-tree.js";
import { readDocument, references } from "./oex-export-checks.js";
import { picture as logo } from "./oex-project.js";
import { answerOf } from "./plugin-client.js";
import {
  article,
  demoFile,
  id,
  isJson,
  type Json,
  project,
  ReporterClient,
  sampleFile,
  totals,
  violations,
} from "./reporter-client.js";

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

const megabyte = 1024 * 1024;
const articles = 2000;
/** Its Base64 has 60 KB, so that the document has 120 MB; nothing compresses it. */
const raw = { width: 122, height: 122, channels: 3 } as const;
const noise = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });
const picture = (await noise.png().toBuffer()).toString("base64");

const host = await startHost({
  configuration: {
    fetch: { allowedInternalHosts: [linkHost] },
    // Room for a large order, but not for its archive as well.
    files: { maximumBytes: 150 * megabyte },
  },
  templates: [join(repository, "templates"), ownTemplates],
});
const client = new ReporterClient(host.url);
t.teardown(async () => {
  links.close();
  await host.stop();
  await rm(ownTemplates, { recursive: true, force: true });
});

const demo = await client.open(await demoFile("json"));

const orders = new OexClient(host.url);
const large = await orders.open(largeProject());
const config = { exportImages: true };

function largeProject(): Json {
  const images = [{ tag: "default", asset: "picture" }];
  const items = Array.from({ length: articles }, (_, index) => article(index + 1, "12.50", { images }));
  return project(items, { assets: { picture: { mediaType: "image/png", base64: picture } } });
}

function storedFiles(): Promise<string[]> {
  return readdir(join(host.var, "files"));
}

async function until(condition: (files: string[]) => boolean): Promise<void> {
  while (!condition(await storedFiles())) await pause(10);
}

// First, while there are no other files.
t.test("a orders that goes away ends its export, and no file stays", async (t) => {
  const leaving = new AbortController();
  const exporting = fetch(`${host.url}/EAIWS/plugins/oex/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId: large, config }),
    signal: leaving.signal,
  });
  const given = t.rejects(exporting, { name: "AbortError" });
  // The OBX is complete, and the document is being written.
  await until((files) => files.filter((name) => name.endsWith(".content")).length === 2);
  leaving.abort();
  await given;
  await host.logged(({ msg }) => msg === "request without its whole answer");
  await until((files) => files.length === 0);
  await stillServes(t);
});

t.test("an export that finds no room for its last file says so, and no file stays", async (t) => {
  const before = (await storedFiles()).length;
  const answer = await orders.export({ sessionId: large, config });
  t.match(answer, {
    status: 503,
    json: { id: "request-overloaded", message: /space for generated files is full/ },
  });
  await until((files) => files.length === before);
  await stillServes(t);
});

/** With the instance that it had, which is not ended for an export that was given up. */
async function stillServes(t: Test): Promise<void> {
  const { oex } = await orders.exported(demo);
  t.ok(oex !== undefined && oex.bytes.length > 0);
  const ended = host.log.filter(({ msg }) => /^An instance of a plugin/.test(String(msg)));
  t.strictSame(ended, []);
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

t.test("a break after one position and before the next is one break", async (t) => {
  const room = {
    type: "folder",
    id: id(3),
    name: [{ lang: "en", value: "Room" }],
    children: [article(4, "50.00")],
  };
  const sessionId = await client.open(project([article(1, "10.00"), article(2, "10.00"), room]));
  const pageBreaks = [
    { posNo: "2", value: "before" },
    { posNo: "1", value: "after" },
    { posNo: "9.9", value: "before" },
  ];
  const plain = await client.post("generate", { templateKey: "quote", sessionId });
  const apart = await client.post("generate", { templateKey: "quote", sessionId, pageBreaks });
  t.equal((await client.pages(plain.json["url"])).length, 1);
  t.equal((await client.pages(apart.json["url"])).length, 2, "one break between the two, not two");
});

t.test("options change what is printed", async (t) => {
  const sessionId = await client.open(project([article(1, "1.00")]));
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

t.test("locales and file names are followed", async (t) => {
  const sessionId = await client.open(
    project([article(1, "1234.50")], { header: { projectDate: "2026-11-20" } }),
  );
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
      message: new RegExp(`"shortText" of the item ${id(1)} cannot be read`),
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

t.test("files that are switched off are neither in the result nor in the archive", async (t) => {
  const flags = [true, false];
  for (const attachOEX of flags)
    for (const attachOBX of flags)
      for (const attachPDF of flags) {
        const exported = await orders.exported(demo, { attachOEX, attachOBX, attachPDF });
        const { archive, oex, obx, pdf, json } = exported;
        t.strictSame(
          [oex, obx, pdf, json["url"]].map((file) => file !== undefined),
          [attachOEX, attachOBX, attachPDF, attachOEX],
        );
        const files = [oex, obx, pdf].filter((file) => file !== undefined);
        const entries = await archiveEntries(archive.bytes);
        t.strictSame(
          [...entries.keys()],
          files.map(({ name }) => name),
        );
        for (const file of files)
          t.ok(entries.get(file.name)?.equals(file.bytes), `${file.name} as delivered`);
        if (oex === undefined) continue;
        const document = readDocument(exported);
        t.strictSame(
          references(headerOf(document)).sort(),
          [obx, pdf].flatMap((file) => (file === undefined ? [] : [["ATT", file.name]])).sort(),
        );
        const embedded = articlesOf(document).filter((item) =>
          references(item).some(([type]) => type === "XML"),
        );
        t.equal(embedded.length, attachOBX ? articlesOf(document).length : 0);
      }
  const { archive, oex, obx, pdf } = await orders.exported(demo, { attachPDF: true });
  t.strictSame(
    [oex, obx, pdf, archive].map((file) => file?.mediaType),
    ["application/xml", "application/xml", "application/pdf", "application/zip"],
  );
  const packed = await archiveEntries(archive.bytes);
  for (const file of [oex, obx, pdf])
    t.ok(file !== undefined && packed.get(file.name)?.equals(file.bytes), `${file?.name} in the archive`);
});

async function orderPages({ pdf }: Exported) {
  if (pdf === undefined) throw new Error("There is no PDF");
  const pages = await printedPages(pdf.bytes);
  return { text: pages.map((page) => page.text).join(" "), images: pages[0]?.images };
}

t.test("the PDF is the order report, or made by the template that the request names", async (t) => {
  const config = { attachPDF: true, pdfLogoImage: logo, docNumber: "B-17", orderInfo: "Ring the bell" };
  const standard = await orderPages(await orders.exported(demo, config));
  for (const text of ["Order B-17", "Ring the bell", "LN-D16-OAK-GR"]) t.match(standard.text, text);
  t.notMatch(standard.text, "AR-240", "an alternative is not ordered");
  t.equal(standard.images, 1, "the logo");

  const chosen = { attachPDF: true, reporterTemplateKey: "quote" };
  const quote = await orderPages(await orders.exported(demo, chosen));
  t.match(quote.text, "Quote no. Q-2026-1187");
  t.match(quote.text, "AR-200-PT-4D");
  t.notMatch(quote.text, "AR-240", "nor is it shown by a template of quotes");

  const part = await orderPages(await orders.exported(demo, { ...chosen, manufacturerIds: ["SOLV"] }));
  t.match(part.text, "AR-200-PT-4D");
  t.notMatch(part.text, "ST-W120", "only articles of the chosen manufacturer");

  const withAlternatives = await orderPages(
    await orders.exported(demo, { attachPDF: true, documentType: "QUOTES" }),
  );
  t.match(withAlternatives.text, "Quotation Q-2026-1187");
  t.match(withAlternatives.text, "AR-240");
});

t.test("bodies that are no JSON objects", async (t) => {
  const headers = { "Content-Type": "application/json" };
  for (const body of ['{"sessionId": ', "", "[]", "null"])
    t.match(
      await answerOf(await fetch(`${host.url}/EAIWS/plugins/oex/export`, { method: "POST", headers, body })),
      { status: 400, json: { code: 400, id: "request-bad-request" } },
      body,
    );
});
