/** The live preview of templates: the command as a process, its page in a real browser. */
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { extname, join } from "node:path";
import { embeddedFiles, readPdf } from "@slipway/sdk/runtime/pdf";
import type { Browser } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import {
  openPreview,
  type PreviewPage,
  problemOf,
  type StartedPreview,
  shows,
  startPreview,
  textOf,
} from "../../browser/preview-support.js";
import { engineMessage } from "../../engine-message.js";
import { until } from "../../host/plugins-support.js";
import { definition, writeFiles } from "../../host/templates-support.js";
import { runCommand } from "../../run-command.js";

const field = (key: string, label: string, more: Record<string, unknown>) => ({
  key,
  label: { en: label },
  ...more,
});
const choice = (key: string, label: string) => ({ key, label: { en: label } });
const sheet = definition("sheet", {
  aliases: ["leaf"],
  name: { en: "Sheet", de: "Blatt" },
  shared: ["_shared"],
  options: {
    categories: [
      {
        key: "content",
        label: "Content",
        fields: [
          field("second", "Second page", { type: "boolean", default: true }),
          field("subject", "Subject", { type: "string" }),
          field("copies", "Copies", { type: "int", default: 1 }),
          field("scale", "Scale", { type: "number", default: 1, minimum: 0.5, maximum: 2, decimals: 2 }),
          field("day", "Day", { type: "date" }),
          field("remark", "Remark", { type: "text" }),
          field("tone", "Tone", {
            type: "string",
            default: "calm",
            options: [choice("calm", "Calm"), choice("loud", "Loud")],
          }),
        ],
      },
    ],
  },
});

const report = `<h1><%= d.t("title") %> one</h1>
<p>Subject <%= d.data.options.subject %>, copies <%= d.data.options.copies %>, tone <%= d.data.options.tone %></p>
<p>Scale <%= d.data.options.scale %>, day <%= d.data.options.day %>, lines <%= d.lines(d.data.options.remark).length %></p>
<%- include("partials/foot") %>
<% if (d.data.options.second) { %><p style="break-before: page">Page two</p><% } %>
`;

const files = {
  "_shared/partials/foot.ejs": "<p>Shared one</p>",
  "_shared/i18n/labels.csv": "en\n",
  "sheet/template.json": sheet,
  "sheet/report.ejs": report,
  "sheet/i18n/en.json": JSON.stringify({ title: "Version" }),
  "sheet/i18n/de.json": JSON.stringify({ title: "Fassung" }),
  "note/template.json": definition("note", { name: { en: "Note" } }),
  "note/report.ejs": "<p>A note</p>",
};

let folder: string;
let browser: Browser;
let preview: StartedPreview;
let opened: PreviewPage;
let templates: string;

t.before(async () => {
  folder = t.testdir({ browser: {}, temporary: {}, templates: {} });
  templates = join(folder, "templates");
  await writeFiles(templates, files);
  preview = await startPreview(
    ["leaf", "--templates", templates, "--locale", "en_GB"],
    join(folder, "temporary"),
  );
  browser = await launchBrowser(join(folder, "browser"));
  opened = await openPreview(browser, preview.address);
});
t.teardown(() => browser?.close());
t.teardown(() => {
  if (preview?.process.exitCode === null) preview.process.kill("SIGKILL");
});

const save = (path: string, content: string): Promise<void> => writeFile(join(templates, path), content);

t.test("the page shows the report of the demo project, and its options by their names", async (t) => {
  const { page } = opened;
  await shows(page, { text: "Version one", pages: 2 });
  t.match(await textOf(page, ".pages"), /Shared one[\s\S]*Page two/, "text can be selected and searched");
  t.match(await textOf(page, ".toolbar"), /of 2/);
  t.equal(await page.title(), "sheet – Slipway", "an alias stands for the key");
  for (const [name, role] of [
    ["Second page", "checkbox"],
    ["Subject", "textbox"],
    ["Copies", "spinbutton"],
    ["Scale", "spinbutton"],
    ["Day", "Date"],
    ["Remark", "textbox"],
    ["Tone", "combobox"],
    ["Content", "group"],
    ["Template", "combobox"],
    ["Locale", "combobox"],
    ["Zoom", "combobox"],
    ["Download", "link"],
    ["Page 2", "region"],
  ])
    t.ok(await page.$(`aria/${name}[role="${role}"]`), `${role} ${name}`);
});

