/** The configuration of a plugin while its host runs: saved, refused, in force without a lost request, and kept. */
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { pluginFiles, until } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, type StartOptions, startHost } from "../../start-host.js";

const entry = (schema: string) => `import { randomUUID } from "node:crypto";
import { definePlugin, route, Type } from "@slipway/sdk";

const instance = randomUUID();

export default definePlugin({
  config: ${schema},
  setup(host, config) {
    if (config.greeting === "boom") throw new Error(\`no greeting with \${config.token}\`);
    const extra =
      config.greeting === "more"
        ? [
            route.get("more.json", { summary: "More.", handler: () => ({}) }),
            route.post("more", { summary: "Takes more.", body: Type.Object({}), handler: () => ({}) }),
          ]
        : [];
    return {
      routes: [
        route.get("config.json", { summary: "What it got.", handler: () => ({ config, instance }) }),
        route.get("slow.json", {
          summary: "Takes a while.",
          async handler() {
            await new Promise((resolve) => setTimeout(resolve, 50));
            return { greeting: config.greeting };
          },
        }),
        ...extra,
      ],
    };
  },
});
`;

const schema = `Type.Object(
    {
      greeting: Type.String({ default: "Hello", maxLength: 20 }),
      retries: Type.Integer({ minimum: 0, maximum: 5, default: 3 }),
      token: Type.Optional(Type.String({ secret: true, minLength: 3 })),
      mail: Type.Object(
        { host: Type.String({ default: "localhost" }), port: Type.Integer({ default: 25 }), password: Type.Optional(Type.String({ secret: true })) },
        { default: {} },
      ),
      limits: Type.Record(Type.String(), Type.Integer(), { default: {} }),
      accounts: Type.Record(
        Type.String(),
        Type.Object({ user: Type.String(), key: Type.Optional(Type.String({ secret: true })) }),
        { default: {} },
      ),
      nothing: Type.Union([Type.String(), Type.Null()], { default: "some" }),
    },
    { additionalProperties: false },
  )`;

const defaults = { greeting: "Hi", limits: { small: 1, large: 9 }, accounts: { first: { user: "ann" } } };

function greeter(version = "1.0.0", itsSchema = schema): Record<string, string> {
  const { "package.json": manifest = "", ...files } = pluginFiles("Greeter", version, entry(itsSchema));
  const { slipway, ...rest } = JSON.parse(manifest);
  return {
    ...files,
    "package.json": JSON.stringify({
      ...rest,
      slipway: { ...slipway, aliases: ["greets"], config: "./defaults.json" },
    }),
    "defaults.json": JSON.stringify(defaults),
  };
}

const secrets = ["t0p-secret", "pa55word", "acc0unt-key", "an0ther-one"];

interface Configuration {
  plugin: string;
  version: string;
  revision: number;
  schema: Record<string, unknown>;
  defaults: Record<string, unknown>;
  saved: Record<string, unknown>;
  values: Record<string, unknown>;
  fixed: string[];
  secrets: { path: string; isSet: boolean; isSaved: boolean }[];
}

interface Opened {
  host: StartedHost;
  plugins: string;
  var: string;
  again(options?: StartOptions): Promise<void>;
}

/** A host with the plugin; it ends with the test. No answer and no line of the log may have a secret. */
async function open(
  t: Test,
  options: StartOptions = {},
  file?: { path: string; content: string },
): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  await mkdir(join(folder, "templates"));
  if (file !== undefined) await writeFile(file.path, file.content);
  const plugins = join(folder, "plugins");
  await writeFiles(join(plugins, "one"), greeter());
  const common = { plugins: [plugins], templates: [join(folder, "templates")], var: join(folder, "var") };
  const opened: Opened = {
    host: await startHost({ ...common, ...options }),
    plugins,
    var: common.var,
    again: async (others = options) => {
      await opened.host.stop();
      opened.host = await startHost({ ...common, ...others });
    },
  };
  t.teardown(async () => {
    await opened.host.stop();
    await rm(folder, { recursive: true });
  });
  return opened;
}

const place = ({ host }: Opened, name = "Greeter") => `${host.url}/api/plugins/${name}/configuration`;

