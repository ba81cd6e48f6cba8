/** Keys: who may do what, how keys come and go while the host runs, and what the audit trail says of it. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import t from "tap";
import { ask, editKeys, idIn, keyCommand, keyLine, newKey, smallPlugin } from "../../host/access-support.js";
import { until } from "../../host/plugins-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

type KeyName = "read" | "operate" | "sessions" | "none";

/** Operations by id, with the roles of which one is enough; none means that everybody may. */
const roles: Record<string, KeyName[]> = {
  getAccess: [],
  getMetrics: ["read", "operate"],
  listAudit: ["read", "operate"],
  listEvents: ["read", "operate"],
  listRequests: ["read", "operate"],
  getStatus: ["read", "operate"],
  listTemplates: ["read", "operate"],
  followTemplates: ["read", "operate"],
  listPlugins: ["read", "operate"],
  listServices: ["read", "operate"],
  getPlugin: ["read", "operate"],
  addPlugin: ["operate"],
  lookForPlugins: ["operate"],
  rollBackPlugin: ["operate"],
  disablePlugin: ["operate"],
  enablePlugin: ["operate"],
  getPluginConfiguration: ["operate"],
  configurePlugin: ["operate"],
  grantPlugin: ["operate"],
  listSessions: ["read", "operate", "sessions"],
  openSession: ["sessions"],
  getSession: ["sessions"],
  replaceProject: ["sessions"],
  closeSession: ["sessions"],
  getProject: ["sessions"],
  getAsset: ["sessions"],
  keepSession: ["sessions"],
  listJobs: ["read", "operate", "sessions"],
  getJob: [],
  getJobResult: [],
  cancelJob: [],
  getWebhookSecret: ["read", "operate", "sessions"],
  rotateWebhookSecret: ["read", "operate", "sessions"],
};

const wrongKey = `slipway_abcdefgh_${"w".repeat(43)}`;
const used: string[] = [];
let host: StartedHost;
let folder: string;
const keys: Record<KeyName, string | undefined> = {
  read: undefined,
  operate: undefined,
  sessions: undefined,
  none: undefined,
};

t.teardown(() => host?.stop());
const root = t.testdir(smallPlugin);

t.before(async () => {
  folder = join(root, "var");
  await mkdir(folder);
  // What a host leaves behind that is killed while it changes something, and while it writes.
  const begun = { time: "2026-01-31T14:05:09.000Z", actor: "key deploy 10.0.0.7", action: "plugin.rollback" };
  await writeFile(join(folder, "audit.jsonl"), `${JSON.stringify({ ...begun, begun: "1" })}\n{"id": 1, "ti`);
  for (const name of ["read", "operate", "sessions"] as const) {
    const key = await newKey(t, folder, name, "--role", name);
    keys[name] = key;
    used.push(key);
  }
  host = await startHost({
    var: folder,
    plugins: [join(root, "plugins")],
    templates: [join(root, "none")],
    configuration: {
      publicUrl: "https://reports.example.com",
      cors: { origins: ["https://app.example.com"] },
      access: { plugins: "key" },
      rateLimits: { refusedKeys: 1000 },
    },
  });
});

const entries = async (): Promise<Record<string, unknown>[]> => {
  const { body } = await ask(host.url, "/api/audit?limit=1000", { key: keys.read });
  return Array.isArray(body["entries"]) ? body["entries"] : [];
};

t.test("each operation lets in who has its roles, and nobody else", async (t) => {
  const { body } = await ask(host.url, "/openapi.json");
  const found: Record<string, { path: string; method: string }> = {};
  for (const [path, operations] of Object.entries(body["paths"] ?? {})) {
    for (const [method, { operationId }] of Object.entries<{ operationId: string }>(operations))
      if (path.startsWith("/api/") || path === "/metrics") found[operationId] = { path, method };
  }
  t.strictSame(Object.keys(found).sort(), Object.keys(roles).sort(), "the table has all operations");
  for (const [id, { path, method }] of Object.entries(found)) {
    const concrete = path
      .replace("{plugin}", "Nobody")
      .replace(/\{\w+\}/, "00000000-0000-4000-8000-000000000000");
    const question = { method: method.toUpperCase(), ...(method === "post" && { body: {} }) };
    for (const name of ["read", "operate", "sessions", "none"] as const) {
      const { status, headers } = await ask(host.url, concrete, { ...question, key: keys[name] });
      const allowed = roles[id]?.length === 0 || roles[id]?.includes(name);
      if (allowed) t.notOk([401, 403, 429].includes(status), `${id} lets ${name} in: ${status}`);
      else t.equal(status, name === "none" ? 401 : 403, `${id} refuses ${name}`);
      if (status === 401) t.match(headers, { "www-authenticate": "Bearer" });
    }
    t.equal(
      (await ask(host.url, concrete, { ...question, key: wrongKey })).status,
      401,
      `${id}: a wrong key`,
    );
  }
});

