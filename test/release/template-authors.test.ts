/** What authors can say in a template, seen in the PDFs and answers that clients get. */
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import t from "tap";
import { until } from "../host/plugins-support.js";
import { definition, writeFiles } from "../host/templates-support.js";
import { demoFile, ReporterClient } from "../plugins/reporter-client.js";
import { runCommand } from "../run-command.js";
import { reporterAlone, startHost } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";

const folder = await mkdtemp(join(tmpdir(), "slipway-authors-"));
const style = "body { margin: 0; font: 10pt 'Noto Sans' }";

await writeFiles(folder, {
  "_common/style.css": "@page { margin: 20mm } p { color: red; }",
  "_common/partials/line.ejs": '<p class="line"><%= d.t("common") %> <%= d.t("word") %> <%= d.text %></p>',
  "_common/i18n/en.json": '{ "common": "Common", "word": "shared" }',
  "_common/i18n/de.json": '{ "common": "Gemeinsam", "word": "geteilt" }',
  "_common/footer.ejs": "<%= d.page %> of <%= d.pages %>",
  "_common/template.json": "not read at all",
  "one/template.json": definition("one", { shared: ["_common"] }),
  "one/report.ejs": '<%- include("partials/line", { text: "one" }) %>',
  "one/i18n/en.json": '{ "word": "own" }',
  "one/style.css": "p { background: url(assets/none.png) }",
  "two/template.json": definition("two", { shared: ["_common"] }),
  "two/report.ejs": '<%- include("partials/line", { text: "two" }) %>',
  "two/partials/line.ejs": "<p>replaced <%= d.text %></p>",
  "paper/template.json": definition("paper", {
    page: { size: "A5", orientation: "landscape", margins: { top: 20, right: 15, bottom: 25, left: 30 } },
  }),
  "paper/style.css": style,
  "paper/report.ejs": '<h1>First</h1><p style="break-before: page">second</p>',
  "paper/header-left.ejs": 'HL \\ "quoted"',
  "paper/header-right.ejs": "HR",
  "paper/footer-left.ejs": "<%= d.data.project.name %>",
  "paper/footer.ejs": "Page <%= d.page %>\nof <%= d.pages %>",
  "paper/i18n/en.json": "{}",
  "paper/i18n/he.json": "{}",
  "sized/template.json": definition("sized", { page: { size: { width: 80, height: 120.5 } } }),
  "sized/report.ejs": "x",
  "terms/template.json": definition("terms", {
    attachments: {
      terms: {
        name: { en: "Terms", de: "Bedingungen" },
        file: { en: "assets/en.pdf", de: "assets/de.pdf" },
      },
      map: { name: { en: "Map" }, file: "assets/map.pdf" },
    },
    views: [{ key: "rooms", name: { en: "Rooms", de: "Räume" } }],
    properties: [
      { key: "audience", value: { en: "Dealers", de: "Händler" } },
      { key: "pages", value: 2 },
    ],
  }),
  "terms/report.ejs": "<p>the report</p>",
});
for (const name of ["en", "de", "map"]) {
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 300]).drawText(`attachment ${name}`, { x: 20, y: 200, size: 12 });
  await writeFiles(folder, { [`terms/assets/${name}.pdf`]: "" });
  await writeFile(join(folder, "terms", "assets", `${name}.pdf`), await pdf.save());
}

const host = await startHost({
  templates: [folder],
  configuration: { templates: { settlingTime: 20 }, folders: undefined },
});
const client = new ReporterClient(host.url);
t.teardown(async () => {
  await host.stop();
  await rm(folder, { recursive: true });
});
const sessions = { en: await client.open(await demoFile("json")), de: "", he: "" };
sessions.de = await client.open(await demoFile("json"), "de_DE");
sessions.he = await client.open(await demoFile("json"), "he_IL");

async function printed(templateKey: string, sessionId = sessions.en, more: Record<string, unknown> = {}) {
  const answer = await client.post("generate", { templateKey, sessionId, ...more });
  t.equal(answer.status, 200, answer.text);
  const file = await fetch(String(answer.json["url"]));
  const pages = await printedPages(new Uint8Array(await file.arrayBuffer()));
  return { pages, errors: answer.json["errors"] };
}

async function text(templateKey: string, sessionId?: string): Promise<string> {
  const { pages } = await printed(templateKey, sessionId);
  return pages.map((page) => page.text).join(" | ");
}

interface State {
  key: string;
  version?: string;
  error?: string;
  problems: Record<string, unknown>[];
  notes: Record<string, unknown>[];
}

