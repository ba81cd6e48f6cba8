/** The form of a plugin's configuration: a host as admins start it, the admin page in a real browser. */
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import {
  type AdminPage,
  confirm,
  goTo,
  openAdmin,
  overhang,
  press,
  says,
} from "../../browser/admin-support.js";
import { pluginFiles, until } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

const entry = `import { definePlugin, route, Type } from "@slipway/sdk";

export default definePlugin({
  config: Type.Object(
    {
      greeting: Type.String({ title: "Greeting", maxLength: 30, default: "Hello", description: "How clients are greeted." }),
      signature: Type.String({ title: "Signature", format: "multiline", default: "Yours,\\nthe host" }),
      retries: Type.Integer({ minimum: 0, maximum: 5, default: 3, description: "Attempts after a failure." }),
      tone: Type.Union([Type.Literal("formal"), Type.Literal("friendly")], { default: "formal" }),
      polite: Type.Boolean({ title: "Says please", default: true }),
      token: Type.Optional(Type.String({ title: "Access token", secret: true, description: "Of the service." })),
      mail: Type.Object(
        {
          host: Type.String({ title: "Server", default: "localhost" }),
          port: Type.Integer({ title: "Port", minimum: 1, maximum: 65535, default: 25 }),
        },
        { title: "Mail", description: "Where greetings are sent.", default: {} },
      ),
      languages: Type.Array(Type.String(), { title: "Languages", default: ["en"] }),
      limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { title: "Limits", description: "For each group.", default: {} }),
      accounts: Type.Record(
        Type.String(),
        Type.Object({ user: Type.String({ title: "User", minLength: 2 }), key: Type.Optional(Type.String({ title: "Key", secret: true })) }),
        { title: "Accounts", default: {} },
      ),
      rules: Type.Unknown({ title: "Rules", default: [] }),
    },
    { additionalProperties: false },
  ),
  setup: (_host, config) => ({
    routes: [route.get("config.json", { summary: "What it got.", handler: () => ({ ...config }) })],
  }),
});
`;

function greeter(): Record<string, string> {
  const { "package.json": manifest = "", ...files } = pluginFiles("Greeter", "1.0.0", entry);
  const { slipway, ...rest } = JSON.parse(manifest);
  return {
    ...files,
    "package.json": JSON.stringify({ ...rest, slipway: { ...slipway, config: "./defaults.json" } }),
    "defaults.json": JSON.stringify({ limits: { small: 1, large: 9 } }),
  };
}

let host: StartedHost;
let browser: Browser;
let admin: AdminPage;

t.before(async () => {
  const folder = t.testdir({ browser: {}, plugins: { greeter: {} }, templates: {} });
  await writeFiles(join(folder, "plugins", "greeter"), greeter());
  const options = {
    plugins: [join(folder, "plugins")],
    templates: [join(folder, "templates")],
    configuration: { plugins: { config: { Greeter: { mail: { host: "mail.example.com" } } } } },
  };
  [host, browser] = await Promise.all([startHost(options), launchBrowser(join(folder, "browser"))]);
  admin = await openAdmin(browser, host.url);
  await goTo(admin.page, "plugins/Greeter");
});
t.teardown(() => browser?.close());
t.teardown(async () => {
  await host?.stop();
});

async function config(): Promise<Record<string, unknown>> {
  return JSON.parse(await (await fetch(`${host.url}/EAIWS/plugins/Greeter/config.json`)).text());
}

/** Replaces the text of the field with a label. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${label}`, { timeout: 30_000 });
  await field?.evaluate((element) => {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
  });
  await field?.press("Backspace");
  await field?.type(text);
}

async function save(page: Page): Promise<void> {
  await press(page, "Save …");
  await confirm(page);
}

/** The text that describes a field to a screen reader. */
function described(page: Page, member: string): Promise<string | undefined> {
  return page.$eval(`[data-member="${member}"] [aria-describedby]`, (field) => {
    const help = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    return help?.innerText;
  });
}