t.test("what needs no key, and what a key is good for beyond operations", async (t) => {
  t.match(await ask(host.url, "/healthz"), { status: 200, body: { status: "ok" } });
  const stranger = await ask(host.url, "/readyz", { key: wrongKey });
  t.strictSame(Object.keys(stranger.body), ["status"], "the status is for everybody");
  t.match((await ask(host.url, "/readyz", { key: keys.read })).body, { parts: { plugins: { ready: true } } });
  t.match((await ask(host.url, "/api/access")).body, { required: true, roles: [] });
  t.strictSame((await ask(host.url, "/api/access", { key: keys.operate })).body, {
    required: true,
    key: "operate",
    roles: ["read", "operate"],
  });
  const file = "/EAIWS/plugins/Paper/file";
  t.match(await ask(host.url, file), { status: 401, body: { id: "request-unauthorized" } });
  t.match(await ask(host.url, file, { key: keys.read }), { status: 403, body: { id: "request-forbidden" } });
  const made = await ask(host.url, file, { key: keys.sessions });
  t.equal(made.status, 200);
  const { pathname } = new URL(String(made.body["url"]));
  t.match(await ask(host.url, pathname), { status: 200 }, "files are for who knows their address");
  const basic = { Authorization: "Basic YTpi" };
  t.equal((await ask(host.url, "/api/plugins", { headers: basic })).status, 401);
});

t.test(
  "browsers: other pages may send keys where CORS says so; headers close what nobody needs",
  async (t) => {
    const preflight = {
      Origin: "https://app.example.com",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization,content-type",
    };
    const { status, headers } = await ask(host.url, "/api/sessions/x", {
      method: "OPTIONS",
      headers: preflight,
    });
    t.equal(status, 204);
    t.match(headers["access-control-allow-headers"], /authorization/);
    t.match(headers["access-control-allow-methods"], /PUT.*DELETE/);
    t.notOk("access-control-allow-credentials" in headers);
    const foreign = { ...preflight, Origin: "https://other.example.com" };
    const refused = await ask(host.url, "/api/sessions/x", { method: "OPTIONS", headers: foreign });
    t.notOk("access-control-allow-origin" in refused.headers);
    const { headers: sent } = await ask(host.url, "/api/plugins", { key: keys.read });
    t.match(sent, {
      "strict-transport-security": /^max-age=\d{7,}$/,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": /camera=\(\)/,
      "content-security-policy": /frame-ancestors 'none'/,
    });
  },
);

t.test(
  "the command line takes keys from the environment and from files, and says what to do without",
  async (t) => {
    const list = ["plugin", "list", "--url", host.url];
    const without = await runCommand(list);
    t.match(without, { code: 1, errors: /requires a key.*SLIPWAY_API_KEY.*--key-file/s });
    const environment = { SLIPWAY_API_KEY: keys.read ?? "" };
    t.match(await runCommand(list, { environment }), { code: 0, output: /Paper/ });
    const file = join(folder, "read.key");
    await writeFile(file, `${keys.read}\n`);
    t.match(await runCommand([...list, "--key-file", file]), { code: 0, output: /Paper/ });
    const wrong = await runCommand(list, { environment: { SLIPWAY_API_KEY: wrongKey } });
    t.match(wrong, { code: 1, errors: /does not know this key/ });
    t.notMatch(wrong.errors, wrongKey);
    await writeFile(file, "no key at all");
    t.match(await runCommand([...list, "--key-file", file]), { code: 2, errors: /holds no key/ });
  },
);