async function state(key: string): Promise<State | undefined> {
  const answer = await fetch(`${host.url}/api/templates`);
  const { templates }: { templates: State[] } = JSON.parse(await answer.text());
  return templates.find((each) => each.key === key);
}

t.test("templates build on shared folders, which are no templates", async (t) => {
  t.equal(await text("one"), "1 of 1 Common own one");
  t.equal(await text("one", sessions.de), "1 of 1 Gemeinsam geteilt one");
  t.equal(await text("two"), "1 of 1 replaced two", "a file of the template's own replaces the shared one");
  t.equal(await state("_common"), undefined);

  const before = [(await state("one"))?.version, (await state("paper"))?.version];
  await writeFiles(folder, { "_common/partials/line.ejs": "<p>changed <%= d.text %></p>" });
  await until(async () => (await state("one"))?.version !== before[0]);
  t.equal(await text("one"), "1 of 1 changed one");
  t.equal((await state("paper"))?.version, before[1], "others are not read anew");

  await writeFiles(folder, { "_common/partials/line.ejs": "<p>\n<% if ( %>" });
  await until(async () => (await state("one"))?.error !== undefined);
  t.match((await state("one"))?.problems, [
    { file: "_common/partials/line.ejs", line: 2, excerpt: "<% if ( %>" },
  ]);
  t.equal((await state("two"))?.error, undefined, "who replaces the file does not have the mistake");
  t.equal(await text("one"), "1 of 1 changed one", "the last good version keeps serving");

  await rename(join(folder, "_common"), join(folder, "_away"));
  await until(async () => /no folder/.test((await state("two"))?.error ?? ""));
  t.match((await state("two"))?.problems, [
    { file: "template.json", line: 1, pointer: "/shared/0", message: /"_common"/ },
  ]);
  await rename(join(folder, "_away"), join(folder, "_common"));
  await writeFiles(folder, { "_common/partials/line.ejs": "<p>mended <%= d.text %></p>" });
  await until(async () => (await state("one"))?.error === undefined);
  t.equal(await text("one"), "1 of 1 mended one");
});

t.test("without the setting there is no preview", async (t) => {
  for (const path of ["/preview", "/preview/", "/preview/main.js"])
    t.equal((await fetch(`${host.url}${path}`)).status, 404, path);

  await writeFiles(folder, {
    "typo/template.json": definition("typo"),
    "typo/report.ejs": "<p>found <%= titel %><%= d.data.titel %></p>",
  });
  await until(async () => (await state("typo"))?.version !== undefined);
  const { pages, errors } = await printed("typo");
  t.equal(pages[0]?.text, "found");
  t.equal(errors, undefined, "nor does it look for mistakes of authors");
  t.strictSame((await state("typo"))?.notes, []);
  await rm(join(folder, "typo"), { recursive: true });
  await until(async () => (await state("typo")) === undefined);
});

t.test("paper, margins and margin boxes", async (t) => {
  const { pages } = await printed("paper");
  t.equal(pages.length, 2);
  const [first] = pages;
  t.ok(Math.abs((first?.width ?? 0) - 210) < 0.5 && Math.abs((first?.height ?? 0) - 148) < 0.5);
  const run = (part: string) => first?.runs.find((each) => each.text.includes(part));
  t.ok(Math.abs((run("First")?.left ?? 0) - 30) < 0.5, "the left margin");
  t.match(first?.text, 'HL \\ "quoted"');
  t.ok((run("HL")?.left ?? 999) < 60 && (run("HR")?.right ?? 0) > 180);
  t.match(first?.text, "Page 1 of 2");
  t.match(pages[1]?.text, "Page 2 of 2");

  const mirrored = (await printed("paper", sessions.he)).pages[0];
  const right = mirrored?.runs.find((each) => each.text.includes("HR"));
  t.ok((right?.left ?? 999) < 60, "left and right change places where the text runs from right to left");

  const [sized] = (await printed("sized")).pages;
  t.ok(Math.abs((sized?.width ?? 0) - 80) < 0.5 && Math.abs((sized?.height ?? 0) - 120.5) < 0.5);
});

