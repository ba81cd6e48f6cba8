/** Keys, limits, events and audit trail of hosts that share a database: what one does, all know. Uses the part itself: its schemas. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type, Validator } from "@slipway/sdk";
import t, { type Test } from "tap";
import { PluginEvent } from "../../../host/observability/events/plugin-event.js";
import { AuditEntry } from "../../../host/security/audit/audit-entry.js";
import { scrape } from "../../host/metrics-support.js";
import { fixtures, until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, type StartOptions, startHost } from "../../start-host.js";

const server = await findServer(t);
const skip = server === undefined && noServer;

const validator = new Validator();
const checkEvents = validator.compile(Type.Object({ events: Type.Array(PluginEvent) }), "answer");
const checkAudit = validator.compile(Type.Object({ entries: Type.Array(AuditEntry) }), "answer");

async function newFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "plugins"));
  await cp(join(fixtures, "good", "echo-1.0"), join(folder, "plugins", "echo"), { recursive: true });
  return folder;
}

async function start(
  t: Test,
  folder: string,
  url: string,
  more: StartOptions = {},
  settings: object = {},
): Promise<StartedHost> {
  const host = await startHost({
    plugins: [join(folder, "plugins")],
    configuration: { engine: { url }, plugins: { probation: 100 }, ...settings },
    ...more,
  });
  t.teardown(() => host.stop());
  return host;
}

t.test("a client has its limit once, not once for each host", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const folder = await newFolder(t);
  const requests = 100;
  // The longest window, so that none begins while the test runs.
  const more = { trustedProxies: ["loopback"], rateLimits: { requests, period: 86_400 } };
  const [one, other] = await Promise.all([
    start(t, folder, database, {}, more),
    start(t, folder, database, {}, more),
  ]);
  const statusFor = async ({ url }: StartedHost, client: string): Promise<number> =>
    (await fetch(`${url}/openapi.json`, { headers: { "X-Forwarded-For": client } })).status;
  for (let count = 0; count < requests; count += 1) t.equal(await statusFor(one, "10.0.0.1"), 200);
  t.equal(await statusFor(one, "10.0.0.1"), 429);
  let answered = 0;
  await until(async () => {
    const status = await statusFor(other, "10.0.0.1");
    if (status === 200) answered += 1;
    return status === 429;
  });
  t.ok(answered < requests, `${answered} more`);
  t.equal(await statusFor(other, "10.0.0.2"), 200, "another client is not concerned");
});

async function eventsOf(host: StartedHost, query = "") {
  const result = checkEvents(await (await fetch(`${host.url}/api/events${query}`)).json());
  if (!result.ok) throw new Error("These are no events");
  return result.value.events;
}

async function auditOf(host: StartedHost) {
  const result = checkAudit(await (await fetch(`${host.url}/api/audit`)).json());
  if (!result.ok) throw new Error("This is no audit trail");
  return result.value.entries;
}

const nameOf = (host: StartedHost) => new RegExp(`:${new URL(host.url).port}$`);

t.test("events and audit trail of all hosts, in one order", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const folder = await newFolder(t);
  const [one, other] = await Promise.all([start(t, folder, database), start(t, folder, database)]);
  const order = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  t.equal((await fetch(`${one.url}/api/plugins/echo/disable`, order)).status, 200);
  await until(async () => (await eventsOf(one)).some(({ kind }) => kind === "disable"));
  const [disabled] = (await eventsOf(one)).filter(({ kind }) => kind === "disable");
  t.match(disabled, { plugin: "Echo", host: nameOf(one) });
  const isHeard = async () => (await eventsOf(other)).some(({ id }) => id === disabled?.id);
  await until(isHeard);
  t.strictSame(
    (await eventsOf(other)).filter(({ id }) => id <= (disabled?.id ?? 0)),
    (await eventsOf(one)).filter(({ id }) => id <= (disabled?.id ?? 0)),
  );
  t.match(await eventsOf(other, `?after=${(disabled?.id ?? 0) - 1}&limit=1`), [{ kind: "disable" }]);

  const isAudited = async () => (await auditOf(other)).some(({ action }) => action === "plugin.disable");
  await until(isAudited);
  const entries = await auditOf(other);
  t.match(
    entries.find(({ action }) => action === "plugin.disable"),
    { outcome: "done", target: "echo", host: nameOf(one) },
  );
  t.equal(entries.filter(({ action }) => action === "host.start").length, 2);
  t.strictSame(
    entries.map(({ id }) => id),
    entries.map((_, index) => index + 1),
  );
  const shown = await runCommand(["audit", "--url", other.url]);
  t.match(shown.output, /plugin\.disable echo \(generation 2, hosts .+\), by .+ on \S+:\d+, done/);

  t.equal((await scrape(other.url)).sum("slipway_swaps_total"), 2, "its own, and the end of it");
  t.equal((await fetch(`${other.url}/EAIWS/plugins/echo/item/1`)).status, 404, "so it is there, too");
});

t.test("keys are in force on all hosts", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const folder = await newFolder(t);
  const environment = { SLIPWAY_ENGINE__URL: database };
  const slipway = async (...words: string[]) => {
    const { code, output, errors } = await runCommand(["key", ...words], { folder, environment });
    if (code !== 0) throw new Error(errors);
    return output.trim();
  };
  const admin = await slipway("new", "admin", "--role", "operate");
  const [one, other] = await Promise.all([start(t, folder, database), start(t, folder, database)]);
  const status = async (host: StartedHost, key?: string): Promise<number> => {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    return (await fetch(`${host.url}/api/status`, { headers })).status;
  };
  for (const host of [one, other]) {
    t.equal(await status(host), 401);
    t.equal(await status(host, admin), 200);
  }
  const monitoring = await slipway("new", "monitoring", "--role", "read");
  for (const host of [one, other]) t.equal(await status(host, monitoring), 200, "at once");
  t.match(await slipway("list"), /^admin .*\n(?:.*\n)*monitoring /m);
  await slipway("remove", "monitoring");
  for (const host of [one, other]) await until(async () => (await status(host, monitoring)) === 401);
  t.equal(await status(one, admin), 200);
});

t.test("keys of a host that shares an engine from now on stay in force", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const folder = await newFolder(t);
  const own = join(folder, "var");
  await mkdir(own);
  const made = await runCommand(["key", "new", "admin", "--role", "operate", "--var", own]);
  const headers = { Authorization: `Bearer ${made.output.trim()}` };
  const host = await start(t, folder, database, { var: own });
  const another = await start(t, folder, database);
  for (const { url } of [host, another]) {
    t.equal((await fetch(`${url}/api/status`)).status, 401);
    t.equal((await fetch(`${url}/api/status`, { headers })).status, 200);
  }

  const away = { SLIPWAY_ENGINE__URL: "postgresql://nobody:hidden@127.0.0.1:9/nothing" };
  const failed = await runCommand(["key", "list"], { folder, environment: away });
  t.equal(failed.code, 1);
  t.match(
    failed.errors,
    /The engine does not answer: No connection to PostgreSQL at 127\.0\.0\.1:9\/nothing/,
  );
  t.notMatch(failed.errors, /hidden/);
  await writeFile(join(own, "keys.json"), "{");
  t.match(
    (
      await runCommand(["key", "list", "--var", own], {
        folder,
        environment: { SLIPWAY_ENGINE__URL: database },
      })
    ).output,
    /^admin /m,
  );
});
