/** What the workbench leaves behind: sessions on the host, and what the browser keeps. */
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { overhang, says } from "../../browser/admin-support.js";
import { click, openDemo, openWorkbench, reportIsShown } from "../../browser/workbench-support.js";
import { until } from "../../host/plugins-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let browser: Browser;

t.before(async () => {
  const folder = t.testdir({ browser: {} });
  [host, browser] = await Promise.all([startHost(), launchBrowser(join(folder, "browser"))]);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

async function openSessions(): Promise<string[]> {
  const { sessions } = await (await fetch(`${host.url}/api/sessions`)).json();
  return sessions.map(({ sessionId }: { sessionId: string }) => sessionId);
}

/** The names under which the page keeps something of projects. */
function keptNames(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(sessionStorage).filter((name) => /^slipway-(project|preview) /.test(name)),
  );
}

/** Has the report printed in German. */
async function printInGerman(page: Page): Promise<void> {
  await click(page, "Report");
  await reportIsShown(page);
  await page.select(".report-choices label:last-of-type select", "de_DE");
  await says(page, /Angebot/, ".report-paper .text-layer");
  await reportIsShown(page);
}

t.test("closing a project closes its sessions of other languages and forgets what was kept", async (t) => {
  const { page, complaints } = await openWorkbench(browser, host.url);
  await openDemo(page);
  await printInGerman(page);
  t.equal((await openSessions()).length, 2);
  await page.reload();
  await reportIsShown(page);
  await printInGerman(page);
  t.equal((await openSessions()).length, 2, "the one that was there before");
  await click(page, "Order export");
  await page.waitForSelector('[data-member="config.attachPDF"] input');
  await page.click('[data-member="config.attachPDF"] input');
  t.equal((await keptNames(page)).length, 3, "template, settings and the session in German");
  await page.reload();
  await page.waitForSelector('[data-member="config.attachPDF"] input');
  await click(page, "Close Harbourlight Media: new second floor", "button");
  await until(async () => (await openSessions()).length === 0);
  t.strictSame(await keptNames(page), []);
  t.strictSame(complaints, []);
  await page.browserContext().close();
});

t.test("a session in another language that ended in between is opened again", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  await openDemo(page);
  await printInGerman(page);
  const [, copy] = await openSessions();
  await fetch(`${host.url}/api/sessions/${copy}`, { method: "DELETE" });
  await page.type('[data-option="subject"] input', "Noch einmal");
  await says(page, /Noch einmal/, ".report-paper .text-layer");
  t.equal((await openSessions()).length, 2);
  await click(page, "Close Harbourlight Media: new second floor", "button");
  await until(async () => (await openSessions()).length === 0);
  await page.browserContext().close();
});

t.test("a browser that keeps nothing", async (t) => {
  const refusals = {
    "has no room": () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      };
    },
    "allows no site data": () => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("Access is denied for this document.", "SecurityError");
          },
        });
    },
  };
  for (const [name, refuse] of Object.entries(refusals)) {
    const { page, complaints } = await openWorkbench(browser, host.url);
    await page.evaluateOnNewDocument(refuse);
    await page.reload();
    await openDemo(page);
    await printInGerman(page);
    await click(page, "Order export");
    await page.waitForSelector('[data-member="config.attachPDF"] input');
    await page.click('[data-member="config.attachPDF"] input');
    await says(page, /1 setting differs/, ".changed-settings");
    await page.select(".language", "de");
    await says(page, /1 Einstellung weicht/, ".changed-settings");
    await page.click('.theme input[value="dark"], .theme label:last-of-type');
    t.strictSame(complaints, [], name);
    await click(page, "Harbourlight Media: new second floor schließen", "button");
    await until(async () => (await openSessions()).length === 0);
    await page.browserContext().close();
  }
});

t.test("leftovers of projects that are not open any more are removed", async (t) => {
  const { page } = await openWorkbench(browser, host.url);
  await page.evaluate(() =>
    sessionStorage.setItem("slipway-project 0b8a7c4e-57a1-4c36-9c2c-4a3a4d2c8f11 order", "{}"),
  );
  await page.reload();
  await page.waitForSelector(".drop-place");
  t.strictSame(await keptNames(page), []);
  await page.browserContext().close();
});

t.test("remembered settings that the plugin does not know any more are left out, and named", async (t) => {
  const { page, complaints } = await openWorkbench(browser, host.url, 390);
  const kept = {
    config: { vendorNo: "70441", oexVersion: "9.9", colourOfPaper: "red", attachPDF: "yes" },
    sendTo: "nobody",
  };
  await page.evaluate((text) => localStorage.setItem("slipway-workbench order", text), JSON.stringify(kept));
  await openDemo(page);
  await click(page, "Order export");
  await says(
    page,
    /4 remembered settings were left out\s+.*: Version of the format, colourOfPaper, Order as PDF, sendTo\./,
    ".notice",
  );
  await says(page, /1 setting differs/, ".changed-settings");
  t.equal(await overhang(page), 0);
  await click(page, "Make the order export", "button");
  await says(page, /\.xml/, ".export-result");
  const address = await page.$eval(".export-result .made-file a", (link) => link.href);
  t.match(await (await fetch(address)).text(), /70441/, "what it knows is sent");
  await click(page, "Dismiss", "button");
  await page.waitForFunction(() => document.querySelector(".export-side .notice") === null);
  const left = await page.evaluate(() => localStorage.getItem("slipway-workbench order"));
  t.strictSame(JSON.parse(left ?? ""), { config: { vendorNo: "70441" } });
  t.strictSame(complaints, []);
  await page.browserContext().close();
});
