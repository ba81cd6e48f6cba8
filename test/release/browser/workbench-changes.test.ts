/** The workbench while its host changes: templates that come, files that go; and the address of the host. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { openPage, says } from "../../browser/admin-support.js";
import {
  chooseFile,
  click,
  openDemo,
  openWorkbench,
  reportIsShown,
} from "../../browser/workbench-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;
let folder: string;
let templates: string;

t.before(async () => {
  folder = t.testdir({ browser: {}, templates: {}, files: {} });
  templates = join(folder, "templates");
  const plugins = ["oex", "reporter"].map((name) => join(repository, "plugins", name));
  await mkdir(join(folder, "plugins"));
  for (const plugin of plugins)
    await cp(plugin, join(folder, "plugins", plugin.split("/").at(-1) ?? ""), { recursive: true });
  // What the templates have in common, which is no template.
  await Promise.all(["_articles", "_standard"].map(addTemplate));
  const options = {
    plugins: [join(folder, "plugins")],
    templates: [templates],
    configuration: { files: { lifetime: 20_000, minimumLifetime: 1 } },
  };
  [host, browser] = await Promise.all([startHost(options), launchBrowser(join(folder, "browser"))]);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

/** Lays a folder of templates of the repository into the folder of the host. */
async function addTemplate(key: string): Promise<void> {
  await cp(join(repository, "templates", key), join(templates, key), { recursive: true });
}

t.test("templates and plugins that come while the page is open are offered without a reload", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  await chooseFile(page, join(repository, "config", "demo", "demo-project.obk"));
  await says(page, /This host has no templates/, ".empty");
  await click(page, "Report");
  await says(page, /This host has no templates[\s\S]*Check again/, ".empty");
  await addTemplate("quote");
  t.ok((await reportIsShown(page)) > 0);
  await click(page, "Project");
  await says(page, /Total\s+€36,036\.85/, ".sums");
  await addTemplate("delivery-list");
  await click(page, "Report");
  await page.waitForFunction(
    () => {
      // The list is renewed when a person comes to it.
      const field = document.querySelector<HTMLElement>(".report-choices select");
      field?.blur();
      field?.focus();
      return field?.querySelector('option[value="delivery-list"]') != null;
    },
    { polling: 500, timeout: 60_000 },
  );
  await click(page, "Workbook");
  await says(page, /no plugin for workbooks/, ".empty");
  await cp(join(repository, "plugins", "spreadsheet"), join(folder, "plugins", "spreadsheet"), {
    recursive: true,
  });
  await page.waitForSelector('[data-member="hideMargins"] input', { timeout: 60_000 });
  await page.browserContext().close();
});

t.test("of many notes some are drawn, and more on demand", async (t) => {
  const article = (index: number): string =>
    `<bskArticle itemType="Kind${index}"><quantity count="1"/></bskArticle>`;
  const file = join(folder, "files", "odd.obx");
  const articles = Array.from({ length: 1000 }, (_, index) => article(index));
  await writeFile(
    file,
    `<cutBuffer><versionInfo vendorKey="Test" appKey="Test" appVersion="1" bskXmlVersion="1.8.10"/><items>${articles.join("")}</items></cutBuffer>`,
  );
  const { page } = await openWorkbench(browser, host.url);
  await chooseFile(page, file);
  await says(page, /1,000 parts were left out/, ".notice");
  t.equal(await page.$$eval(".skipped li", (notes) => notes.length), 50);
  await page.click(".skipped summary");
  await click(page, "Show 50 more", "button");
  await says(page, /100 of 200[\s\S]*800 more are not listed/, ".skipped");
  t.equal(await page.$$eval(".skipped li", (notes) => notes.length), 100);
  await page.browserContext().close();
});

t.test("after a click on its fold button the keyboard goes on from a line", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  await openDemo(page);
  const focused = (): Promise<string> => page.$eval("tr:focus", (row) => row.innerText);
  await click(page, "Collapse Meeting and lounge", "button");
  t.match(await focused(), /^2\s+Meeting and lounge/);
  await page.keyboard.press("Enter");
  await page.waitForSelector('tr:focus[aria-expanded="true"]');
  await page.keyboard.press("ArrowDown");
  t.match(await focused(), /^2\.1\s/);
  const outline = await page.$eval("tr:focus-visible", (row) => getComputedStyle(row).outlineStyle);
  t.not(outline, "none", "it is to be seen where the keyboard is");
  await click(page, "Collapse all", "button");
  await page.waitForFunction(() => document.querySelectorAll(".line-list tr").length < 5);
  const place = await page.$eval('.line-list tr[tabindex="0"]', (row) => row.innerText);
  t.match(place, /^2\s+Meeting and lounge/, "at the folder that the line is in");
  await page.browserContext().close();
});

t.test("the link to a file works in another browser, and says what happened when it is gone", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  await openDemo(page);
  await click(page, "Report");
  await reportIsShown(page);
  const address = await page.$eval(".report-head .made-file a", (link) => link.href);
  const other = await fetch(address, { headers: { accept: "text/html,*/*;q=0.8" } });
  t.equal(other.status, 200);
  t.equal(Buffer.from(await other.arrayBuffer()).toString("latin1", 0, 5), "%PDF-");
  await page.waitForFunction(
    async (url) => (await fetch(url, { method: "HEAD" })).status === 404,
    { timeout: 90_000, polling: 1000 },
    address,
  );
  const profile = await browser.createBrowserContext();
  const { page: stranger } = await openPage(profile, address);
  await says(stranger, /This file is not available any more/);
  const german = await fetch(address, {
    headers: { accept: "text/html", "accept-language": "de-DE,de;q=0.9" },
  });
  t.equal(german.status, 404);
  t.match(await german.text(), /<html lang="de">.*Diese Datei ist nicht mehr verfügbar/s);
  const swiss = await fetch(address, {
    headers: { accept: "text/html", "accept-language": "pt,fr-CH;q=0.9,de;q=0.8" },
  });
  t.match(await swiss.text(), /<html lang="fr">.*Ce fichier n’est plus disponible/s);
  const program = await fetch(address);
  t.match(await program.json(), { code: 404, id: "request-not-found" });
  await profile.close();
  await page.browserContext().close();
});

t.test("who opens the address of the host sees the workbench", async (t) => {
  const profile = await browser.createBrowserContext();
  const { page, complaints } = await openPage(profile, `${host.url}/`);
  await says(page, /Open a project[\s\S]*Choose a file/);
  t.equal(page.url(), `${host.url}/workbench/`);
  await click(page, "Admin page");
  await says(page, /Overview/, "h1");
  t.strictSame(complaints, []);
  await profile.close();
});