t.test("ids of sessions are for those who may use them", async (t) => {
  const file = await readFile(new URL("../../../config/demo/demo-project.json", import.meta.url), "utf8");
  const demo: unknown = JSON.parse(file);
  const { status, body } = await ask(host.url, "/api/sessions", {
    method: "POST",
    key: keys.sessions,
    body: demo,
  });
  t.equal(status, 201);
  const id = String(body["sessionId"]);
  const listed = async (key: string | undefined) =>
    JSON.stringify((await ask(host.url, "/api/sessions", { key })).body);
  t.match(await listed(keys.sessions), id);
  t.notMatch(await listed(keys.read), id);
  t.match(await listed(keys.read), `${id.slice(0, 8)}…`);
  const closed = await ask(host.url, `/api/sessions/${id}`, { method: "DELETE", key: keys.sessions });
  t.equal(closed.status, 204);
});

t.test("the audit trail: who did what, and what came of it", async (t) => {
  const change = (what: string, body = {}) =>
    ask(host.url, `/api/plugins/Paper/${what}`, { method: "POST", key: keys.operate, body });
  t.equal((await change("disable")).status, 200);
  t.equal((await change("enable")).status, 200);
  t.equal((await change("rollback", { version: "9.9.9" })).status, 404);
  const all = await entries();
  t.strictSame(
    all.map(({ id }) => id),
    all.map((_, index) => index + 1),
    "numbered without a gap",
  );
  t.match(all[0], { action: "plugin.rollback", outcome: "failed", message: /ended before/, actor: /deploy/ });
  t.match(all[1], {
    actor: "host",
    action: "host.start",
    details: { keys: [/^read \(/, /^operate \(/, /^sessions/] },
  });
  const own = all.filter(({ key, target }) => key === "operate" && target === "Paper");
  const who = { actor: "key operate 127.0.0.1", key: "operate", address: "127.0.0.1" };
  t.match(own, [
    { ...who, action: "plugin.disable", outcome: "done", requestId: /./ },
    { ...who, action: "plugin.enable", outcome: "done" },
    {
      ...who,
      action: "plugin.rollback",
      outcome: "refused",
      details: { version: "9.9.9" },
      message: /9\.9\.9/,
    },
  ]);
  const ofSessions = all.filter(({ key }) => key === "sessions").map(({ action }) => action);
  t.equal(ofSessions.filter((action) => action === "session.close").length, 1, "not those that are unknown");
  t.equal(ofSessions.filter((action) => action === "session.list").length, 1, "once in a while");
  const refused = all.filter(({ action }) => action === "access");
  t.ok(refused.length >= 3 && refused.length <= 4, "of many refusals one for each key and address");
  t.match(
    refused.find(({ key }) => key === "read"),
    { outcome: "refused", actor: "key read 127.0.0.1" },
  );
  const headers = { Accept: "text/event-stream" };
  const stream = await ask(host.url, "/api/audit", { key: keys.read, headers });
  t.match(stream.headers, { "content-type": "text/event-stream" });
});

t.test("a key is replaced under load without one failed request", async (t) => {
  let current = await newKey(t, folder, "page", "--role", "read");
  const old = current;
  used.push(old);
  const statuses = new Map<number, number>();
  let isOver = false;
  const load = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const { status } = await ask(host.url, "/api/plugins", { key: current });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // As busy as a page, not as busy as the machine can be.
      await pause(5);
    }
  });
  // Used at once, before the host can have been told of it.
  const { code, output, errors } = await keyCommand(folder, "new", "page", "--role", "read");
  current = output.trim();
  used.push(current);
  t.match({ code, output, errors }, { code: 0, output: keyLine, errors: `key remove ${idIn(old)}` });
  t.match(await keyCommand(folder, "remove", "page"), { code: 1, errors: /Several keys/ });
  t.match(await keyCommand(folder, "remove", idIn(old)), { code: 0 });
  await until(async () => (await ask(host.url, "/api/plugins", { key: old })).status === 401);
  isOver = true;
  await Promise.all(load);
  t.strictSame([...statuses.keys()], [200]);
  t.ok((statuses.get(200) ?? 0) > 20);
  await until(async () => {
    const changes = (await entries()).filter(({ target }) => String(target).startsWith("page ("));
    return changes.map(({ action }) => action).join() === "key.new,key.new,key.remove";
  });
});

