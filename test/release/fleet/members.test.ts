/** The hosts that share a database know of each other, and one that is cut off or stopped refuses what the others go on with. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { post, put, readiness, statusOf } from "../../host/fleet-support.js";
import { scrape } from "../../host/metrics-support.js";
import { pluginFiles, until } from "../../host/plugins-support.js";
import {
  findServer,
  finds,
  lockRows,
  newDatabase,
  noPrograms,
  noServer,
  ownServer,
} from "../../host/postgresql-support.js";
import { project, session } from "../../host/sessions-support.js";
import { command, findPrograms } from "../../postgresql-server.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

const server = await findServer(t);
const programs = await findPrograms();

/** A plugin that answers at once, or when a file is there. */
const entry = `
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { definePlugin, route, Type } from "@slipway/sdk";

export default definePlugin({
  setup: () => ({
    routes: [
      route.get("answer", {
        summary: "Answers, perhaps later",
        query: Type.Object({ file: Type.Optional(Type.String()) }),
        async handler({ query: { file } }) {
          while (file !== undefined && !existsSync(file)) await pause(10);
          return {};
        },
      }),
    ],
  }),
});
`;

/** Milliseconds; short, because what is to be seen comes after it. */
const lease = 1500;

/** Starts hosts with the plugin on one database; they end with the test. */
async function startMembers(t: Test, url: string, count: number, engine: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  const plugins = join(folder, "plugins");
  await mkdir(join(plugins, "patient"), { recursive: true });
  for (const [name, content] of Object.entries(pluginFiles("patient", "1.0.0", entry)))
    await writeFile(join(plugins, "patient", name), content);
  const start = (settings: object = {}, templates?: string[]) =>
    startHost({
      plugins: [plugins],
      configuration: {
        engine: { url, lease, ...engine },
        plugins: { grants: { patient: { read: { gates: folder } } } },
        ...settings,
      },
      ...(templates && { templates }),
    });
  const hosts = await Promise.all(Array.from({ length: count }, () => start()));
  t.teardown(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await rm(folder, { recursive: true });
  });
  const [one, other = one] = hosts;
  if (one === undefined || other === undefined) throw new Error("There is no host");
  return { one, other, start, folder };
}

const route = (host: StartedHost): string => `${host.url}/EAIWS/plugins/patient/answer`;
const states = async (host: StartedHost): Promise<string[]> =>
  (await statusOf(host)).members.map(({ state }) => state).sort();
const knowsOfLoss = (host: StartedHost) => until(async () => (await states(host)).includes("lost"));
const isReady = (host: StartedHost) => until(async () => (await readiness(host)).status === 200);
const unavailable = { code: 503, id: "engine-unavailable" };

t.test("each host shows all of them", { skip: server === undefined && noServer }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const { one, other, start, folder } = await startMembers(t, database, 2);

  await until(async () => {
    const { members } = await statusOf(one);
    return members.length === 2 && members.every(({ ready }) => ready);
  });
  for (const host of [one, other]) {
    const { members } = await statusOf(host);
    const name = new RegExp(`:${new URL(host.url).port}$`);
    t.match(
      members.filter(({ current }) => current),
      [{ name, state: "alive", releases: { "1.0": { patient: "1.0.0" } } }],
    );
    t.match((await readiness(host)).parts["engine"], {
      ready: true,
      detail: /^PostgreSQL at .+ answers\. The lease of this host ends in \d\.\d s unless it is renewed\.$/,
    });
  }
  const metrics = await scrape(one.url);
  const [left] = metrics.samples("slipway_engine_lease_seconds");
  t.match(left?.labels, { engine: /^PostgreSQL at / });
  t.ok(left !== undefined && left.value > 0 && left.value <= lease / 1000);
  t.equal(metrics.sum("slipway_engine_members", { state: "alive" }), 2);
  t.equal(metrics.sum("slipway_engine_members", { state: "lost" }), 0);
  const status = await runCommand(["status", "--url", one.url]);
  t.match(status.output, /^HOST +STATE +SLIPWAY +RUNNING +WAITING +LEASE +SERVES$/m);
  t.match(status.output, /^\S+:\d+ \(this one\) +ready .* patient@1\.0\.0$/m);

  await other.kill();
  await knowsOfLoss(one);
  t.strictSame(await states(one), ["alive", "lost"]);
  t.equal((await readiness(one)).parts["fleet"]?.problems, undefined);
  const third = await start({ files: { lifetime: 3_600_000 } }, [folder]);
  t.strictSame(await states(one), ["alive", "alive", "lost"]);
  const { status: code, parts } = await readiness(one);
  const name = new URL(third.url).port;
  t.equal(code, 200, "it serves nevertheless");
  t.strictSame(
    parts["fleet"]?.problems?.map((each) => each.replace(/^\S+:/, "")),
    [
      `${name} has other templates than this host: give all hosts the same.`,
      `${name} has other settings than this host: give all hosts the same.`,
    ],
  );
  t.equal(await third.stop(), 0);
  t.strictSame(await states(one), ["alive", "lost"], "a host that was stopped is not lost");
});

