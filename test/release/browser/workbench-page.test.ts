/** The workbench: a real host, its page in a real browser, from the drop of a file to what is made of it. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { type AdminPage, dropFile, overhang, says } from "../../browser/admin-support.js";
import {
  click,
  demoProject,
  openWorkbench,
  reportIsShown,
  treeRows,
} from "../../browser/workbench-support.js";
import { until } from "../../host/plugins-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;
let folder: string;
let bench: AdminPage;

t.before(async () => {
  folder = t.testdir({ browser: {}, downloads: {}, files: {} });
  [host, browser] = await Promise.all([startHost(), launchBrowser(join(folder, "browser"))]);
  bench = await openWorkbench(browser, host.url);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

/** Has what a page downloads in a folder of the test. */
async function keepDownloads(page: Page): Promise<void> {
  const devtools = await page.createCDPSession();
  const { id = "" } = page.browserContext();
  const downloadPath = join(folder, "downloads");
  await devtools.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath,
    browserContextId: id,
  });
}

t.test("from the drop of a file to its PDF it is two clicks", async (t) => {
  const { page } = bench;
  await keepDownloads(page);
  const clicks: string[] = [];
  const press = async (name: string): Promise<void> => {
    clicks.push(name);
    await click(page, name);
  };
  await says(page, /Open a project[\s\S]*Choose a file/);
  await dropFile(page, demoProject);
  await says(page, /Total\s+€36,036\.85/, ".sums");
  await press("Report");
  t.equal(await reportIsShown(page), 5);
  await says(page, /Quote[\s\S]*Harbourlight Media GmbH/, ".report-paper");
  const name = await page.$eval(".made-file a", (link) => link.getAttribute("download") ?? "");
  await press("Download PDF");
  const saved = join(folder, "downloads", name);
  await until(async () => (await readdir(join(folder, "downloads"))).includes(name));
  t.equal((await readFile(saved)).toString("latin1", 0, 5), "%PDF-");
  t.strictSame(clicks, ["Report", "Download PDF"]);
});

t.test("the project shows its tree with pictures and prices, its header and its addresses", async (t) => {
  const { page } = bench;
  await click(page, "Project");
  await says(page, /Open workspace/, ".line-list");
  const rows = await treeRows(page);
  t.equal(rows[0], "1 | Open workspace |  |  | €16,881.30");
  t.match(rows.join("\n"), /1\.2 \| Task chair Aro, upholstered back .* \| 6 \| €580\.05 \| €3,480\.30/);
  t.match(rows.join("\n"), /Task chair Aro, mesh back Alternative/);
  await says(page, /Customer\s+Harbourlight Media GmbH[\s\S]*Addresses[\s\S]*Delivery/, ".project-facts");
  await page.waitForSelector(".line-list .picture img");
  await page.type('.line-tools input[type="search"]', "task chair");
  await says(page, /2 lines found/);
  t.equal((await treeRows(page)).length, 3, "with the folder that they are in");
  await page.$eval('.line-tools input[type="search"]', (field) => field.select());
  await page.keyboard.press("Backspace");
});

t.test("an option changes the pages; a link leads others to the file for as long as it lives", async (t) => {
  const { page } = bench;
  await click(page, "Report");
  await reportIsShown(page);
  const logo = '[data-option="logoUrl"]';
  const reset = await page.waitForSelector(`${logo} img`).then(() => page.$(`${logo} .reset-button`));
  await says(page, /SVG, \d+ kB/, logo);
  t.notMatch(await page.$eval(logo, (row) => row.innerHTML.replace(/<img[^>]*>/, "")), /data:/);
  const chooser = await page.$(`${logo} input[type="file"]`);
  await chooser?.uploadFile(demoProject);
  await says(page, /This file is not a picture/, logo);
  await chooser?.uploadFile(join(repository, "host/web/workbench/screenshots/report.png"));
  await says(page, /PNG, \d+ kB/, logo);
  await click(page, "Remove Logo", "button");
  await says(page, /No picture/, logo);
  await reset?.click();
  await says(page, /SVG/, logo);
  await page.type('[data-option="subject"] input', "Our offer");
  await says(page, /Our offer/, ".report-paper .text-layer");
  await reportIsShown(page);
  await page.click(".link-place summary");
  await says(page, /The link works until .*20\d\d/, ".link-box");
  for (const width of [390, 1024, 1280]) {
    await page.setViewport({ width, height: 900 });
    t.equal(await overhang(page), 0, `at ${width} pixels nothing is beyond the window`);
  }
  const address = await page.$eval(".link-box input", (field) => field.value);
  const { status, headers } = await fetch(address);
  t.equal(status, 200);
  t.ok(Date.parse(headers.get("sunset") ?? "") > Date.now() + 3_600_000);
});