t.test("two commands at once lose nothing; a list shows no secrets", async (t) => {
  const names = ["one", "three"];
  const made = await Promise.all(
    names.map((name) => newKey(t, folder, name, "--role", "read", "--expires", "1h")),
  );
  used.push(...made);
  const { output } = await keyCommand(folder, "list", "--json");
  const { keys: listed }: { keys: Record<string, unknown>[] } = JSON.parse(output);
  for (const name of names)
    t.match(
      listed.find((each) => each["name"] === name),
      { roles: ["read"], expires: /Z$/ },
    );
  t.notOk(listed.some((each) => "hash" in each));
});

t.test("an expired key says so, and a stream ends with its key", async (t) => {
  const key = used.at(-1);
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${key}` };
  const stream = await fetch(`${host.url}/api/events`, { headers });
  t.equal(stream.status, 200);
  const ended = stream.text().catch(() => "");
  await editKeys(folder, (each) => (each["name"] === "three" ? { ...each, expires: each["created"] } : each));
  await until(async () => (await ask(host.url, "/api/plugins", { key })).status === 401);
  t.match((await ask(host.url, "/api/plugins", { key })).body, { message: /"three" expired at 20/ });
  t.type(await ended, "string");
});

t.test("a broken key file, and one that is gone, leave the keys in force that were", async (t) => {
  const file = join(folder, "keys.json");
  const good = await readFile(file, "utf8");
  const problem = async () =>
    JSON.stringify((await ask(host.url, "/readyz", { key: keys.read })).body["parts"]);
  await writeFile(file, good.slice(0, good.length / 2));
  await until(async () => /no JSON/.test(await problem()));
  t.equal((await ask(host.url, "/api/plugins")).status, 401);
  await rename(file, `${file}.away`);
  await until(async () => /is gone/.test(await problem()));
  t.equal((await ask(host.url, "/api/plugins")).status, 401);
  await promisify(execFile)("mkfifo", [file]);
  await until(async () => /is no file/.test(await problem()));
  t.equal((await ask(host.url, "/api/plugins", { key: wrongKey })).status, 401, "nobody waits for a pipe");
  await rm(file);
  await writeFile(file, good);
  await until(async () => !/not in force/.test(await problem()));
});

t.test("without its last key, a host on this machine asks for none", async (t) => {
  await writeFile(join(folder, "keys.json"), '{"keys": []}');
  await until(async () => (await ask(host.url, "/api/plugins")).status === 200);
  t.match((await ask(host.url, "/api/access", { key: wrongKey })).body, { required: false });
  const named = async (Host: string) => (await ask(host.url, "/api/sessions", { headers: { Host } })).status;
  t.equal(await named("evil.example.com"), 421, "a name that was made to lead to this machine");
  t.equal(await named("reports.example.com"), 200, "that of publicUrl");
  t.equal(await host.stop(), 0);
});

t.test("keys are nowhere in log, events and audit trail", async (t) => {
  const events = await readFile(join(folder, "events.jsonl"), "utf8");
  const audit = await readFile(join(folder, "audit.jsonl"), "utf8");
  const written = [
    JSON.stringify(host.log),
    events,
    audit,
    await readFile(join(folder, "keys.json.away"), "utf8"),
  ];
  t.ok(written.every((text) => text.length > 500));
  for (const key of [...used, wrongKey]) t.notOk(written.some((text) => text.includes(key.slice(17))));
  const last = audit.trim().split("\n").at(-1) ?? "";
  t.match(JSON.parse(last), { action: "host.stop", outcome: "done" });
});

t.test("a host does not start with a broken key file", async (t) => {
  await writeFile(join(folder, "keys.json"), '{"keys": [{"id": 5}]}');
  const started = await runCommand(["start", "--port", "0", "--var", folder]);
  t.match(started, { code: 1, errors: /does not start.*keys\[0\].*slipway key new/s });
});