t.test("an option changes the report and the address; it can be taken back", async (t) => {
  const { page } = opened;
  await page.focus('aria/Second page[role="checkbox"]');
  await page.keyboard.press("Space");
  await shows(page, { pages: 1 });
  t.match(page.url(), "option.second=false");
  await page.focus('aria/Subject[role="textbox"]');
  await page.keyboard.type("Chairs");
  await page.keyboard.press("Tab");
  await shows(page, { text: "Subject Chairs" });
  await page.select('[data-option="tone"] select', "loud");
  await shows(page, { text: "tone loud" });
  await page.reload();
  await shows(page, { text: "Subject Chairs, copies 1, tone loud", pages: 1 });
  t.equal(await page.$eval('[data-option="subject"] input', (input) => input.value), "Chairs");

  await page.click('aria/Reset Subject[role="button"]');
  await shows(page, { text: "Subject , copies 1, tone loud" });
  const type = (selector: string, text: string) =>
    page.$eval(
      selector,
      (input, typed) => {
        if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) throw new Error();
        input.value = typed;
        input.dispatchEvent(new Event("input"));
      },
      text,
    );
  await type('[data-option="scale"] input', "2.5");
  await page.waitForSelector('[data-option="scale"][data-wrong]');
  await type('[data-option="scale"] input', "1.25");
  await type('[data-option="day"] input[type="date"]', "2024-07-10");
  await type('[data-option="remark"] textarea', "one\ntwo");
  await shows(page, { text: "Scale 1.25, day 2024-07-10, lines 2" });

  await page.click('aria/Reset all[role="button"]');
  await shows(page, { text: "tone calm", pages: 2 });
  t.notMatch(page.url(), "option.");

  await page.$eval('[data-option="subject"] input', (input) => {
    input.value = `${"long ".repeat(4000)}end`;
    input.dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(() => document.querySelectorAll(".page").length > 2);
  t.ok(page.url().length < 8000, "no longer than hosts take");
  await page.click('aria/Reset all[role="button"]');
  await shows(page, { pages: 2 });
});

t.test("the data of the project stands beside the page, with paths to copy", async (t) => {
  const { page } = opened;
  t.equal(await page.$(".data-panel"), null);
  await page.focus(".pages");
  await page.keyboard.press("i");
  const open = (path: string) => page.click(`[data-path="${path}"] > details > summary`);
  await page.waitForSelector('[data-path="d.data.items"]');
  t.equal(await page.$('[data-path="d.data.items[0]"]'), null, "what is closed is not drawn");
  await open("d.data.items");
  await page.waitForSelector('[data-path="d.data.items[0]"]');
  await open("d.data.items[0]");
  await page.waitForSelector('[data-path="d.data.items[0].id"]');
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => document.body.setAttribute("data-copied", text);
  });
  await page.click('aria/Copy d.data.items[0].id[role="button"]');
  await page.waitForSelector('[data-copied="d.data.items[0].id"]');
  await page.click('[data-path="d.data.options"] > details > summary');
  await page.waitForFunction(() =>
    document.querySelector('[data-path="d.data.options.tone"]')?.textContent?.includes("calm"),
  );
  await page.select('[data-option="tone"] select', "loud");
  await page.waitForFunction(() =>
    document.querySelector('[data-path="d.data.options.tone"]')?.textContent?.includes("loud"),
  );
  await page.type('aria/Search the data[role="searchbox"]', "byManuf");
  await page.waitForSelector('.data-panel > .data-tree > [data-path="d.data.totals.byManufacturer"]');
  t.equal(await page.$('[data-path="d.data.items"]'), null, "only what was sought");
  await page.click('aria/Data[role="button"]');
  await page.waitForFunction(() => document.querySelector(".data-panel") === null);
  await page.click('aria/Reset all[role="button"]');
  await shows(page, { text: "tone calm", pages: 2 });
  t.strictSame(opened.complaints, []);
});

