/** The admin page: a host as admins start it, its page in a real browser. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../bench/pdf/browser-contenders.js";
import { dropArchive, remove, writeFiles } from "../host/plugin-load/plugin-dropping.js";
import { firstPartyPlugin, type SampleOptions, samplePlugin } from "../host/plugin-load/plugin-maker.js";
import { until } from "../host/plugins-support.js";
import { project, session } from "../host/sessions-support.js";
import { definition } from "../host/templates-support.js";
import { runCommand } from "../run-command.js";
import { type StartedHost, startHost } from "../start-host.js";
import {
  type AdminPage,
  confirm,
  dropFile,
  goTo,
  openAdmin,
  overhang,
  press,
  proxyWith,
  rowWith,
  says,
} from "./admin-support.js";

const views = [
  "overview",
  "plugins",
  "plugins/Sample",
  "plugins/Reporter",
  "templates",
  "sessions",
  "jobs",
  "requests",
  "audit",
];

/** Whatever a busy machine keeps the host from is no mistake of the page. */
const isWell = /All is well|Process\s+The event loop was blocked/;

/** The title of the page and what it says of the host are of the same moment. */
const titleIs = (page: AdminPage["page"], view: string): Promise<void> =>
  until(() =>
    page.evaluate((name) => {
      let count = 0;
      for (const each of document.querySelectorAll("nav .count"))
        count += parseInt(each.textContent ?? "", 10);
      return document.title === `${count === 0 ? "" : `(${count}) `}${name} – Slipway`;
    }, view),
  );

let folder: string;
let host: StartedHost;
let browser: Browser;
let admin: AdminPage;

/** The archive of a version of the sample plugin. */
async function archive(options: SampleOptions): Promise<string> {
  const file = join(folder, "archives", `sample-${options.version}.tgz`);
  await dropArchive(await samplePlugin(options), file);
  return file;
}

/** What the host says of its API's `path`. */
async function answer(path: string): Promise<string> {
  return (await fetch(`${host.url}/api/${path}`)).text();
}

const start = (flags: string[] = []): Promise<StartedHost> =>
  startHost({
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    templates: [join(folder, "templates")],
    configuration: {
      preview: true,
      releases: { "1.0": { Sample: "^1.0.0" }, "2.0": { Sample: ">=1.0.0", Reporter: "*" } },
    },
    flags,
  });

