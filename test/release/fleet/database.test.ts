/** Hosts that share a database: each serves what the others store, and all of it outlives any of them. */
import { createHash } from "node:crypto";
import { Type, Validator } from "@slipway/sdk";
import t, { type Test } from "tap";
import { Forwarder } from "../../fleet/forwarder.js";
import { freePort } from "../../free-port.js";
import { post, put, readiness } from "../../host/fleet-support.js";
import { until } from "../../host/plugins-support.js";
import {
  findServer,
  finds,
  newDatabase,
  noPrograms,
  noServer,
  ownServer,
} from "../../host/postgresql-support.js";
import { demoFile, project, session } from "../../host/sessions-support.js";
import { command, findPrograms, type OwnServer } from "../../postgresql-server.js";
import { type StartedHost, type StartOptions, startHost } from "../../start-host.js";

const server = await findServer(t);
const programs = await findPrograms();

const checkGenerated = new Validator().compile(
  Type.Object({ url: Type.String(), name: Type.Optional(Type.String()) }),
  "answer",
);
function engineHost(url: string, options: StartOptions = {}, more: object = {}): Promise<StartedHost> {
  return startHost({ ...options, configuration: { engine: { url, ...more } } });
}

/** Exports a session on one host; returns the path of the file, which each host knows. */
async function exported(host: StartedHost, sessionId: string): Promise<string> {
  const answer = await post(`${host.url}/EAIWS/plugins/oex/export`, { sessionId });
  const text = await answer.text();
  const result = checkGenerated(JSON.parse(text));
  if (!result.ok) throw new Error(`${answer.status}: ${text}`);
  return new URL(result.value.url).pathname;
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

t.test("two hosts on one database", { skip: server === undefined && noServer }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  // Both at once: both want to make the tables.
  const [one, other] = await Promise.all([engineHost(database), engineHost(database)]);
  t.teardown(() => Promise.all([one.stop(), other.stop()]));

  const opened = await session(await post(`${one.url}/api/sessions`, await demoFile("obk")));
  const path = `/api/sessions/${opened.sessionId}`;
  t.match(await session(await fetch(other.url + path)), { sessionId: opened.sessionId, revision: 1 });
  t.equal((await readiness(other)).parts["engine"]?.ready, true);

  const file = await exported(other, opened.sessionId);
  const [here, there] = await Promise.all([fetch(one.url + file), fetch(other.url + file)]);
  const whole = await bytesOf(here);
  t.ok(whole.length > 1000);
  t.same(await bytesOf(there), whole);
  const etag = here.headers.get("etag") ?? "";
  t.equal(etag, `"${createHash("sha256").update(whole).digest("hex")}"`);
  t.equal(there.headers.get("etag"), etag);
  const ranged = await fetch(one.url + file, { headers: { Range: "bytes=100-299", "If-Range": etag } });
  t.equal(ranged.status, 206);
  t.same(await bytesOf(ranged), whole.subarray(100, 300));
  t.equal((await fetch(one.url + file, { headers: { "If-None-Match": etag } })).status, 304);

  const replaced = await Promise.all([one, other].map((host) => put(host.url + path, project())));
  const won = replaced.filter(({ status }) => status === 200).length;
  t.ok(won > 0 && replaced.every(({ status }) => [200, 409].includes(status)));
  const revision = 1 + won;
  for (const host of [one, other]) {
    t.match(await session(await fetch(host.url + path)), { revision, project: { name: "Small" } });
    t.match(await (await fetch(`${host.url}${path}/project`)).json(), { header: { name: "Small" } });
  }

  await one.kill();
  t.equal((await session(await post(`${other.url}${path}/keepalive`, {}))).revision, revision);
  t.same(await bytesOf(await fetch(other.url + file)), whole);
  t.ok(await exported(other, opened.sessionId));
  t.equal((await fetch(other.url + path, { method: "DELETE" })).status, 204);
  t.equal((await fetch(other.url + path)).status, 404);
});

t.test("the engine goes away and comes back", { skip: programs === undefined && noPrograms }, async (t) => {
  const engine = await ownServer(t, programs);
  const host = await engineHost(engine.url);
  t.teardown(() => host.stop());
  const { sessionId } = await session(await post(`${host.url}/api/sessions`, await demoFile("obk")));
  const file = await exported(host, sessionId);
  const content = await bytesOf(await fetch(host.url + file));

  for (const [way, leave, comeBack] of outages(engine)) {
    await leave();
    await refusesAll(t, host, sessionId, file, way);
    const { status, reasons, parts } = await readiness(host);
    t.equal(status, 503, way);
    t.match(reasons.join(), /engine: No connection to PostgreSQL at 127\.0\.0\.1:\d+\/postgres since/);
    t.equal(parts["engine"]?.ready, false);
    t.equal((await fetch(`${host.url}/healthz`)).status, 200);
    const told = await fetch(`${host.url}/api/status`);
    t.match(await told.json(), { ready: false, parts: { engine: { ready: false } }, sessions: undefined });

    await comeBack();
    await until(async () => (await fetch(`${host.url}/readyz`)).status === 200);
    t.match(await session(await fetch(`${host.url}/api/sessions/${sessionId}`)), { sessionId });
    t.same(await bytesOf(await fetch(host.url + file)), content, way);
    t.ok(await exported(host, sessionId));
  }
  t.equal(host.process.exitCode, null, "the same process");
  const problems = host.log.filter(({ level }) => level === 50).map(({ msg }) => msg);
  t.strictSame(new Set(problems), new Set(["The engine does not answer; what needs it gets 503"]));
  t.equal(problems.length, 3, "one line for each outage");

  await engine.freeze();
  t.equal(await host.stop(), 0, "a host ends without its engine");
});

