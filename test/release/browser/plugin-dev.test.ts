/** The page of `slipway plugin dev`: forms, answers and errors in a real browser, with a plugin that changes under it. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { dropFile, overhang, press, says } from "../../browser/admin-support.js";
import {
  edit,
  greetingFiles,
  type StartedDevelopment,
  startDevelopment,
} from "../../host/plugin-dev-support.js";
import { repository } from "../../start-host.js";

let folder: string;
let plugin: string;
let started: StartedDevelopment;
let browser: Browser;
let page: Page;
/** Errors of the page and what the browser complains of, so far. */
const complaints: string[] = [];

t.teardown(() => browser?.close());
t.teardown(() => started?.interrupt());

t.before(async () => {
  folder = t.testdir({ browser: {}, temporary: {}, others: {}, greeting: greetingFiles });
  plugin = join(folder, "greeting");
  const parameters = [plugin, "--plugins", join(folder, "others"), "--var", join(folder, "var")];
  [started, browser] = await Promise.all([
    startDevelopment(parameters, join(folder, "temporary")),
    launchBrowser(join(folder, "browser")),
  ]);
  page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(started.address);
});

/** Types into the field of a name, in place of what is there. */
async function fill(name: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${name}`);
  await field?.focus();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

/** Chooses a value of the list of a name. */
async function choose(name: string, label: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${name}[role="combobox"]`);
  const value = await field?.evaluate(
    (list, wanted) =>
      list instanceof HTMLSelectElement
        ? [...list.options].find(({ text }) => text === wanted)?.value
        : undefined,
    label,
  );
  if (value === undefined) throw new Error(`${name} has no ${label}`);
  await field?.select(value);
}

t.test("the page tells of the plugin, and has a form for each route from its schemas", async (t) => {
  await says(page, /Greeting 1\.0\.0[\s\S]*Live/, ".head");
  await says(page, /POST hello\.json\s+Greets somebody\.[\s\S]*GET time\.json\s+Tells the time\./, ".routes");
  const fields = await page.$$eval("div.input-field", (all) =>
    all.map((each) => {
      const input = each.querySelector("input, select, textarea");
      const kind = input?.tagName.toLowerCase() ?? "";
      const empty =
        input instanceof HTMLSelectElement ? input.options[0]?.text : input?.getAttribute("placeholder");
      return `${kind} | ${each.innerText.split("\n")[0]} | ${empty} | ${each.querySelector("p")?.innerText}`;
    }),
  );
  const [, sessionId] = /session (\S+)$/m.exec(started.printed()) ?? [];
  t.strictSame(fields, [
    `input | sessionId required | ${sessionId} | `,
    "input | name required |  | Whom to greet.",
    "select | tone | calm (default) | ",
    "input | times | 1 | How often. · whole number, 1 to 5",
    "textarea | details |  | ",
  ]);
});

t.test("what is sent is answered, with files, what was left out, and the log of the request", async (t) => {
  await fill("name required", "Ada");
  await choose("tone", "loud");
  await fill("times", "3");
  await fill("details", '{ "city": "Oslo" }');
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await says(page, /"text": "Dear: Hello Ada"[\s\S]*"times": 3,\s+"city": "Oslo"/, ".answer");
  await says(page, /200/, ".answer-facts");
  await says(page, /WARN\s+It was loud\.\s+too-loud/, ".suppressed");
  await says(page, /hello\.txt text\/plain, 15 B\s+Dear: Hello Ada/, ".files");
  const address = await page.$eval(".files a", (link) =>
    link instanceof HTMLAnchorElement ? link.href : "",
  );
  t.equal(await (await fetch(address)).text(), "Dear: Hello Ada");
  await says(page, /somebody says hello name=Ada[\s\S]*answered 200 in/, ".request-lines");
  const curl = await page.$eval(".curl pre", (text) => text.textContent);
  t.match(
    curl,
    /^curl -s 'http:\S+\/EAIWS\/plugins\/Greeting\/hello\.json' -H 'Content-Type: application\/json' -d '\{/,
  );
});

t.test("an error names the line of the source", async (t) => {
  await fill("name required", "nobody");
  await press(page, "Send");
  await says(page, /"id": "plugin-error"/, ".answer");
  await says(page, /500/, ".answer-facts");
  await says(page, /src\/hello\.ts:5:32\s+5 \| {3}if \(name === "nobody"\) throw/, ".request-lines .source");
  t.match(complaints.splice(0), [/500/], "the browser tells of the error, and of nothing else");
});