t.test("PDFs, views and properties of a template", async (t) => {
  const options = await client.get(`template/terms/options.json?sessionId=${sessions.de}`);
  t.strictSame(options.json["options"], {
    attachments: {
      terms: { name: "Bedingungen", link: "template:terms" },
      map: { name: "Map", link: "template:map" },
    },
    categories: [],
  });
  const list = await client.get(`templates.json?category=*&sessionId=${sessions.de}`);
  t.match(list.json["list"], [
    {},
    {},
    {},
    {
      key: "terms",
      views: [{ key: "rooms", name: "Räume" }],
      properties: [
        { key: "audience", value: "Händler" },
        { key: "pages", value: 2 },
      ],
    },
    {},
  ]);
  const request = { prependLinks: ["template:map"], appendLinks: ["template:terms", "template:none"] };
  const english = await printed("terms", sessions.en, request);
  t.strictSame(
    english.pages.map((page) => page.text),
    ["attachment map", "the report", "attachment en"],
  );
  t.match(english.errors, [{ id: "attachment-error", message: /the template has no attachment "none"/ }]);
  const german = await printed("terms", sessions.de, { appendLinks: ["template:terms"] });
  t.equal(german.pages[1]?.text, "attachment de");
  const other = await printed("sized", sessions.en, { appendLinks: ["template:terms"] });
  t.match(other.errors, [{ id: "attachment-error" }], "only those of the report's own template");

  await rm(join(folder, "terms", "assets", "map.pdf"));
  await until(async () => (await state("terms"))?.error !== undefined);
  t.match((await state("terms"))?.problems, [
    {
      file: "template.json",
      line: 1,
      pointer: "/attachments/map/file",
      message: /no file "assets\/map.pdf"/,
    },
  ]);
});

