/** The page of the API: what it shows, asks and notices, in a real browser. */
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { writeFiles } from "../../host/plugin-load/plugin-dropping.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { until } from "../../host/plugins-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const patience = { timeout: 30_000 };
let folder: string;
let host: StartedHost;
let browser: Browser;
let page: Page;
/** Of the browser, so far. */
const complaints: string[] = [];
const asked: { url: string; key: string | undefined }[] = [];

t.before(async () => {
  const reporter = t.fixture("symlink", join(repository, "plugins", "reporter"));
  folder = t.testdir({ browser: {}, plugins: { reporter } });
  await writeFiles(await samplePlugin({ version: "1.0.0" }), join(folder, "plugins", "sample"));
  const configuration = {
    releases: { "1.0": { Reporter: "*", Sample: "*" }, legacy: { Sample: "*" } },
    plugins: { defaultRelease: "1.0" },
  };
  [host, browser] = await Promise.all([
    startHost({ plugins: [join(folder, "plugins")], configuration }),
    launchBrowser(join(folder, "browser")),
  ]);
  page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) =>
    asked.push({ url: request.url(), key: request.headers()["authorization"] }),
  );
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${host.url}/docs`);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

/** Resolves when the page has an operation with this id, or has none. */
const shows = (id: string, isShown = true): Promise<unknown> =>
  page.waitForFunction(
    (wanted, isWanted) => (document.querySelector(`[id$="-${wanted}"]`) !== null) === isWanted,
    patience,
    id,
    isShown,
  );

const textOf = (selector: string): Promise<string> =>
  page.$eval(selector, (element) => (element instanceof HTMLElement ? element.innerText : ""));

t.test("shows the operations of host and plugins, and names the host", async (t) => {
  await shows("listPlugins");
  await shows("reporterGetTemplatesJsonIn_1_0");
  t.match(await page.title(), new URL(host.url).host);
  t.match(await textOf(".bar"), /Slipway.*\d+\.\d+\.\d+ at /s);
  t.equal(await page.$eval("body", ({ scrollWidth }) => scrollWidth <= innerWidth), true);
});

t.test("tries an operation out, with the key that was entered", async (t) => {
  await page.type("#key", "a-key-of-nobody");
  await page.keyboard.press("Enter");
  t.equal(await page.$eval("#key", (field) => (field instanceof HTMLInputElement ? field.value : "?")), "");
  const operation = '[id$="-reporterGetTemplatesJsonIn_1_0"]';
  for (const part of [".opblock-summary-control", ".try-out__btn", ".execute"]) {
    await page.waitForSelector(`${operation} ${part}`, patience);
    await page.$eval(`${operation} ${part}`, (element) => element instanceof HTMLElement && element.click());
  }
  const answer = `${operation} .live-responses-table .response`;
  await page.waitForSelector(answer, patience);
  t.match(await textOf(answer), /^200.*"key": "order"/s);
  const request = asked.find(({ url }) => url.endsWith("/1.0/EAIWS/plugins/Reporter/templates.json"));
  t.equal(request?.key, "Bearer a-key-of-nobody");
  await page.$eval("#access", (form) => form instanceof HTMLFormElement && form.requestSubmit());
  t.equal(await textOf("#said"), "", "an empty one signs out");
});

t.test("shows another release, and what changes while it is looked at", async (t) => {
  await page.select("#release", "legacy");
  await shows("sampleGetVersionIn_legacy");
  await shows("reporterGetTemplatesJsonIn_1_0", false);
  t.match(page.url(), /\?release=legacy/);
  const disabled = await fetch(`${host.url}/api/plugins/Sample/disable`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  t.equal(disabled.status, 200);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await shows("sampleGetVersionIn_legacy", false);
  t.match(await textOf("#notice"), /Plugins have changed/);
});

t.test("is readable in the dark", async (t) => {
  const brightness = (): Promise<number> =>
    page.$eval("html", (element) => {
      const parts = getComputedStyle(element).backgroundColor.match(/\d+/g) ?? [];
      return parts.slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await until(async () => (await brightness()) > 0);
  t.ok((await brightness()) < 200);
  t.equal(await page.$eval(":root", (root) => getComputedStyle(root).colorScheme), "dark");
});

t.test("asks nobody but its host, and the browser has nothing to complain of", async (t) => {
  const origins = new Set(
    asked
      .map(({ url }) => new URL(url))
      .flatMap(({ protocol, origin }) => (protocol === "data:" ? [] : origin)),
  );
  t.strictSame([...origins], [host.url]);
  t.strictSame(complaints, []);
  const { headers } = await fetch(`${host.url}/docs/`);
  t.match(headers.get("content-security-policy"), /default-src 'none'; script-src 'self';/);
  t.notMatch(headers.get("content-security-policy"), /unsafe/);
  for (const path of ["main.ts", "swagger-ui/", "..%2f..%2fapp.js"])
    t.equal((await fetch(`${host.url}/docs/${path}`)).status, 404, path);
  t.equal((await fetch(`${host.url}/docs/swagger-ui/LICENSE.txt`)).status, 200);
});