t.test(
  "what a host began before it was stopped is neither answered nor stored",
  { skip: server === undefined && noServer },
  async (t) => {
    const database = await newDatabase(t, server ?? "");
    // So that nothing but the lease ends what waits.
    const { one, other, folder } = await startMembers(t, database, 2, { timeout: 60_000 });
    const { sessionId } = await session(await post(`${one.url}/api/sessions`, project()));
    const path = `/api/sessions/${sessionId}`;
    const file = join(folder, "now");

    const unlock = await lockRows(t, database, "slipway.usage");
    const replaced = put(one.url + path, project());
    await until(() => finds(database, "SELECT FROM pg_locks WHERE NOT granted"));
    const answered = fetch(`${route(one)}?file=${encodeURIComponent(file)}`);
    await until(async () => (await statusOf(one)).working === 1);
    one.process.kill("SIGSTOP");
    await knowsOfLoss(other);
    await unlock();
    await writeFile(file, "");
    one.process.kill("SIGCONT");
    for (const answer of [await replaced, await answered]) t.match(await answer.json(), unavailable);
    t.match(await session(await fetch(other.url + path)), { revision: 1 });

    await isReady(one);
    t.equal((await fetch(route(one))).status, 200);
    t.match(await session(await put(one.url + path, project())), { revision: 2 });
    t.strictSame(await states(other), ["alive", "alive"], "it has joined again");
    t.ok(one.log.some(({ msg }) => String(msg).startsWith("The lease of this host is over")));
    await one.logged(({ msg }) => msg === "This host has joined again");
  },
);

t.test(
  "a host that is cut off stops serving plugins",
  { skip: programs === undefined && noPrograms },
  async (t) => {
    const engine = await ownServer(t, programs);
    const { one } = await startMembers(t, engine.url, 1);
    t.equal((await fetch(route(one))).status, 200);
    await engine.freeze();
    await until(async () => (await fetch(route(one))).status === 503);
    t.match(await (await fetch(route(one))).json(), unavailable);
    t.match(await readiness(one), {
      status: 503,
      reasons: [/^engine: .*The lease of this host was last renewed \d+\.\d s ago and is over/],
    });
    t.equal((await fetch(`${one.url}/healthz`)).status, 200);
    const metrics = await scrape(one.url);
    t.equal(metrics.sum("slipway_engine_lease_seconds"), 0);
    await engine.thaw();
    await isReady(one);
    t.equal((await fetch(route(one))).status, 200);
  },
);

t.test("slipway check asks the engine", { skip: programs === undefined && noPrograms }, async (t) => {
  const engine = await ownServer(t, programs);
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const environment = { SLIPWAY_ENGINE__URL: engine.url, SLIPWAY_VAR: join(folder, "var") };
  const checked = async () => {
    const { output, code } = await runCommand(["check"], { folder, environment });
    return {
      code,
      lines: output
        .split("\n")
        .filter((line) => /^\S+ +engine\b/.test(line))
        .join("\n"),
    };
  };
  const first = await checked();
  t.match(
    first.lines,
    /PostgreSQL at 127\.0\.0\.1:\d+\/postgres answers, version \d+.*, \d+ of \d+ connections in use/,
  );
  t.match(first.lines, /fsync is off/, "this server does without");
  t.match(first.lines, /no standby is waited for/);
  t.notMatch(first.lines, /clock|synchronous_commit is|connections are free|encrypted/);
  t.equal(first.code, 1);
  t.notOk(
    await finds(engine.url, "SELECT FROM pg_namespace WHERE nspname = 'slipway'"),
    "it changes nothing",
  );

  for (const setting of [
    "synchronous_commit = off",
    "full_page_writes = off",
    "synchronous_standby_names = 'one'",
  ])
    await command(engine.url, `ALTER SYSTEM SET ${setting}`);
  await command(engine.url, "ALTER SYSTEM SET max_connections = 10");
  await engine.stop();
  await engine.start();
  const second = await checked();
  for (const problem of [/synchronous_commit is off/, /full_page_writes is off/, /no standby is connected/])
    t.match(second.lines, problem);
  t.match(second.lines, /\d connections are free, and this host may need 10/);

  await engine.stop();
  t.match((await checked()).lines, /The engine does not answer: No connection to PostgreSQL at/);
});