t.test("options that are numbers, dates, long texts and pictures", async (t) => {
  const field = (key: string, more: Record<string, unknown>) => ({ key, label: { en: key }, ...more });
  const fields = [
    field("discount", { type: "number", default: 2.5, minimum: 0, maximum: 100, decimals: 2 }),
    field("from", { type: "date" }),
    field("note", { type: "text", default: "one\ntwo" }),
    field("copies", { type: "int", minimum: 1, default: 1 }),
    field("logo", { type: "image" }),
  ];
  const optionsOf = (...all: object[]) => ({
    options: { categories: [{ key: "c", label: { en: "C" }, fields: all }] },
  });
  await writeFiles(folder, {
    "fields/template.json": definition("fields", optionsOf(...fields)),
    "fields/report.ejs":
      '<% const { discount, from, note, copies } = d.data.options; -%><%= d.number(discount) %>|<%= d.date(from) %>|<%= d.lines(note).join("/") %>|<%= copies %>',
  });
  await until(async () => (await state("fields"))?.version !== undefined);
  const answer = await client.get("template/fields/options.json");
  const known = "discount from note copies logo".split(" ").map((key) => ({ key, label: key }));
  t.strictSame(
    answer.json["options"],
    {
      attachments: {},
      categories: [
        {
          key: "c",
          label: "C",
          fields: [
            {
              ...known[0],
              type: "string",
              default: "2.5",
              format: "number",
              minimum: 0,
              maximum: 100,
              decimals: 2,
            },
            { ...known[1], type: "string", format: "date" },
            { ...known[2], type: "string", default: "one\ntwo", format: "text" },
            { ...known[3], type: "int", default: 1, minimum: 1 },
            { ...known[4], type: "string", format: "image" },
          ],
        },
      ],
    },
    "texts for clients that know no other type",
  );
  const textWith = async (templateOptions: object) =>
    (await printed("fields", sessions.de, { templateOptions })).pages[0]?.text;
  t.equal(await textWith({}), "2,5||one/two|1");
  t.equal(
    await textWith({ discount: 10.25, from: "2024-02-29", note: "a\nb", copies: "3" }),
    "10,25|29.02.24|a/b|3",
  );
  const wrong = { discount: "12.345", from: "2023-02-29", note: 5, copies: 0 };
  const refused = await client.post("generate", {
    templateKey: "fields",
    sessionId: sessions.en,
    templateOptions: wrong,
  });
  t.equal(refused.status, 400);
  for (const part of [
    '`body.templateOptions.discount` must be a number from 0 to 100 with at most 2 decimals, but is "12.345"',
    '`body.templateOptions.from` must be a date such as "2024-07-10", but is "2023-02-29"',
    "; and 2 more.",
    { path: "body.templateOptions.note", expected: "a string", received: "5" },
    { path: "body.templateOptions.copies", expected: "an integer of at least 1", received: "0" },
  ])
    t.ok(refused.text.includes(JSON.stringify(part).slice(1, -1)), `${part} in ${refused.text}`);
  for (const discount of [-0.01, "100.001", 101, "1e1", "1,5", "", true])
    t.equal(
      (
        await client.post("generate", {
          templateKey: "fields",
          sessionId: sessions.en,
          templateOptions: { discount },
        })
      ).status,
      400,
      String(discount),
    );

  const description = await (await fetch(`${host.url}/openapi.json`)).text();
  t.match(description, "an ISO date such as", "the description of the API knows them");

  await writeFiles(folder, {
    "fields/template.json": definition(
      "fields",
      optionsOf(
        field("a", { type: "number", default: 200, maximum: 100 }),
        field("b", { type: "date", default: "10.07.2024", minimum: 1 }),
        field("c", { type: "number", minimum: 5, maximum: 1, decimals: 11 }),
      ),
    ),
  });
  await until(async () => (await state("fields"))?.error !== undefined);
  t.match((await state("fields"))?.problems, [{ message: /fields\[2\]\.decimals` must be .*10/ }]);
  await writeFiles(folder, {
    "fields/template.json": definition(
      "fields",
      optionsOf(
        field("a", { type: "number", default: 200, maximum: 100 }),
        field("b", { type: "date", default: "10.07.2024", minimum: 1 }),
        field("c", { type: "number", minimum: 5, maximum: 1 }),
        field("d", { type: "text", options: [{ key: "x", label: { en: "X" } }] }),
      ),
    ),
  });
  await until(async () => /fields\[0\]/.test((await state("fields"))?.error ?? ""));
  const at = "`options.categories[0].fields";
  t.strictSame(
    (await state("fields"))?.problems.map(({ message }) => message),
    [
      `${at}[0].default\` must be a number of at most 100, but is 200`,
      `${at}[1].minimum\` has no meaning for a field of type "date"; leave it out`,
      `${at}[1].default\` must be a date such as "2024-07-10", but is "10.07.2024"`,
      `${at}[2].maximum\` must be at least the minimum 5, but is 1`,
      `${at}[3].options\` has no meaning for a field of type "text"; leave it out`,
    ],
  );
});

t.test("a new template can be used as it is", async (t) => {
  const own = await mkdtemp(join(tmpdir(), "slipway-new-"));
  t.teardown(() => rm(own, { recursive: true }));
  const made = await runCommand(["template", "new", "packing-list", "--dir", own]);
  t.match(made, { code: 0, output: `${join(own, "packing-list")}\n` });
  const checked = await runCommand(["template", "check", join(own, "packing-list")]);
  t.equal(checked.code, 0, checked.output + checked.errors);
  t.match(checked.output, /ok +print en/);
  t.notMatch(checked.output, /hint|FAIL/);
  const definitionFile = join(own, "packing-list", "template.json");
  const { $schema, ...rest }: { $schema: string } = JSON.parse(await readFile(definitionFile, "utf8"));
  t.match(rest, { key: "packing-list", name: "Packing list" });
  const schema: { title?: string } = JSON.parse(await readFile(join(own, "packing-list", $schema), "utf8"));
  t.equal(schema.title, "template.json", "editors find the schema");

  const environment = { SLIPWAY_PLUGINS: await reporterAlone() };
  const check = (parameters: string[]) => runCommand(["template", "check", ...parameters], { environment });
  const again = await runCommand(["template", "new", "packing-list", "--dir", own]);
  t.match(again, { code: 1, errors: /packing-list exists/ });
  t.match(await runCommand(["template", "new", "../x", "--dir", own]), { code: 1, errors: /is no key/ });
  t.match(await runCommand(["template", "new", "x.tmp", "--dir", own]), { code: 1, errors: /leave behind/ });

  await cp(join(own, "packing-list"), join(own, "another"), { recursive: true });
  const taken = await check([join(own, "packing-list")]);
  t.equal(taken.code, 1, "a host would not serve it");
  t.match(taken.output, /FAIL +files +template\.json: "packing-list" is already a key .* in another/);
  t.notMatch(taken.output, /print en/, "it is not the other one that is printed");
  await rename(join(own, "another"), join(own, "_another"));
  const apart = await check([join(own, "_another"), "--no-print"]);
  t.match(apart, { code: 1, output: /FAIL +folder +.*"_another"/ });
  const gone = await check([join(own, "another"), "--no-print"]);
  t.match(gone, { code: 1, output: /FAIL +folder +The folder is not there/ });

  await writeFiles(join(own, "packing-list"), {
    "style.css": 'h1 { background: url("assets/none.png") }',
    "report.ejs": '<h2><%= d.t("nothing") %></h2><img src="assets/x.png">\n<%= d.asset("assets/gone.png") %>',
  });
  const failing = await check([join(own, "packing-list")]);
  t.equal(failing.code, 1);
  t.match(failing.output, /report\.ejs:2: asset: the template has no file/);
  await writeFiles(join(own, "packing-list"), {
    "report.ejs": '<h2><%= d.t("nothing") %></h2><img src="/assets/x.png">',
  });
  const poor = await check([join(own, "packing-list")]);
  t.equal(poor.code, 1, "it says that it is accessible");
  t.match(poor.output, /hint +print en +.*texts that it has in no language: "nothing"/);
  t.match(poor.output, /hint +print en +.*x\.png/);
  t.match(poor.output, /FAIL +access en/);
  await writeFiles(join(own, "packing-list"), {
    "partials/rows.ejs": await readFile(join(own, "packing-list", "partials", "rows.ejs"), "utf8").then(
      (rows) => rows.replace("item.quantity", "item.quantty"),
    ),
    "report.ejs": [
      '<h1><%= d.t("title") %> <%= titel %></h1>',
      "<p><%= d.titel %> <%= d.data.projekt %> <%= optons %></p>",
      "<%",
      "const { name, numbre } = d.data.project;",
      "const { SoldTo, BillTo } = d.data.addresses;",
      "const wide = (item) => item.packagng;",
      "for (const item of d.data.items) wide(item);",
      "-%>",
      "<% if (SoldTo?.street2 && BillTo?.name4) { -%>",
      "<%= SoldTo.taxCodeEU %> <%= SoldTo.stret %> <%= d.data.options.showPicture %>",
      "<% } -%>",
      "<% if (name === 0) { %><%= d.date(new Date()) %><%= Date.now() %><% } %>",
      '<%- include("partials/rows", { items: d.data.items }) %>',
      '<% if (d.data.view?.name === 0) { %><%- include("partials/none") %><% } %>',
    ].join("\n"),
  });
  const misspelt = await check([join(own, "packing-list")]);
  t.equal(misspelt.code, 1);
  const named = [...misspelt.output.matchAll(/FAIL +names +(.+)\n/g)].map(([, text]) => text);
  t.strictSame(
    named.sort(),
    [
      "partials/rows.ejs:11: unknown name quantty in item (did you mean quantity?)",
      "report.ejs:10: unknown name showPicture in d.data.options (did you mean showPictures?)",
      "report.ejs:10: unknown name stret in SoldTo (did you mean street?)",
      "report.ejs:12: Date.now() is refused, there is no current time: use d.data.generated, the time of the report",
      "report.ejs:12: new Date() is refused, there is no current time: use d.data.generated, the time of the report",
      'report.ejs:14: include: the template has no file "partials/none.ejs"',
      "report.ejs:1: unknown name titel",
      "report.ejs:2: unknown name optons (did you mean d.data.options?)",
      "report.ejs:2: unknown name projekt in d.data (did you mean project?)",
      "report.ejs:2: unknown name titel in d",
      "report.ejs:4: unknown name numbre in d.data.project (did you mean number?)",
      "report.ejs:6: unknown name packagng in d.data.items[0] (did you mean packaging?)",
    ],
    "each once, in code that runs and in code that does not, and nothing that the data may lack",
  );
  t.match(misspelt.output, /ok +print en/, "what nothing has prints nothing");
  await writeFiles(join(own, "packing-list"), {
    "report.ejs": "<p>\n<%\nconst all = [];\nfor (;;) {\n}\n%>",
  });
  const limit = join(own, "limit.json");
  await writeFile(limit, JSON.stringify({ templates: { timeLimit: 1500 } }));
  const endless = await check([join(own, "packing-list"), "--config", limit]);
  t.match(endless.output, /report\.ejs:4: it was not finished after 1500 ms/, "the line inside of the tag");
  const growing = "<p>\n<%\nconst all = [];\nlet at = 0;\nwhile (at >= 0)\n  all.push({ at: at++ });\n%>";
  await writeFiles(join(own, "packing-list"), { "report.ejs": growing });
  await writeFile(limit, JSON.stringify({ templates: { memoryLimit: 64 } }));
  const full = await check([join(own, "packing-list"), "--config", limit]);
  t.match(full.output, /report\.ejs:6: needs more than 64 MB of memory/);

  await writeFiles(join(own, "packing-list"), { "template.json": '{\n  "key": 5\n}' });
  const broken = await check([join(own, "packing-list"), "--no-print"]);
  t.match(broken.output, /FAIL +template\.json +template\.json:2: `key` must be a string, but is 5/);
  t.equal(broken.code, 1);
});