t.test("what is saved is shown; what was in sight stays there, as large as it was", async (t) => {
  const { page } = opened;
  await page.focus(".pages");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await shows(page, { pages: 2 });
  // Browsers scroll smoothly, and pages become larger while they do.
  await until(async () => {
    await page.keyboard.press("End");
    return await page.$eval(
      ".pages",
      ({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight > scrollHeight - 2,
    );
  });
  const place = () => page.$eval(".pages", (pages) => [Math.round(pages.scrollTop), pages.scrollHeight]);
  const before = await place();
  await save("sheet/report.ejs", report.replace("Page two", "Page two again"));
  await shows(page, { text: "Page two again", pages: 2 });
  t.strictSame(await place(), before);
  t.match(page.url(), /zoom=\d/);
  t.match(await textOf(page, ".status-line"), /^2 pages\s+\d+ ms after the save$/);
  await save("_shared/partials/foot.ejs", "<p>Shared two</p>");
  await page.keyboard.press("Home");
  await page.keyboard.press("0");
  await shows(page, { text: "Shared two" });
});

t.test("mistakes are shown with their place beside the last good pages, until they are mended", async (t) => {
  const { page, complaints } = opened;
  await save("sheet/report.ejs", report.replace("<h1><%=", "<h1><%= ("));
  const broken = await problemOf(page, "report.ejs:1");
  t.match(broken, '<h1><%= ( d.t("title") %> one</h1>');
  t.match(await textOf(page, ".pages"), "Page two again", "the pages of the version before");
  t.match(await textOf(page, ".status-line"), "Not up to date");
  await save("sheet/template.json", sheet.replace('"boolean"', '"bolean"'));
  // The half-written file may be seen for a moment.
  t.match(await problemOf(page, "bolean"), "template.json:1");
  await save("sheet/template.json", sheet);
  await save("sheet/report.ejs", report.replace("d.data.options.subject", "d.data.nothing.subject"));
  const noSubject = engineMessage("const { nothing } = {}; nothing.subject");
  const failed = await problemOf(page, "report.ejs:2");
  t.match(failed, noSubject);
  t.match(failed, "d.data.nothing.subject");
  t.match(await textOf(page, ".pages"), "Page two again");
  t.strictSame(
    complaints.splice(0).filter((each) => !/status of 500/.test(each)),
    [],
    "the browser complains of the failed report only",
  );
  await until(() =>
    preview
      .told()
      .split("\n")
      .some((line) => line.startsWith(`sheet: report.ejs:2: ${noSubject}`)),
  );
  await save(
    "sheet/report.ejs",
    report.replace("<h1>", "<h1><%= titel %><% const f = (x) => x.currncy; f(d.data); %>"),
  );
  const hasNotes = (...parts: string[]) =>
    page.waitForFunction(
      (wanted) => wanted.every((part) => document.querySelector(".notes")?.textContent?.includes(part)),
      {},
      parts,
    );
  await hasNotes(
    "report.ejs:1: unknown name titel",
    "report.ejs:1: unknown name currncy in d.data (did you mean currency?)",
  );
  await until(() => /^sheet: report\.ejs:1: unknown name titel$/m.test(preview.told()));
  await save("sheet/report.ejs", report.replace("one", "three"));
  await shows(page, { text: "Version three", pages: 2 });
  t.ok(await page.$eval(".problems", (panel) => panel.hasAttribute("hidden")));
  await until(() =>
    /^sheet: report\.ejs:1: .+\n(?:sheet: .+\n)*sheet: can be used again\n/.test(preview.told()),
  );

  await save("sheet/i18n/de.json", JSON.stringify({ title: "Fassung", more: "mehr" }));
  const isNoted = () =>
    document.querySelector(".notes")?.textContent?.includes('no text for "more"') === true;
  await page.waitForFunction(isNoted);
  await save("sheet/i18n/de.json", JSON.stringify({ title: "Fassung" }));
  const isWithoutNotes = () => document.querySelector(".notes")?.hasAttribute("hidden") === true;
  await page.waitForFunction(isWithoutNotes);
  await save("_shared/i18n/labels.csv", "en,de\n");
  const isLabelNoted = () =>
    document
      .querySelector(".notes")
      ?.textContent?.includes('_shared/i18n/labels.csv: no text in de for "Content"') === true;
  await page.waitForFunction(isLabelNoted);
  await save("_shared/i18n/labels.csv", "en,de\nContent,Inhalt\n");
  await page.waitForFunction(isWithoutNotes);
});

t.test("an answer from before a mistake does not hide it", async (t) => {
  const { page, complaints } = opened;
  await page.evaluate(() => {
    const { fetch } = window;
    let answers = 0;
    window.fetch = async (...request) => {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith("/api/templates")) return response;
      answers += 1;
      document.body.setAttribute("data-answers", String(answers));
      if (answers === 1) await new Promise((go) => document.addEventListener("go", go, { once: true }));
      return response;
    };
  });
  await save("sheet/report.ejs", report.replace("one", "four"));
  await page.waitForSelector('[data-answers="1"]');
  await save("sheet/report.ejs", report.replace("<h1><%=", "<h1><%= ("));
  await problemOf(page, "report.ejs:1");
  await page.evaluate(() => document.dispatchEvent(new Event("go")));
  await page.waitForSelector('[data-answers="2"]');
  t.match(await problemOf(page, "report.ejs:1"), "<h1><%= (");
  await save("sheet/report.ejs", report.replace("one", "three"));
  await shows(page, { text: "Version three", pages: 2 });
  t.strictSame(complaints.splice(0), []);
});

t.test("a new version may have other options", async (t) => {
  const { page } = opened;
  await page.select('[data-option="tone"] select', "loud");
  await shows(page, { text: "tone loud" });
  await save("sheet/template.json", sheet.replaceAll("tone", "mood"));
  await shows(page, { text: "tone ,".replace(" ,", "") });
  await page.waitForSelector('[data-option="mood"]');
  await page.waitForFunction(() => !location.search.includes("option."));
  await save("sheet/template.json", sheet);
  await page.waitForSelector('[data-option="tone"]');
  await shows(page, { text: "tone calm" });
  t.strictSame(
    opened.complaints.splice(0).filter((each) => !/status of 400/.test(each)),
    [],
  );
});

t.test("locale and template can be changed; one that is gone is shown as soon as it is back", async (t) => {
  const { page, complaints } = opened;
  await page.select(".locale-choice", "de_DE");
  await shows(page, { text: "Fassung three" });
  t.match(page.url(), "locale=de_DE");
  t.same(
    await page.$$eval(".template-choice option", (options) => options.map((option) => option.value).sort()),
    ["note", "sheet"],
  );
  await page.select(".template-choice", "note");
  await shows(page, { text: "A note", pages: 1 });
  t.match(await textOf(page, ".side"), "This template has no options.");
  await rename(join(templates, "note"), join(folder, "away"));
  await problemOf(page, 'There is no template "note"');
  t.match(await textOf(page, ".pages"), "A note");
  await rename(join(folder, "away"), join(templates, "note"));
  await shows(page, { text: "A note", pages: 1 });
  t.strictSame(
    complaints.splice(0).filter((each) => !/status of 404/.test(each)),
    [],
  );
});

t.test("only the newest wish is shown", async (t) => {
  const { page, complaints } = opened;
  await page.select(".template-choice", "sheet");
  await page.select(".template-choice", "note");
  await page.select(".template-choice", "sheet");
  await shows(page, { text: "Fassung three", pages: 2 });
  t.match(page.url(), "template=sheet");
  t.strictSame(complaints, []);
});

t.test("the page may load what is its own, and nothing else is served", async (t) => {
  const { origin } = new URL(preview.address);
  const page = await fetch(`${origin}/preview/`);
  const policy = page.headers.get("content-security-policy") ?? "";
  t.match(policy, "default-src 'none'; script-src 'self';");
  t.notMatch(policy, "unsafe");
  t.equal(page.headers.get("x-frame-options"), "DENY");
  const library = await fetch(`${origin}/preview/pdfjs/pdf.min.mjs`);
  t.match(library.headers.get("content-type"), "text/javascript");
  await library.arrayBuffer();
  const etag = library.headers.get("etag") ?? "";
  t.equal(
    (await fetch(library.url, { headers: { "If-None-Match": etag, "Cache-Control": "max-age=0" } })).status,
    304,
  );
  t.match((await fetch(`${origin}/preview?template=sheet`)).url, "/preview/?template=sheet");
  for (const path of [
    "main.ts",
    "main.d.ts",
    "pdfjs/",
    "pdfjs/package.json",
    "..%2fpreview-page.js",
    "%2e%2e/x",
    "constructor",
  ])
    t.equal((await fetch(`${origin}/preview/${path}`)).status, 404, path);
  t.equal((await fetch(`${origin}/preview/`, { method: "POST" })).status, 405);
  const { port } = new URL(origin);
  const named = (name: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: `${name}:${port}` };
      get(`${origin}/api/sessions`, { headers }, (answer) => resolve(answer.resume().statusCode)).on(
        "error",
        reject,
      );
    });
  t.equal(await named("localhost"), 200);
  t.equal(await named("evil.example"), 421, "a name of others that was made to lead here");
});