async function shown(opened: Opened): Promise<Configuration> {
  const answer = await fetch(place(opened));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  for (const secret of secrets) if (text.includes(secret)) throw new Error(`${secret} is in the answer`);
  return JSON.parse(text);
}

async function put(opened: Opened, body: unknown, name?: string) {
  const answer = await fetch(place(opened, name), {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  for (const secret of secrets) if (text.includes(secret)) throw new Error(`${secret} is in the answer`);
  return { status: answer.status, body: JSON.parse(text), text };
}

async function save(opened: Opened, configuration: unknown): Promise<Configuration> {
  const { revision } = await shown(opened);
  const { status, body, text } = await put(opened, { revision, configuration });
  if (status !== 200) throw new Error(text);
  return body;
}

async function got({ host }: Opened): Promise<{ config: Record<string, unknown>; instance: string }> {
  return JSON.parse(await (await fetch(`${host.url}/EAIWS/plugins/Greeter/config.json`)).text());
}

t.test("a saved configuration is in force at once, survives a restart, and names no secrets", async (t) => {
  const opened = await open(t);
  const before = await shown(opened);
  t.match(before, { plugin: "Greeter", version: "1.0.0", revision: 0, saved: {}, defaults, fixed: [] });
  t.match(before.schema, { type: "object", properties: { retries: { maximum: 5 } } });
  t.match(before.values, { ...defaults, retries: 3, mail: { host: "localhost" } });
  t.same(before.secrets.map(({ path }) => path).sort(), ["/accounts/first/key", "/mail/password", "/token"]);
  t.notOk(before.secrets.some(({ isSet }) => isSet));

  const first = await got(opened);
  const saved = await save(opened, {
    greeting: "Moin",
    token: secrets[0],
    mail: { password: secrets[1] },
    limits: { small: null, huge: 100 },
    accounts: { "a/b": { user: "bob", key: secrets[2] } },
  });
  t.match(saved, { revision: 1, values: { greeting: "Moin", mail: { host: "localhost" } } });
  t.same(saved.saved, {
    greeting: "Moin",
    mail: {},
    limits: { small: null, huge: 100 },
    accounts: { "a/b": { user: "bob" } },
  });
  t.same(saved.values["limits"], { large: 9, huge: 100 }, "null removes an entry of the defaults");
  const set = saved.secrets.filter(({ isSet, isSaved }) => isSet && isSaved).map(({ path }) => path);
  t.same(set.sort(), ["/accounts/a~1b/key", "/mail/password", "/token"]);
  const second = await got(opened);
  t.not(second.instance, first.instance, "by a process of its own");
  const expected = {
    greeting: "Moin",
    retries: 3,
    token: secrets[0],
    mail: { host: "localhost", port: 25, password: secrets[1] },
    limits: { large: 9, huge: 100 },
    accounts: { first: { user: "ann" }, "a/b": { user: "bob", key: secrets[2] } },
    nothing: "some",
  };
  t.same(second.config, expected);

  await opened.again();
  t.same((await got(opened)).config, expected);
  t.same(await shown(opened), saved);

  const folder = join(opened.var, "plugin-configuration");
  const [file = ""] = await readdir(folder);
  t.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
  const others = [await readFile(join(opened.var, "events.jsonl"), "utf8"), JSON.stringify(opened.host.log)];
  for (const name of await readdir(opened.var))
    if (name.startsWith("audit")) others.push(await readFile(join(opened.var, name), "utf8"));
  for (const secret of secrets) t.notMatch(others.join("\n"), secret);
  t.match(others.join("\n"), /Changed: greeting, token, mail, limits, accounts\./);
});

t.test("secrets that are left out stay; null removes what was saved", async (t) => {
  const opened = await open(t);
  const account = { user: "bob", key: secrets[2] };
  await save(opened, {
    token: secrets[0],
    mail: { password: secrets[1] },
    accounts: { bob: account, eve: account },
  });
  const { values } = await save(opened, {
    mail: { host: "mail.example.com" },
    accounts: { bob: { user: "robert" } },
    nothing: null,
  });
  t.match(
    values,
    { nothing: null, mail: { host: "mail.example.com" } },
    "null is a value where the schema has it",
  );
  t.match((await got(opened)).config, {
    token: secrets[0],
    mail: { host: "mail.example.com", password: secrets[1] },
    accounts: { first: { user: "ann" }, bob: { user: "robert", key: secrets[2] }, eve: undefined },
    nothing: null,
  });
  const { secrets: left } = await save(opened, { token: null, mail: { password: secrets[3] } });
  t.match(
    left.find(({ path }) => path === "/token"),
    { isSet: false, isSaved: false },
  );
  const { config } = await got(opened);
  t.match(config, { token: undefined, mail: { host: "localhost", password: secrets[3] } });
  t.same(config["accounts"], defaults.accounts, "with its object goes its secret");
});

t.test("what does not fit or does not start changes nothing", async (t) => {
  const opened = await open(t);
  await save(opened, { greeting: "Moin", token: secrets[0] });
  const before = await got(opened);
  const refuse = async (configuration: unknown, status: number, expected: RegExp | object) => {
    const answer = await put(opened, { revision: 1, configuration });
    t.equal(answer.status, status, JSON.stringify(configuration));
    t.match(answer.body, expected);
  };
  await refuse({ retries: 9, greeting: 5 }, 400, {
    id: "request-bad-request",
    additionalInformation: {
      violations: [
        { path: "config.greeting", expected: "a string", received: "(hidden)" },
        { path: "config.retries", expected: "a value that must be <= 5", received: "(hidden)" },
      ],
    },
  });
  await refuse({ tokn: secrets[3] }, 400, {
    additionalInformation: {
      violations: [{ path: "config.tokn", expected: "no such field", received: "(hidden)" }],
    },
  });
  await refuse({ greeting: "boom", token: secrets[3] }, 409, {
    id: "plugin-conflict",
    message:
      /Greeter does not start with this configuration: The plugin's setup failed: no greeting with \(hidden\)/,
  });
  await refuse({ greeting: "boom" }, 409, { message: /no greeting with \(hidden\)/ });
  t.same(await got(opened), before, "the same process serves");
  t.match(await shown(opened), { revision: 1, saved: { greeting: "Moin" } });

  t.match(await put(opened, { revision: 1, configuration: [] }), { status: 400 });
  t.match(await put(opened, { configuration: {} }), { status: 400 });
  t.match(await put(opened, { revision: 1, configuration: {} }, "Greter"), {
    status: 404,
    body: { id: "request-not-found", additionalInformation: { plugins: ["Greeter"] } },
  });
  t.equal((await fetch(place(opened, "Greter"))).status, 404);
  t.equal((await put(opened, { revision: 1, configuration: {} }, "greets")).status, 200, "by an alias");
});

t.test("of two changes made from the same state, one is refused", async (t) => {
  const opened = await open(t);
  const greetings = ["one", "two", "three"];
  const answers = await Promise.all(
    greetings.map((greeting) => put(opened, { revision: 0, configuration: { greeting } })),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const won = greetings[answers.findIndex(({ status }) => status === 200)];
  t.match((await got(opened)).config, { greeting: won });
  t.match(answers.find(({ status }) => status === 409)?.body, {
    id: "plugin-conflict",
    message: /has changed in the meantime: revision 1 is saved, but the change was made from revision 0/,
  });
});

t.test("no request is lost while configurations change", async (t) => {
  const opened = await open(t);
  const url = `${opened.host.url}/EAIWS/plugins/Greeter/slow.json`;
  const seen = new Set<string>();
  const failed: string[] = [];
  let count = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const answer = await fetch(url);
      const text = await answer.text();
      count += 1;
      if (answer.status === 200) seen.add(JSON.parse(text).greeting);
      else failed.push(text);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  const greetings = ["one", "boom", "two", "more", "three"];
  for (const greeting of greetings) {
    const { revision } = await shown(opened);
    const { status } = await put(opened, { revision, configuration: { greeting } });
    t.equal(status, greeting === "boom" ? 409 : 200);
    if (greeting !== "boom") await until(() => seen.has(greeting));
    const more = await fetch(`${opened.host.url}/EAIWS/plugins/Greeter/more.json`);
    t.equal(more.status, greeting === "more" ? 200 : 404, "routes follow the configuration");
  }
  isOver = true;
  await Promise.all(clients);
  t.same(failed, []);
  t.ok(count > 20, `${count} requests`);
  t.notOk(seen.has("boom"));
});

t.test("a request whose route goes while its body arrives may be sent again", async (t) => {
  const opened = await open(t);
  await save(opened, { greeting: "more" });
  const { hostname, port } = new URL(opened.host.url);
  const sent = request({
    host: hostname,
    port,
    path: "/EAIWS/plugins/Greeter/more",
    method: "POST",
    headers: { "Content-Type": "application/json", Expect: "100-continue" },
  });
  const answered = once(sent, "response");
  sent.flushHeaders();
  await once(sent, "continue");
  sent.write("{");
  await save(opened, { greeting: "less" });
  sent.end("}");
  const [answer] = await answered;
  t.equal(answer.statusCode, 503);
  answer.resume();
});

t.test("the host's configuration takes precedence, and removes entries by null", async (t) => {
  const configuration = {
    plugins: { config: { greets: { greeting: "Servus", mail: { host: "fixed" }, limits: { small: null } } } },
  };
  const file = join(t.testdir(), "value");
  const environment = {
    SLIPWAY_PLUGINS__CONFIG__greets__limits__large: "null",
    SLIPWAY_PLUGINS__CONFIG__greets__limits__medium: "5",
    SLIPWAY_PLUGINS__CONFIG__greets__nothing_FILE: file,
  };
  const opened = await open(t, { configuration, environment }, { path: file, content: "an0ther-one" });
  const { fixed, values, defaults: given, secrets: found } = await shown(opened);
  t.equal((await got(opened)).config["nothing"], "an0ther-one");
  t.match(
    found.find(({ path }) => path === "/nothing"),
    { isSet: true },
    "a file with a value is not shown",
  );
  t.same([...fixed].sort(), [
    "/greeting",
    "/limits/large",
    "/limits/medium",
    "/limits/small",
    "/mail/host",
    "/nothing",
  ]);
  t.match(values, { greeting: "Servus", mail: { host: "fixed" } });
  t.same(values["limits"], { medium: 5 });
  t.same(given["limits"], defaults.limits);
  t.same((await got(opened)).config["limits"], { medium: 5 });

  t.match(await put(opened, { revision: 0, configuration: { greeting: "Moin", mail: { host: "other" } } }), {
    status: 400,
    body: {
      additionalInformation: {
        violations: [
          { path: "config.greeting", expected: "no value, because the host's configuration states one" },
          { path: "config.mail.host" },
        ],
      },
    },
  });
  const after = await save(opened, { retries: 1, limits: { own: 7 }, mail: { password: secrets[1] } });
  t.same(after.fixed, fixed);
  t.same(after.defaults, given, "the schema's defaults are no part of the plugin's own");
  t.match((await got(opened)).config, {
    greeting: "Servus",
    retries: 1,
    mail: { host: "fixed", password: secrets[1] },
    limits: { medium: 5, own: 7 },
  });

  await opened.again({});
  await save(opened, { greeting: "Moin", retries: 1 });
  await opened.again({ configuration });
  const again = await shown(opened);
  t.match(again, { saved: { greeting: "Moin" }, values: { greeting: "Servus", retries: 1 } });
  await save(opened, { ...again.saved, retries: 2 });
  t.match((await got(opened)).config, { greeting: "Servus", retries: 2 }, "what was saved earlier may stay");
});

t.test("later versions take what is saved; one that refuses it starts once it is repaired", async (t) => {
  const opened = await open(t);
  await save(opened, { greeting: "Good morning" });
  await writeFiles(join(opened.plugins, "two"), greeter("1.1.0"));
  const version = async (): Promise<string> => (await shown(opened)).version;
  await until(async () => (await version()) === "1.1.0");
  t.match((await got(opened)).config, { greeting: "Good morning" });

  await writeFiles(
    join(opened.plugins, "three"),
    greeter("1.2.0", schema.replace("maxLength: 20", "maxLength: 5")),
  );
  const found = async (): Promise<Record<string, unknown> | undefined> => {
    const answer = await fetch(`${opened.host.url}/api/plugins/Greeter`);
    const { versions }: { versions: Record<string, unknown>[] } = JSON.parse(await answer.text());
    return versions.find((each) => each["version"] === "1.2.0");
  };
  const failed = {
    version: "1.2.0",
    stage: "failed",
    reason: /configuration is not valid: `config\.greeting`/,
  };
  await until(async () => (await found())?.["stage"] === "failed");
  t.match(await found(), failed);
  t.equal(await version(), "1.1.0");
  await save(opened, { greeting: "Moin" });
  t.equal(await version(), "1.2.0", "a change tries it again");
  t.match((await got(opened)).config, { greeting: "Moin" });

  const rollback = await fetch(`${opened.host.url}/api/plugins/Greeter/rollback`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ version: "1.1.0" }),
  });
  t.equal(rollback.status, 200);
  t.match((await got(opened)).config, { greeting: "Moin" });
});