t.test("an order export: settings from the plugin's schema, what differs on top, files", async (t) => {
  const { page } = bench;
  await click(page, "Order export");
  await says(page, /All settings have their default values/, ".changed-settings");
  const groups = await page.$$eval(".setting-fold h2", (titles) => titles.map((title) => title.textContent));
  t.notOk(groups.includes("Other settings"), "each setting has words in the languages of the page");
  await click(page, "Make the order export", "button");
  await says(
    page,
    /Document \(OEX\)\s+Share link\s+oex-\S+\.xml · \d+ kB[\s\S]*\.obx[\s\S]*\.zip/,
    ".export-result",
  );
  await page.click('[data-member="config.attachPDF"] input');
  await page.click(".choice-list input");
  await says(
    page,
    /2 settings differ[\s\S]*Manufacturers[\s\S]*Brenholt[\s\S]*Order as PDF\s+on/,
    ".changed-settings",
  );
  await says(page, /Made before the last change/, ".export-result");
  await click(page, "Make the order export", "button");
  await says(page, /\.pdf/, ".export-result");
  const addresses = await page.$$eval(".export-result .made-file a", (links) =>
    links.map((link) => link.href),
  );
  t.equal(addresses.length, 4);
  const document = await (await fetch(addresses[0] ?? "")).text();
  t.match(document, /BREN/);
  t.notMatch(document, /SOLV/);
  await click(page, "Order as PDF: back to the default", "button");
  await says(page, /1 setting differs/, ".changed-settings");
  await page.type(".find-setting input", "supplier");
  await page.type('[data-member="config.vendorNo"] input', "70441");
  const kept = await page.evaluate(() => localStorage.getItem("slipway-workbench order"));
  t.match(kept, /70441/);
  t.notMatch(kept, /BREN/, "what is about one project is not remembered for others");
});

t.test("a workbook", async (t) => {
  const { page } = bench;
  await click(page, "Workbook");
  await page.waitForSelector('[data-member="hideMargins"] input');
  await page.click('[data-member="hideMargins"] input');
  await click(page, "Make the workbook", "button");
  await says(page, /\.xlsx/, ".export-result");
  const address = await page.$eval(".export-result .made-file a", (link) => link.href);
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
  t.equal(bytes.toString("latin1", 0, 2), "PK");
});

t.test("several projects lie side by side; what goes on with one stays", async (t) => {
  const { page } = bench;
  const order = join(folder, "files", "order.json");
  const { header, ...rest } = JSON.parse(await readFile(demoProject.replace(".obk", ".json"), "utf8"));
  await writeFile(order, JSON.stringify({ ...rest, header: { ...header, name: "Second floor" } }));
  await dropFile(page, order);
  await says(page, /Second floor/, ".view-tabs h1");
  await says(page, /Total\s+€36,036\.85/, ".sums");
  t.equal(await page.$$eval(".project-tabs li", (tabs) => tabs.length), 2);
  await click(page, "Harbourlight Media: new second floor");
  await says(page, /Harbourlight/, ".view-tabs h1");
  await click(page, "Workbook");
  await says(page, /\.xlsx/, ".export-result");
  await page.reload();
  await says(page, /Second floor/, ".project-tabs");
  await click(page, "Close Second floor", "button");
  await page.waitForFunction(() => document.querySelectorAll(".project-tabs li").length === 1);
  await says(page, /Second floor is closed/, ".toasts");
});

t.test("a file that cannot be read is told in words, and the page goes on", async (t) => {
  const { page, complaints } = bench;
  const broken = join(folder, "files", "broken.obk");
  await writeFile(broken, (await readFile(demoProject)).subarray(0, 20_000));
  await dropFile(page, broken);
  await says(
    page,
    /This file cannot be read\.\s+The project file cannot be read: the ZIP[\s\S]*broken\.obk/,
    ".notice",
  );
  await click(page, "Dismiss", "button");
  await page.waitForFunction(() => document.querySelector(".openings") === null);
  t.match(complaints.splice(0), [/400/], "the browser tells of the refusal, and of nothing else");
});

t.test("in German, by the language of the browser and by choice", async (t) => {
  const { page, complaints } = await openWorkbench(browser, host.url, 390, "de-AT");
  await says(page, /Projekt öffnen[\s\S]*Datei auswählen/);
  await click(page, "Mit einem Beispielprojekt ausprobieren", "button");
  await says(page, /Gesamtbetrag\s+€\s36\.036,85/, ".sums");
  const isWhole = await page.$eval(
    '.line-row[data-kind="text"] .line-title',
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth <= clientWidth && scrollHeight <= clientHeight,
  );
  t.ok(isWhole, "texts have the room of the amounts that they lack");
  t.equal(await page.$eval("html", (root) => root.lang), "de");
  await says(page, /Mehrwertsteuer 19 %/, ".sums");
  await click(page, "Dokument");
  await reportIsShown(page);
  await says(page, /Angebot/, ".report-paper");
  await click(page, "Bestellexport");
  await says(
    page,
    /Welche Bestellung[\s\S]*Alle Einstellungen entsprechen der Vorgabe|Alle Einstellungen entsprechen der Vorgabe/,
  );
  t.equal(await overhang(page), 0);
  await page.select(".language", "en");
  await says(page, /Make the order export/);
  t.strictSame(complaints, []);
  await page.browserContext().close();
});