t.before(async () => {
  folder = t.testdir({ browser: {}, var: {}, plugins: {}, templates: {}, archives: {} });
  await writeFiles(await samplePlugin({ version: "1.0.0" }), join(folder, "plugins", "sample-1"));
  await writeFiles(await firstPartyPlugin("reporter", "1.0.0"), join(folder, "plugins", "reporter"));
  await mkdir(join(folder, "templates", "sheet"));
  await writeFile(join(folder, "templates", "sheet", "template.json"), definition("sheet"));
  await writeFile(join(folder, "templates", "sheet", "report.ejs"), "<p>one</p>");
  [host, browser] = await Promise.all([start(), launchBrowser(join(folder, "browser"))]);
  admin = await openAdmin(browser, host.url);
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

t.test("the overview says that all is well, and what serves", async (t) => {
  const { page } = admin;
  await says(page, isWell);
  await says(page, /Sample 1\.0\.0/);
  t.match(await rowWith(page, "/2.0"), /default.*Sample 1\.0\.0/s);
  await says(page, /Release 2\.0 answers with Sample@1\.0\.0/, ".events");
  const status = JSON.parse(await answer("status"));
  await says(page, new RegExp(`process ${status.process.id}`));
  await titleIs(page, "Overview");
});

t.test("the address of the host leads browsers to the page, and nobody else", async (t) => {
  const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const led = await fetch(host.url, asBrowser);
  t.match([led.status, led.url], [200, `${host.url}/admin/`]);
  t.equal((await fetch(host.url)).status, 404);
});

t.test("a dropped archive goes live, after a question", async () => {
  const { page } = admin;
  await goTo(page, "plugins");
  await says(page, /2 plugins in 2 versions/);
  await dropFile(page, await archive({ version: "1.1.0" }));
  await says(page, /sample-1\.1\.0\.tgz[\s\S]*clients of that release get its answers/, "dialog");
  await confirm(page);
  await says(page, /Live[\s\S]*Sample 1\.1\.0\s+Live in releases 1\.0 and 2\.0/, ".upload");
  await press(page, "Close sample-1.1.0.tgz");
  await until(async () => /Live.*1\.0, 2\.0/.test((await rowWith(page, "1.1.0")) ?? ""));
  await says(page, /Release 1\.0 answers with Sample@1\.1\.0 instead of 1\.0\.0/, ".events");
});

t.test("what a plugin offers to others can be read, with the members of input and output", async () => {
  const { page } = admin;
  await goTo(page, "plugins/Reporter");
  await says(page, /reports\.generate.*needs a session/, ".services summary");
  await (await page.waitForSelector(".services summary"))?.click();
  await says(
    page,
    /Input[\s\S]*templateKey\s+string\s+required[\s\S]*Output[\s\S]*file\.id\s/,
    ".services details",
  );
  await goTo(page, "plugins/Sample");
  await says(page, /no services/, "article.version");
  await goTo(page, "plugins");
});

t.test("what is refused says why, in full", async (t) => {
  const { page, complaints } = admin;
  const field = await page.$('input[type="file"]');
  await field?.uploadFile(await archive({ version: "1.2.0", broken: "failing-probe" }));
  await press(page, "Install");
  await says(page, /plugin-rejected · 422/, ".upload");
  await says(page, /probe/, ".upload");
  await press(page, "Close sample-1.2.0.tgz");
  t.match(complaints.splice(0), [/422/], "the browser tells of the refusal, and of nothing else");
  await dropArchive(
    await samplePlugin({ version: "1.3.0", broken: "throws-in-setup" }),
    join(folder, "plugins", "broken.tgz"),
  );
  await until(async () => /Failed/.test((await rowWith(page, "1.3.0")) ?? ""));
  const [state] = JSON.parse(await answer("plugins")).plugins.filter(
    ({ version }: { version: string }) => version === "1.3.0",
  );
  t.ok((await rowWith(page, "1.3.0"))?.includes(state.reason), "with the reason that the host gives");
  await goTo(page, "overview");
  await says(page, /needs? a look[\s\S]*Sample 1\.3\.0: failed/, ".verdict");
  t.match(await page.title(), /^\(\d\) /);
  await remove(join(folder, "plugins", "broken.tgz"));
  await goTo(page, "plugins");
  await press(page, "Look now");
  await says(page, /The host has scanned its folders\./, ".toasts");
  await goTo(page, "overview");
  await says(page, isWell);
});

t.test("a version is rolled back in one release, with the keyboard alone", async (t) => {
  const { page } = admin;
  await goTo(page, "plugins/Sample");
  await page.waitForSelector('aria/Roll back …[role="button"]');
  await page.focus("main");
  await reach(page, "Roll back …");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  await reach(page, "Release");
  await page.keyboard.type("1.0");
  await says(
    page,
    /Clients of release 1\.0 get answers of the previous version of Sample instead of 1\.1\.0/,
  );
  await reach(page, "To version");
  await page.keyboard.type("1.0.0");
  await reach(page, "Roll back");
  await page.keyboard.press("Enter");
  await says(page, /Release 1\.0 answers with Sample 1\.0\.0\./, ".toasts");
  await says(page, /Serves 1\.0\.0 in release 1\.0 · 1\.1\.0 in release 2\.0/);
  await says(page, /Release 1\.0 was rolled back to 1\.0\.0/);
  const { releases } = JSON.parse(await answer("plugins/Sample"));
  t.strictSame(releases, { "1.0": "1.0.0", "2.0": "1.1.0" });
  t.equal(await page.$("dialog[open]"), null);
});

t.test("a plugin is disabled and enabled; a dialog that is left does nothing", async (t) => {
  const { page } = admin;
  await press(page, "Disable …");
  await says(page, /Clients of releases 1\.0 and 2\.0 that call .*Sample.* get 404/, "dialog");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  t.equal(JSON.parse(await answer("plugins/Sample")).disabled, false);
  await press(page, "Disable …");
  await confirm(page);
  await says(page, /Disabled\s+Not in any release/);
  t.equal(JSON.parse(await answer("plugins/Sample")).disabled, true);
  await press(page, "Enable …");
  await confirm(page);
  await says(page, /Serves 1\.[01]\.0/);
  t.equal(JSON.parse(await answer("plugins/Sample")).disabled, false);
});

t.test("who did it stands in the audit", async (t) => {
  const { page } = admin;
  await goTo(page, "audit");
  await says(page, /plugin\.enable/);
  t.match(await rowWith(page, "plugin.disable"), /Sample.*\| Done \|/s);
  await says(page, /plugin\.rollback/);
});

t.test("a mistake in a template appears when it is saved, and goes when it is mended", async (t) => {
  const { page } = admin;
  const report = join(folder, "templates", "sheet", "report.ejs");
  await goTo(page, "templates");
  await says(page, /1 template serving/);
  await writeFile(report, "<p>one</p>\n<p><%= ( %></p>");
  await says(page, /1 template serving, 1 with mistakes/);
  t.match(await rowWith(page, "sheet"), /Serving an older version.*report\.ejs:2/s);
  await writeFile(report, "<p>two</p>");
  await says(page, /1 template serving$/m);
  t.match(await rowWith(page, "sheet"), /\| Serving \|/);
});

t.test("requests appear as they end; filters and a pause choose among them", async (t) => {
  const { page } = admin;
  const call = (query: string) => fetch(`${host.url}/1.0/EAIWS/plugins/Sample/nothing-of-that-kind?${query}`);
  await goTo(page, "requests");
  await says(page, /As they end/);
  const first = await call("a");
  t.equal(first.status, 404);
  await says(page, /nothing-of-that-kind/);
  t.match(await rowWith(page, "nothing-of-that-kind"), /\| 404 \| GET .*request-not-found/s);
  const id = first.headers.get("x-request-id") ?? "none";
  await page.type('input[type="search"]', id);
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
  t.match(await rowWith(page, "404"), id.slice(0, 8));
  await page.click('input[type="search"]', { count: 3 });
  await page.keyboard.type("nothing-of-that-kind");
  await press(page, "Pause");
  await call("b");
  await says(page, /Go on, 1 more/);
  t.equal(await page.$$eval("tbody tr", (rows) => rows.length), 1);
  await press(page, "Go on, 1 more");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 2);
  await page.click('input[type="search"]', { count: 3 });
  await page.keyboard.press("Backspace");
  await page.click('aria/Errors only[role="checkbox"]');
  await page.waitForFunction(() => {
    const statuses = [...document.querySelectorAll("tbody .status")].map((cell) => Number(cell.textContent));
    return statuses.length > 1 && statuses.every((status) => status >= 400);
  });
});

t.test(
  "a session shows a template as it prints; it is listed without what opens it, and closed after a question",
  async (t) => {
    const { page } = admin;
    const opened = await fetch(`${host.url}/api/sessions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(project({ header: { name: "Office <b>west</b>" } })),
    });
    const { sessionId } = await session(opened);
    await goTo(page, "templates");
    await (await page.waitForSelector('aria/Preview of sheet[role="link"]'))?.click();
    await page.waitForFunction(() => document.querySelector(".preview-frame .pages")?.textContent === "two");
    await goTo(page, "sessions");
    await says(page, /1 session open/);
    t.match(await rowWith(page, sessionId.slice(0, 8)), /Office <b>west<\/b>/, "hostile text is text");
    t.notMatch(await page.content(), sessionId);
    await press(page, `Close session ${sessionId.slice(0, 8)}…`);
    await says(page, /Office <b>west<\/b> gets .session not found./, "dialog");
    await confirm(page);
    await says(page, /No session is open/);
    t.equal((await fetch(`${host.url}/api/sessions/${sessionId}`)).status, 404);
  },
);

t.test("no view is wider than a narrow window, or complains, or asks anybody else", async (t) => {
  t.strictSame(admin.complaints, []);
  t.strictSame(admin.strangers, []);
  const { page, complaints } = await openAdmin(browser, host.url, 360);
  for (const view of views) {
    await goTo(page, view);
    await page.waitForFunction(
      () => document.querySelector("main table, main .empty, main .version") !== null,
    );
    t.equal(await overhang(page), 0, view);
  }
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the page works below the path of a proxy", async (t) => {
  const proxy = await proxyWith("/inner/host", host.url);
  t.teardown(() => {
    proxy.server.closeAllConnections();
    proxy.server.close();
  });
  const { page, complaints, strangers } = await openAdmin(browser, proxy.url);
  await says(page, isWell);
  await says(page, /Release 1\.0 answers with Sample/, ".events");
  t.strictSame([complaints, strangers], [[], []]);
  await page.close();
});

t.test("the page says that the host is away, and goes on when it is back", async (t) => {
  const { page } = admin;
  await goTo(page, "requests");
  await page.type('input[type="search"]', "half a thou");
  const { port } = new URL(host.url);
  await host.stop();
  await says(page, /Host away since/);
  host = await start(["--port", port]);
  await press(page, "Try now").catch(() => undefined);
  await page.waitForFunction(() => document.querySelector(".away") === null);
  t.equal(
    await page.$eval('input[type="search"]', (field) => field.value),
    "half a thou",
    "what is being typed stays",
  );
  await goTo(page, "plugins");
  await says(page, /Sample 1\.1\.0/);
  admin.complaints.splice(0);
});

t.test("where a key is asked for, the page asks for it, and does what the key allows", async (t) => {
  const { page } = admin;
  const newKey = async (name: string, ...roles: string[]): Promise<string> => {
    const parameters = roles.flatMap((role) => ["--role", role]);
    const made = await runCommand(["key", "new", name, ...parameters, "--var", join(folder, "var")]);
    t.equal(made.code, 0, made.errors);
    return made.output.trim();
  };
  const readKey = await newKey("looker", "read");
  await until(async () => (await fetch(`${host.url}/api/status`)).status === 401);
  await says(page, /This host requires a key/, "dialog");

  await page.type('dialog input[type="password"]', "wrong");
  await press(page, "Sign in");
  await says(page, /request-unauthorized · 401/, "dialog");
  await page.$eval('dialog input[type="password"]', (field) => field.select());
  await page.keyboard.type(readKey);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await says(page, /looker\s+May read/, ".account");
  await says(page, /Sample 1\.1\.0/);
  await goTo(page, "plugins/Sample");
  await says(page, /The key "looker" may read only; this takes the role operate\./);
  await press(page, "Disable …");
  t.equal(await page.$("dialog"), null, "the button does nothing");
  await page.reload();
  await says(page, /looker\s+May read/, ".account");
  t.equal(await page.evaluate(() => Object.values(localStorage).join()), "", "the key is in this tab only");

  const fullKey = await newKey("boss", "operate", "sessions");
  await press(page, "Forget key");
  await page.waitForSelector("dialog[open]");
  await page.type('dialog input[type="password"]', fullKey);
  await page.keyboard.press("Enter");
  await says(page, /boss\s+May read, operate, sessions/, ".account");
  await press(page, "Disable …");
  await page.waitForSelector("dialog[open]");

  const preview = await browser.newPage();
  await preview.goto(`${host.url}/preview/`);
  await says(preview, /This host requires a key/, "dialog");
  await preview.type('dialog input[type="password"]', fullKey);
  await preview.keyboard.press("Enter");
  await says(preview, /Preview of templates\s+Open a project/);
  await preview.close();
});

/** Goes on with the Tab key until the element of a name has the focus. */
async function reach(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const reached = await page.evaluate(() => {
      const focused = document.activeElement;
      const label = focused instanceof HTMLSelectElement ? focused.labels[0] : focused;
      return label?.textContent;
    });
    if (reached === name) return;
  }
  throw new Error(`The Tab key does not lead to "${name}"`);
}