t.test(
  "what no standby has is not acknowledged",
  { skip: programs === undefined && noPrograms },
  async (t) => {
    const engine = await ownServer(t, programs);
    const host = await engineHost(engine.url);
    t.teardown(() => host.stop());
    const open = () => post(`${host.url}/api/sessions`, project());
    const { sessionId } = await session(await open());
    const wait = async (standbys: string) => {
      await command(engine.url, `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await command(engine.url, "SELECT pg_reload_conf()");
    };
    await wait("missing");
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // A server that is told not to wait any longer reports success.
    const cancelled = async (): Promise<Response> => {
      const opened = open();
      await Promise.race([opened, until(() => finds(engine.url, waiting))]);
      await command(engine.url, `SELECT pg_cancel_backend(pid) FROM (${waiting}) AS waiting`);
      return await opened;
    };
    let answer = await cancelled();
    while (answer.status === 201) answer = await cancelled(); // before the setting was in force
    t.match(await answer.json(), { code: 503, id: "engine-unavailable" });
    await wait("");
    await until(async () => (await fetch(`${host.url}/api/sessions/${sessionId}`)).status === 200);
    await until(async () => (await open()).status === 201);
  },
);

/** How an engine goes, and how it comes back. */
function outages(engine: OwnServer): [string, () => Promise<void>, () => Promise<void>][] {
  return [
    ["stopped", () => engine.stop(), () => engine.start()],
    ["crashed", () => engine.stop("immediate"), () => engine.start()],
    ["frozen", () => engine.freeze(), () => engine.thaw()],
  ];
}

/** Everything that needs the engine is refused, however many ask at once. */
async function refusesAll(t: Test, host: StartedHost, sessionId: string, file: string, way: string) {
  const ask = [
    () => fetch(`${host.url}/api/sessions/${sessionId}`),
    () => post(`${host.url}/api/sessions`, project()),
    () => put(`${host.url}/api/sessions/${sessionId}`, project()),
    () => fetch(host.url + file),
    () => post(`${host.url}/EAIWS/plugins/oex/export`, { sessionId }),
  ];
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask.map((each) => each())).flat());
  const wrong: string[] = [];
  for (const answer of asked) {
    const text = await answer.text();
    if (answer.status === 503 && text.includes('"engine-unavailable"')) continue;
    wrong.push(`${answer.url}: ${answer.status} ${text.slice(0, 200)}`);
  }
  t.strictSame(wrong, [], way);
  t.ok(asked.every(({ headers }) => headers.get("retry-after") === "2"));
}

t.test("without its engine a host ends with a sentence", async (t) => {
  const away = "postgresql://nobody:hidden@127.0.0.1:9/nothing";
  const error = await engineHost(away, {}, { timeout: 500, start: 1000 }).then(
    () => new Error("It listens"),
    (reason: Error) => reason,
  );
  t.match(
    error.message,
    /The engine does not answer: No connection to PostgreSQL at 127\.0\.0\.1:9\/nothing/,
  );
  t.notMatch(error.message, /hidden/);
});

for (const [what, statement] of [
  ["its tables", "slipway.meta"],
  ["its lease", "INTO slipway.member"],
  ["keys", "FROM slipway.keys"],
  ["events and the audit trail", "FROM slipway.entry"],
] as const)
  t.test(
    `a host that starts waits for an engine that goes away when it asks for ${what}`,
    { skip: programs === undefined && noPrograms },
    async (t) => {
      const address = new URL((await ownServer(t, programs)).url);
      const port = Number(address.port);
      /** Of the connections: when it went away. */
      let left: number | undefined;
      const line = await Forwarder.start(await freePort(), port, (data) => {
        if (left !== undefined || !data.includes(statement)) return;
        left = line.connections;
        // Nobody listens there.
        line.lead(9);
      });
      t.teardown(() => line.stop());
      const starting = engineHost(line.addressOf(address.href), {}, { timeout: 100 });
      const tried = until(async () => left !== undefined && line.connections >= left + 5);
      t.equal(await Promise.race([tried, starting]), undefined, "it has neither listened nor ended");
      line.lead(port);
      const host = await starting;
      await until(async () => (await readiness(host)).status === 200);
      t.equal(await host.stop(), 0);
    },
  );

t.test("what an admin has to mend ends the start", { skip: server === undefined && noServer }, async (t) => {
  const missing = new URL(server ?? "");
  missing.pathname = "/slipway_test_missing";
  await t.rejects(engineHost(missing.href, {}, { start: 600_000 }), { message: /slipway_test_missing/ });
  const database = await newDatabase(t, server ?? "");
  const host = await engineHost(database);
  await host.stop();
  await command(database, "UPDATE slipway.meta SET major = 1000");
  await t.rejects(engineHost(database), { message: /later version of Slipway/ });
});