t.test("a plugin that does not serve because of its configuration is repaired by a change", async (t) => {
  const opened = await open(t, {
    configuration: { plugins: { config: { Greeter: { limits: { small: 1.5 } } } } },
  });
  const status = async () => (await fetch(`${opened.host.url}/EAIWS/plugins/Greeter/config.json`)).status;
  t.equal(await status(), 404);
  const { revision } = await shown(opened);
  t.equal((await put(opened, { revision, configuration: { greeting: "Moin" } })).status, 400);
  await opened.again({});
  t.equal(await status(), 200);
  await save(opened, { greeting: "Moin" });
  await opened.host.stop();
  const folder = join(opened.var, "plugin-configuration");
  const [file = ""] = await readdir(folder);
  const text = await readFile(join(folder, file), "utf8");
  await writeFile(join(folder, file), text.replace('"Moin"', '"boom"'));
  await opened.again({});
  t.equal(await status(), 404);
  t.match(await put(opened, { revision: 1, configuration: { greeting: "boom" } }), { status: 409 });
  t.match(await put(opened, { revision: 1, configuration: { greeting: "Servus" } }), { status: 200 });
  t.match((await got(opened)).config, { greeting: "Servus" });
});

t.test("the command line shows each value with its source", async (t) => {
  const opened = await open(t, { configuration: { plugins: { config: { Greeter: { retries: 4 } } } } });
  await save(opened, { greeting: "Moin", token: secrets[0], accounts: { "a/b": { user: "bob" } } });
  const { code, output, errors } = await runCommand(["plugin", "config", "greets", "--url", opened.host.url]);
  t.same([code, errors], [0, ""]);
  t.match(output, /^Configuration of Greeter@1\.0\.0, revision 1:\n\nMEMBER +VALUE +FROM\n/);
  const rows = output.split("\n").map((line) => line.split(/ {2,}/));
  for (const row of [
    ["greeting", '"Moin"', "saved"],
    ["retries", "4", "host"],
    ["limits/large", "9", "default"],
    ["mail/port", "25", "schema"],
    ["accounts/a~1b/user", '"bob"', "saved"],
    ["token", "(hidden)", "saved"],
  ])
    t.same(
      rows.find(([member]) => member === row[0]),
      row,
    );
  const json = await runCommand(["plugin", "config", "Greeter", "--json", "--url", opened.host.url]);
  t.same(JSON.parse(json.output), await shown(opened));
  t.match(await runCommand(["plugin", "config", "Greetr", "--url", opened.host.url]), {
    code: 1,
    errors: /There is no plugin "Greetr".*Greeter/s,
  });
});

t.test("a broken file is set aside; disabled plugins keep their configuration", async (t) => {
  const opened = await open(t);
  await save(opened, { greeting: "Moin" });
  await opened.host.stop();
  const folder = join(opened.var, "plugin-configuration");
  const [file = ""] = await readdir(folder);
  await writeFile(join(folder, file), '{ "format": 1, "token": "t0p-secret"');
  await opened.again();
  t.match((await got(opened)).config, { greeting: "Hi" });
  t.ok(opened.host.log.some(({ msg }) => /saved configuration of a plugin is broken/.test(String(msg))));
  t.notMatch(JSON.stringify(opened.host.log), "t0p-secret");
  t.ok((await readdir(folder)).every((name) => name.startsWith(`${file}.broken-`)));

  const disabled = await fetch(`${opened.host.url}/api/plugins/Greeter/disable`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  t.equal(disabled.status, 200);
  t.match(await put(opened, { revision: 0, configuration: {} }), {
    status: 409,
    body: { message: /is disabled/ },
  });
});