t.test("each member has the field that its schema asks for", async (t) => {
  const { page } = admin;
  await says(page, /of version 1\.0\.0/);
  t.match(await described(page, "greeting"), /How clients are greeted\. · Default: Hello/);
  t.match(await described(page, "retries"), /Attempts after a failure\. · whole number, 0 to 5 · Default: 3/);
  t.match(await described(page, "mail.host"), /The host's configuration states it\./);
  t.match(await described(page, "token"), /Of the service\. · Not set/);
  const controls = await page.$$eval(".setting :is(input, select, textarea)", (found) =>
    found.map((each) => {
      const member = each.closest("[data-member]")?.getAttribute("data-member");
      const { value, disabled } = each;
      return `${member} ${each.type}${disabled ? " disabled" : ""} ${JSON.stringify(value)}`;
    }),
  );
  t.same(controls, [
    'greeting text "Hello"',
    'signature textarea "Yours,\\nthe host"',
    'retries text "3"',
    'tone select-one "\\"formal\\""',
    'polite checkbox "on"',
    'token password ""',
    'mail.host text disabled "mail.example.com"',
    'mail.port text "25"',
    'languages text "en"',
    'limits.small text "1"',
    'limits.large text "9"',
    'limits text ""',
    'accounts text ""',
    'rules textarea "[]"',
  ]);
});

t.test("what is saved serves at once; secrets are shown as set", async (t) => {
  const { page } = admin;
  await type(page, "Greeting", "Moin");
  await type(page, "Access token", "t0p-secret");
  await page.select('[data-member="tone"] select', '"friendly"');
  await page.click('[data-member="polite"] input');
  await press(page, "Add to Languages");
  await type(page, "Languages 2", "de");
  await press(page, "Remove large from Limits");
  await type(page, "New entry of Limits", "huge");
  await page.keyboard.press("Enter");
  await type(page, "huge", "100");
  await type(page, "New entry of Accounts", "first");
  await press(page, "Add to Accounts");
  await type(page, "User", "ann");
  await type(page, "Key", "acc0unt-key");
  await type(page, "Rules", '{ "a": [1] }');
  await save(page);
  await says(page, /The configuration of Greeter is in force\./, ".toasts");
  t.match(await config(), {
    greeting: "Moin",
    tone: "friendly",
    polite: false,
    token: "t0p-secret",
    languages: ["en", "de"],
    limits: { small: 1, huge: 100, large: undefined },
    accounts: { first: { user: "ann", key: "acc0unt-key" } },
    rules: { a: [1] },
  });
  await until(async () => /· Set/.test((await described(page, "token")) ?? ""));
  t.equal(await page.$eval('[data-member="token"] input', (field) => field.value), "");
  t.notMatch(await page.content(), /t0p-secret|acc0unt-key/);
  await says(page, /Changed: greeting, token, tone/, ".events");
});

t.test("a refused value says so at its field, which gets the focus; nothing is lost", async (t) => {
  const { page } = admin;
  await type(page, "Port", "70000");
  await type(page, "User", "a");
  await save(page);
  await says(page, /Nothing was saved\./, ".configuration");
  t.match(await described(page, "mail.port"), /Expected a value that must be <= 65535\./);
  t.match(await described(page, "accounts.first.user"), /Expected a value/);
  await until(() => page.evaluate(() => document.activeElement?.getAttribute("aria-invalid") === "true"));
  t.match(await config(), { mail: { port: 25 } });
  await type(page, "Port", "587");
  await type(page, "User", "bob");
  await save(page);
  await until(async () => JSON.stringify(await config()).includes("587"));
  // The form takes over what was saved; a change before would be lost.
  await until(() =>
    page.$eval('form.configuration [type="submit"]', (button) => button.ariaDisabled === "true"),
  );
  t.match(await config(), {
    token: "t0p-secret",
    accounts: { first: { user: "bob", key: "acc0unt-key" } },
    mail: { host: "mail.example.com", port: 587 },
  });
});

t.test("members go back to their defaults, secrets and entries are removed", async (t) => {
  const { page } = admin;
  await press(page, "Back to the default of Greeting");
  await press(page, "Remove token");
  await press(page, "Restore large");
  await press(page, "Remove first from Accounts");
  await save(page);
  await until(async () => !("token" in (await config())));
  t.match(await config(), { greeting: "Hello", limits: { small: 1, large: 9, huge: 100 }, accounts: {} });
  await says(page, /Not set/, '[data-member="token"]');
});

t.test("a form that others were faster than is refused, and can be loaded again", async (t) => {
  const { page } = admin;
  await type(page, "Greeting", "Late");
  const place = `${host.url}/api/plugins/Greeter/configuration`;
  const { revision }: { revision: number } = JSON.parse(await (await fetch(place)).text());
  const answer = await fetch(place, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ revision, configuration: { greeting: "Early" } }),
  });
  t.equal(answer.status, 200);
  await says(page, /has changed in the meantime/, ".configuration");
  await press(page, "Discard my changes");
  await until(() => page.$eval('[data-member="greeting"] input', (field) => field.value === "Early"));
  t.match(await config(), { greeting: "Early" });
});

t.test("the form fits a narrow window", async (t) => {
  const narrow = await openAdmin(browser, host.url, 360);
  await goTo(narrow.page, "plugins/Greeter");
  await says(narrow.page, /of version 1\.0\.0/);
  t.equal(await overhang(narrow.page), 0);
  t.same(narrow.complaints, []);
  const isRefusal = /status of 400/;
  t.same(
    admin.complaints.filter((each) => !isRefusal.test(each)),
    [],
  );
});