t.test("in the first language of the browser that pages speak, with its plural forms", async (t) => {
  const { page, complaints } = await openWorkbench(browser, host.url, 390, "pt-BR,cs-CZ,fr-FR");
  await says(page, /Otevřít projekt[\s\S]*Vybrat soubor/);
  t.equal(await page.$eval("html", (root) => root.lang), "cs");
  const languages = await page.$$eval(".language option", (options) =>
    options.map(({ lang, text }) => `${lang} ${text}`),
  );
  t.strictSame(languages, [
    ...["en English", "de Deutsch", "fr Français", "it Italiano", "es Español", "nl Nederlands"],
    ...["pl Polski", "sv Svenska", "da Dansk", "cs Čeština"],
  ]);
  await click(page, "Vyzkoušet s ukázkovým projektem", "button");
  await says(page, /Celkem\s+36\s036,85\s€/, ".sums");
  await says(page, /\d+ (řádky|řádků)/, ".line-tools");
  await click(page, "Dokument");
  await reportIsShown(page);
  await says(page, /Nabídka[\s\S]*Celkem s DPH/, ".report-paper");
  await page.waitForSelector("aria/Stránka 1");
  await click(page, "Export objednávky");
  await says(page, /Všechna nastavení mají výchozí hodnoty[\s\S]*Která objednávka[\s\S]*Pro odborníky/);
  t.equal(await overhang(page), 0);
  await page.select(".language", "pl");
  await says(page, /Które zamówienie[\s\S]*Dla ekspertów/);
  t.equal(await page.$eval("html", (root) => root.lang), "pl");
  t.equal(await overhang(page), 0);
  await page.reload();
  await says(page, /Otwarte na tym serwerze|Skoroszyt/);
  t.equal(await page.$eval("html", (root) => root.lang), "pl", "the choice counts before the browser's");
  t.strictSame(complaints, []);
  await page.browserContext().close();
});

t.test("without the words of a language the page keeps its own and says so", async (t) => {
  const { page, complaints } = await openWorkbench(browser, host.url);
  await says(page, /Open a project/);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.url().includes("/swedish-")) void request.abort();
    else void request.continue();
  });
  await page.select(".language", "sv");
  await says(page, /did not send the words for Svenska/, ".toasts");
  t.equal(await page.$eval("html", (root) => root.lang), "en");
  t.equal(await page.$eval(".language", (field) => Reflect.get(field, "value")), "en");
  complaints.splice(0);
  await page.browserContext().close();
});

t.test("the keyboard alone is enough", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  const reach = async (name: RegExp): Promise<void> => {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press("Tab");
      const reached = await page.evaluate(() => {
        const focused = document.activeElement;
        return focused?.getAttribute("aria-label") ?? focused?.textContent ?? "";
      });
      if (name.test(reached)) return;
    }
    throw new Error(`The Tab key does not lead to ${name}`);
  };
  await page.waitForSelector(".drop-place");
  await reach(/^Choose a file/);
  const choosing = page.waitForFileChooser();
  // The browser has to know that somebody waits before the key comes.
  await page.evaluate(() => document.hasFocus());
  await page.keyboard.press("Enter");
  const chooser = await choosing;
  await chooser.accept([demoProject]);
  await says(page, /Total\s+€36,036\.85/, ".sums");
  await page.focus("main");
  await reach(/^1Open workspace/);
  const first = (): Promise<string> => page.$eval("tr:focus", (row) => row.innerText);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"] as const)
    await page.keyboard.press(key);
  t.match(await first(), /1\.1\.2/);
  await page.keyboard.press("ArrowLeft");
  t.match(await first(), /1\.1\s/, "to the set that it is in");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-expanded") === "false");
  await page.keyboard.press("ArrowDown");
  t.match(await first(), /1\.2\s/, "its parts are folded up");
  await page.keyboard.press("Enter");
  await says(page, /Task chair Aro, upholstered back[\s\S]*Configuration/, "dialog");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await page.focus("main");
  await reach(/^Report$/);
  await page.keyboard.press("Enter");
  await reportIsShown(page);
  await reach(/^Download /);
  await page.browserContext().close();
});

t.test("the admin page is one click away, and back", async (t) => {
  const { page } = bench;
  await click(page, "Admin page");
  await says(page, /Overview/, "h1");
  await click(page, "Workbench");
  await says(page, /Open a project/);
  t.strictSame(bench.complaints, []);
  t.strictSame(bench.strangers, []);
});