t.test("service methods are tried like routes, with files, suppressed errors and the log", async (t) => {
  await press(page, "CALL letters.write Writes a letter.");
  await fill("to required", "Ada");
  await fill("copies", "2");
  await press(page, "Send");
  await says(page, /"value": \{[\s\S]*"copies": 2,\s+"locale": "\w/, ".answer");
  await says(page, /WARN\s+One copy is enough\.\s+one-copy/, ".suppressed");
  await says(page, /letter\.txt text\/plain, 9 B\s+Hello Ada/, ".files");
  await says(page, /somebody says hello name=Ada/, ".request-lines");

  await fill("to required", "nobody");
  await press(page, "Send");
  await says(page, /"id": "plugin-error"/, ".answer");
  await says(page, /src\/hello\.ts:5:32\s+5 \| {3}if \(name === "nobody"\) throw/, ".request-lines .source");
  await fill("to required", "A");
  await press(page, "Send");
  await says(page, /used the service letters\.write wrongly/, ".answer");
  await says(
    page,
    /called letters\.write with invalid input[\s\S]*violations=\["`input\.to`/,
    ".request-lines",
  );

  await press(page, "CALL letters.count Counts letters.");
  await press(page, "Send");
  await says(page, /"value": 7/, ".answer");
  await press(page, "POST hello.json Greets somebody.");
  t.match(complaints.splice(0), [/500/, /500/], "the browser tells of the errors, and of nothing else");
});

t.test("inputs outlive the page, and go out again after each save", async () => {
  await fill("name required", "Grace");
  await page.reload();
  await says(page, /POST hello\.json/, ".routes");
  await press(page, "Send");
  await says(page, /"Dear: Hello Grace"/, ".answer");
  await (await page.waitForSelector("aria/Send again after each save"))?.click();
  await edit(plugin, "src/hello.ts", "Hello", "Welcome");
  await says(page, /"Dear: Welcome Grace"/, ".answer");
  await says(page, /is live, \d+\.\d\d s after the save/, ".notice");
});

t.test("what does not compile is told with its line, until it is mended", async (t) => {
  await edit(plugin, "src/hello.ts", "return", "return return");
  await says(
    page,
    /cannot be used: [\s\S]+The previous version keeps serving\.[\s\S]+src\/hello\.ts:6:10\s+6 \| {3}return return/,
    ".notice",
  );
  t.match(await page.title(), /^✗ Greeting/);
  await says(page, /Live/, ".head");
  await edit(plugin, "src/hello.ts", "return return", "return");
  await edit(plugin, "src/index.ts", 'route.get("time.json"', 'route.get("clock.json"');
  await says(page, /GET clock\.json/, ".routes");
  await says(page, /is live/, ".notice");
});

t.test("a dropped project is opened and sent, and a body can be written as JSON", async () => {
  const [, sample = ""] = /session (\S+)$/m.exec(started.printed()) ?? [];
  await dropFile(page, join(repository, "config", "demo", "demo-project.json"));
  const opened = await page.waitForFunction(
    (before) => {
      const field = document.querySelector(".input-field input");
      const shown = field instanceof HTMLInputElement ? field.placeholder : before;
      return shown === before ? undefined : shown;
    },
    {},
    sample,
  );
  const sessionId = String(await opened.jsonValue());
  await press(page, "Write it as JSON");
  await page.waitForFunction(
    (wanted) => document.querySelector(".curl pre")?.textContent?.includes(wanted),
    {},
    `"sessionId": "${sessionId}"`,
  );
  await fill("Body", JSON.stringify({ sessionId, name: "Edith" }));
  await press(page, "Send");
  await says(page, /"Dear: Welcome Edith"/, ".answer");
});

t.test("it fits a telephone, and the browser has nothing to complain of", async (t) => {
  await page.setViewport({ width: 390, height: 800 });
  t.ok((await overhang(page)) <= 0);
  t.strictSame(complaints, []);
});

t.test("Ctrl+C keeps only the folder that was asked for", async (t) => {
  t.equal(await started.interrupt(), 0);
  t.strictSame(await readdir(join(folder, "temporary")), []);
  t.ok((await readdir(join(folder, "var"))).includes("snapshots"));
});
