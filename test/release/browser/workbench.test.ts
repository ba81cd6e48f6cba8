/** The workbench where it is hard: large projects, busy and lost hosts, keys, every width, light and dark. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import t from "tap";
import { orderProject } from "../../bench/oex/order-project.js";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { overhang, proxyWith, says } from "../../browser/admin-support.js";
import {
  chooseFile,
  click,
  findings,
  openDemo,
  openWorkbench,
  reportIsShown,
  treeRows,
} from "../../browser/workbench-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;
let folder: string;

t.before(async () => {
  folder = t.testdir({ browser: {}, files: {} });
  [host, browser] = await Promise.all([startHost(), launchBrowser(join(folder, "browser"))]);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

for (const width of [390, 768, 1920])
  for (const theme of ["light", "dark"])
    t.test(`${width} pixels, ${theme}: nothing is cut off, and axe-core finds nothing`, async (t) => {
      const { page, complaints } = await openWorkbench(browser, host.url, width);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      const look = async (name: string): Promise<void> => {
        t.strictSame(await findings(page), [], name);
        t.equal(await overhang(page), 0, `${name} is not wider than the window`);
      };
      await page.waitForSelector(".drop-place");
      await look("where a project is opened");
      await openDemo(page);
      await look("the project");
      await page.click('.line-list tr[data-kind="article"] .line-text');
      await page.waitForSelector("dialog[open]");
      await look("an article");
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelector("dialog") === null);
      await click(page, "Report");
      t.equal(await reportIsShown(page), 5);
      await look("a report");
      await click(page, "Order export");
      await click(page, "Make the order export", "button");
      await page.waitForSelector(".export-result a");
      await page.$$eval(".setting-fold", (groups) => {
        for (const group of groups) group.setAttribute("open", "");
      });
      await look("an order export");
      await click(page, "Workbook");
      await page.waitForSelector('[data-member="hideMargins"]');
      await look("a workbook");
      t.strictSame(complaints, []);
      await page.browserContext().close();
    });

t.test("a project of 10,000 articles stays usable", async (t) => {
  const file = join(folder, "files", "large.json");
  await writeFile(file, JSON.stringify(await orderProject(10_000)));
  const { page, complaints } = await openWorkbench(browser, host.url);
  await chooseFile(page, file);
  await page.waitForSelector(".line-list tr", { timeout: 120_000 });
  await says(page, /10,600 lines/, ".line-tools");
  t.ok((await treeRows(page)).length < 60, "only what is in sight is drawn");
  await page.focus('.line-list tr[tabindex="0"]');
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-rowindex") === "10601");
  t.ok((await treeRows(page)).length < 60);
  const isSeen = await page.$eval("tr:focus", (row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
  t.ok(isSeen, "the last one is to be seen");
  await page.keyboard.press("Home");
  await page.type('.line-tools input[type="search"]', "no such thing");
  await says(page, /No line has this text/, ".line-tree");
  await click(page, "Workbook");
  await click(page, "Make the workbook", "button");
  await says(page, /Working/, ".export-side");
  await click(page, "Project");
  await says(page, /10,600 lines/, ".line-tools");
  await click(page, "Workbook");
  await page.waitForSelector(".export-result a", { timeout: 300_000 });
  t.strictSame(complaints, []);
  await page.browserContext().close();
});

t.test("a host that ends in the middle and comes back goes on with what it was asked for", async () => {
  const own = join(folder, "var");
  let other = await startHost({ var: own });
  const { url } = other;
  t.teardown(() => other.stop());
  const { page } = await openWorkbench(browser, url);
  await openDemo(page);
  await click(page, "Workbook");
  await page.waitForSelector('[data-member="hideMargins"]');
  await other.kill();
  await click(page, "Make the workbook", "button");
  await says(page, /The host does not respond; this goes on as soon as it is back/, ".export-side");
  other = await startHost({ var: own, flags: ["--port", new URL(url).port] });
  await page.waitForSelector(".export-result a", { timeout: 60_000 });
  await page.waitForFunction(() => document.querySelector(".away") === null);
  await page.browserContext().close();
});

t.test("a project that the host has closed is told as such", async () => {
  const { page } = await openWorkbench(browser, host.url);
  await openDemo(page);
  const sessionId = await page.evaluate(() => location.hash.split("/")[1]);
  await fetch(`${host.url}/api/sessions/${sessionId}`, { method: "DELETE" });
  await page.reload();
  await says(page, /The host does not have this project any more/);
  await page.browserContext().close();
});

t.test("a host that has too much to do, and one that is lost in between, are waited for", async (t) => {
  let overloaded = 2;
  const proxy = await proxyWith("/inner", host.url, ({ url = "" }, outgoing) => {
    if (!url.endsWith("/v1/generate") || overloaded === 0) return false;
    overloaded -= 1;
    if (overloaded === 0) outgoing.destroy();
    else {
      const error = { code: 503, id: "request-overloaded", message: "Too many requests wait." };
      outgoing.writeHead(503, { "Retry-After": "1", "Content-Type": "application/json" });
      outgoing.end(JSON.stringify(error));
    }
    return true;
  });
  t.teardown(() => {
    proxy.server.closeAllConnections();
    proxy.server.close();
  });
  const { page } = await openWorkbench(browser, proxy.url);
  await openDemo(page);
  await click(page, "Report");
  await says(page, /The host is busy; next try in/, ".report-progress");
  t.equal(await reportIsShown(page), 5);
  t.equal(overloaded, 0);
  await page.browserContext().close();
});

t.test(
  "where the admin has keys it takes the role of sessions, and where it is off there is none",
  async (t) => {
    const own = join(folder, "keys");
    const keyOf = async (name: string, role: string): Promise<string> => {
      const made = await runCommand(["key", "new", name, "--role", role, "--var", own]);
      t.equal(made.code, 0, made.errors);
      return made.output.trim();
    };
    const looker = await keyOf("looker", "read");
    const seller = await keyOf("seller", "sessions");
    const guarded = await startHost({ var: own, configuration: { access: { plugins: "key" } } });
    t.teardown(() => guarded.stop());
    const { page } = await openWorkbench(browser, guarded.url);
    const led = await fetch(guarded.url, { headers: { accept: "text/html" } });
    t.equal(led.url, `${guarded.url}/workbench/`, "the page is for everybody; it asks for the key");
    const signIn = async (key: string): Promise<void> => {
      await says(page, /This host requires a key/, "dialog");
      await page.type('dialog input[type="password"]', key);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector("dialog") === null);
    };
    await signIn(looker);
    await says(page, /This key lacks the role/);
    await click(page, "looker: Forget key", "button");
    await page.waitForSelector("dialog[open]");
    await signIn(seller);
    await openDemo(page);
    await click(page, "Report");
    t.equal(await reportIsShown(page), 5);
    const link = await page.$eval(".made-file a", (download) => download.href);
    t.equal((await fetch(link)).status, 200, "the link to a file needs no key");
    await page.browserContext().close();

    const off = await startHost({ configuration: { workbench: false } });
    t.teardown(() => off.stop());
    const instead = await fetch(off.url, { headers: { accept: "text/html" } });
    t.equal(instead.url, `${off.url}/admin/`);
    t.equal((await fetch(`${off.url}/workbench/`)).status, 404);
  },
);

t.test("a file with an OBX inside a PDF is a project as well", async () => {
  const { page } = await openWorkbench(browser, host.url);
  await openDemo(page);
  await click(page, "Order export");
  await page.waitForSelector('[data-member="config.attachPDF"] input');
  await page.click('[data-member="config.attachPDF"] input');
  await page.click('[data-member="config.embedInPDF"] label:nth-child(2) input');
  await click(page, "Make the order export", "button");
  await says(page, /\.pdf/, ".export-result");
  const address = await page.$$eval(
    ".export-result a",
    (links) => links.find(({ href }) => href.endsWith(".pdf"))?.href,
  );
  const pdf = join(folder, "files", "order.pdf");
  await writeFile(pdf, Buffer.from(await (await fetch(address ?? "")).arrayBuffer()));
  await chooseFile(page, pdf);
  await page.waitForFunction(() => document.querySelectorAll(".project-tabs li").length === 2);
  await says(page, /Task chair Aro/, ".line-list");
  await page.browserContext().close();
});