t.test("whoever follows the templates hears of each change", async (t) => {
  const { origin } = new URL(preview.address);
  const stream = await fetch(`${origin}/api/templates/events`);
  t.match(stream.headers.get("content-type"), "text/event-stream");
  await save("note/report.ejs", "<p>Another note</p>");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\ndata: ") && text.endsWith("\n\n")) break;
  }
  t.match(text, /id: \d+\nevent: template\ndata: /);
  const event: unknown = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "");
  t.match(event, { key: "note", folder: "note", state: "served", problems: [], saved: /Z$/ });
  const foreign = { headers: { "Sec-Fetch-Site": "cross-site" } };
  t.equal((await fetch(`${origin}/api/templates/events`, foreign)).status, 403);
});

t.test("an order is shown as an export prints it, with files inside that it names", async (t) => {
  const parameters = ["order", "--embed", "OEX,OBX", "--locale", "de_DE"];
  const order = await startPreview(parameters, t.testdir(), true);
  t.teardown(() => order.interrupt());
  const { page, complaints } = await openPreview(browser, order.address);
  await shows(page, { text: "Bestellung" });
  await page.focus(".pages");
  await page.keyboard.press("End");
  await shows(page, { text: "Dateien in diesem PDF: oex-orders_" });
  const address = await page.$eval('aria/Download[role="link"]', (link) =>
    link instanceof HTMLAnchorElement ? link.href : "",
  );
  const files = async () => {
    const pdf = new Uint8Array(await (await fetch(address)).arrayBuffer());
    return embeddedFiles(readPdf(pdf)).map(({ name }) => extname(name));
  };
  t.strictSame((await files()).sort(), [".obx", ".xml"]);
  // Its options are those of the template.
  const before = await page.$$eval(".page", (pages) => pages.length);
  await page.click('aria/Bilder anzeigen[role="checkbox"]');
  await page.waitForFunction((count) => document.querySelectorAll(".page").length !== count, {}, before);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("Ctrl+C ends everything", async (t) => {
  t.equal(await preview.interrupt(), 0);
  t.strictSame(await readdir(join(folder, "temporary")), [], "no file is left");
  t.strictSame(await processesNaming(join(folder, "temporary")), [], "no process is left");
});

t.test("a wrong key is told with those that there are", async (t) => {
  const { code, errors } = await runCommand([
    "template",
    "preview",
    "poster",
    "--templates",
    templates,
    "--no-open",
  ]);
  t.equal(code, 1);
  t.equal(errors, 'There is no template "poster". There are: leaf, note, sheet.\n');
});

/** Command lines of the processes of this machine that name a folder. */
async function processesNaming(wanted: string): Promise<string[]> {
  const numbers = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = numbers.map((number) => readFile(`/proc/${number}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).filter((line) => line.includes(wanted));
}
