/** Hosts that share a database switch their plugins together, or none does, whoever of them dies in between. */
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { readiness } from "../../host/fleet-support.js";
import {
  errorOf,
  type FleetHost,
  lastSwitch,
  ordered,
  sampleArchive,
  startFleet,
  startThree,
  type ThreeHosts,
  untilAllServe,
  upload,
  uploaded,
  version,
  versions,
} from "../../host/fleet-switch-support.js";
import { failuresOf, Load } from "../../host/plugin-load/load.js";
import { sampleVersion } from "../../host/plugin-load/load-requests.js";
import { dropByRename } from "../../host/plugin-load/plugin-dropping.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { type Switch, staleAnswers } from "../../host/plugin-load/switches.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";

const server = await findServer(t);
const skip = server === undefined && noServer;

const three = (t: Test, options?: Parameters<typeof startThree>[2]): Promise<ThreeHosts> =>
  startThree(t, server, options);

const all = (version: string): string[] => [version, version, version];
const textAt = async ({ url }: FleetHost, path: string): Promise<string> =>
  (await fetch(`${url}${path}`)).text();
const portOf = ({ url }: FleetHost): string => new URL(url).port;

t.test("what one host is given is served by all when it answers", { skip }, async (t) => {
  const hosts = await three(t);
  const [one, two] = hosts;
  t.strictSame(await versions(hosts), all("1.0.0"));
  for (const [host, version] of [
    [one, "1.1.0"],
    [two, "1.2.0"],
  ] as const) {
    const { agreed } = await uploaded(host, { version });
    t.strictSame(await versions(hosts), all(version));
    t.equal(agreed?.hosts.length, 3);
    t.strictSame(agreed?.waiting, []);
    t.match(await lastSwitch(one), {
      generation: agreed?.generation,
      state: "committed",
      serving: agreed?.hosts,
      refused: [],
    });
  }
});

t.test("orders of admins are in force on all hosts when they answer", { skip }, async (t) => {
  const hosts = await three(t);
  const [one, two, other] = hosts;
  await uploaded(one, { version: "1.1.0" });
  // Proven, so that it can be gone back to.
  await until(async () => (await ordered(two, "rollback").catch(() => undefined)) !== undefined);
  t.strictSame(await versions(hosts), all("1.0.0"));
  await ordered(other, "rollback", { version: "1.1.0" });
  t.strictSame(await versions(hosts), all("1.1.0"));
  await ordered(one, "disable");
  t.strictSame(await versions(hosts), [404, 404, 404]);
  await two.host.stop();
  await two.start();
  t.equal(await version(two), 404, "also after a restart");
  await ordered(other, "enable");
  t.strictSame(await versions(hosts), all("1.1.0"));
});

t.test(
  "what is dropped into one folder is served by all, and gone when it is taken away",
  { skip },
  async (t) => {
    const hosts = await three(t);
    const [one, two, other] = hosts;
    await dropByRename(await samplePlugin({ version: "1.1.0" }), one.place("new"));
    await untilAllServe(hosts, "1.1.0");
    // Also where it has proven itself before, and so is not on trial any more.
    await until(async () => /"kept":\[[^\]]*"1\.1\.0"/.test(await textAt(two, "/api/plugins/Sample")));
    await dropByRename(await samplePlugin({ version: "1.1.0" }), two.place("same"));
    await until(async () => (await textAt(two, "/api/plugins")).includes('"same"'));
    await rm(one.place("new"), { recursive: true });
    await two.host.logged(({ event, plugin }) => event === "stage" && plugin === "Sample@1.1.0");
    await fetch(`${one.url}/api/plugins/look`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    t.strictSame(await versions(hosts), all("1.1.0"), "another host still has it");
    // Nobody but the host that had it last is to notice.
    await one.host.stop();
    await rm(two.place("same"), { recursive: true });
    await untilAllServe([two, other], "1.0.0");
    await one.start();
    t.strictSame(await versions(hosts), all("1.0.0"));
  },
);

t.test("when one host cannot take a version, none does", { skip }, async (t) => {
  const small = { plugins: { settlingTime: 200, probation: 500, archives: { bytes: 1 } } };
  // What was refused may come again before a replacement in the folder would count as one.
  const slow = { plugins: { settlingTime: 2000, probation: 500 } };
  const hosts = await three(t, { each: [slow, {}, small] });
  const [one, , other] = hosts;
  const archive = await sampleArchive({ version: "1.1.0" }, 2_000_000);
  const refused = await errorOf(await upload(one, archive));
  t.equal(refused.status, 422);
  t.match(
    refused.message,
    new RegExp(`:${portOf(other)} cannot take it: .*larger than plugins.archives.bytes`),
  );
  t.strictSame(await versions(hosts), all("1.0.0"));
  t.match(await lastSwitch(other), {
    state: "aborted",
    reason: refused.message.match(/\S+:\d+ cannot.*/)?.[0],
  });

  t.equal((await upload(one, archive, "?force=true")).status, 201);
  t.strictSame(await versions(hosts), ["1.1.0", "1.1.0", 503]);
  const { status, reasons } = await readiness(other.host);
  t.equal(status, 503);
  t.match(reasons.join(), /larger than plugins.archives.bytes/);
  await uploaded(one, { version: "1.2.0" });
  await until(async () => (await readiness(other.host)).status === 200);
  t.strictSame(await versions(hosts), all("1.2.0"));
});

t.test("what a host cannot take for a reason of its own is offered again", { skip }, async (t) => {
  const hosts = await three(t);
  const [one, , other] = hosts;
  const archives = join(dirname(dirname(other.place("sample"))), "var", "fleet");
  await writeFile(archives, "This is no folder.");
  const answer = await upload(one, await sampleArchive({ version: "1.2.0" }));
  t.equal(answer.headers.get("Retry-After"), "60");
  const refused = await errorOf(answer);
  t.match(refused, {
    status: 503,
    id: "request-overloaded",
    message: /cannot take it: .*EEXIST.*nothing was/,
  });
  t.notMatch(refused.message, /[/\\]|mkdir/, "nothing of its paths");
  await other.host.logged((line) => JSON.stringify(line).includes(archives));
  await dropByRename(await samplePlugin({ version: "1.1.0" }), one.place("new"));
  await until(async () => (await (await fetch(`${one.url}/api/plugins`)).text()).includes("are asked again"));
  t.strictSame(await versions(hosts), all("1.0.0"));
  await rm(archives);
  await untilAllServe(hosts, "1.1.0");
  t.match(await lastSwitch(one), { state: "committed" });
});

t.test("of two uploads at once one is refused", { skip }, async (t) => {
  const hosts = await three(t);
  const [one, two] = hosts;
  const [first, second] = [
    await sampleArchive({ version: "1.1.0" }),
    await sampleArchive({ version: "1.2.0" }),
  ];
  const answers = await Promise.all([upload(one, first), upload(two, second)]);
  const statuses = answers.map(({ status }) => status).sort();
  // One may also come after the other.
  t.ok(["201,201", "201,409"].includes(statuses.join()), statuses.join());
  const served = new Set(await versions(hosts));
  t.equal(served.size, 1, "all hosts serve the same");
  for (const answer of answers)
    if (answer.status === 409)
      t.match(await errorOf(answer), { id: "plugin-conflict", message: /is switching Sample/ });
});

t.test("what fails on one host is taken back by all", { skip }, async (t) => {
  const hosts = await three(t, { configuration: { plugins: { settlingTime: 200, probation: 60_000 } } });
  const [one, two, other] = hosts;
  await uploaded(one, { version: "1.1.0", answers: "exit" });
  await version(two);
  await untilAllServe([two], "1.0.0");
  const began = performance.now();
  await untilAllServe(hosts, "1.0.0");
  t.comment(`The others followed after ${Math.round(performance.now() - began)} ms`);
  await other.host.kill();
  await other.start();
  t.equal(await version(other), "1.0.0", "also after a restart");
  await uploaded(other, { version: "1.2.0" });
  t.strictSame(await versions(hosts), all("1.2.0"));
});

t.test("whoever is killed in between, the others go on", { skip }, async (t) => {
  const hosts = await three(t);
  const [one, two, other] = hosts;
  const slow = { version: "1.1.0" };
  const archive = await sampleArchive(slow);
  const isOpen = async (host: FleetHost): Promise<boolean> => (await lastSwitch(host))?.state === "preparing";

  other.host.process.kill("SIGSTOP");
  const sent = upload(one, archive);
  await until(() => isOpen(one));
  t.strictSame(await versions([one, two]), ["1.0.0", "1.0.0"], "not before all are prepared");
  await other.host.kill();
  t.equal((await sent).status, 201, "its lease is over");
  t.strictSame(await versions([one, two]), ["1.1.0", "1.1.0"]);
  await other.start();
  t.equal(await version(other), "1.1.0", "what was agreed on while it was away");

  other.host.process.kill("SIGSTOP");
  const lost = upload(one, await sampleArchive({ version: "1.2.0" })).catch(() => undefined);
  await until(() => isOpen(two));
  await one.host.kill();
  t.equal(await lost, undefined);
  other.host.process.kill("SIGCONT");
  await untilAllServe([two, other], "1.2.0");
  await one.start();
  t.equal(await version(one), "1.2.0");
});

t.test("a host that comes later brings and takes", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const first = { sample: await samplePlugin({ version: "1.0.0" }) };
  const [one] = await startFleet(t, database, { hosts: 1, plugins: first });
  if (one === undefined) throw new Error("There is no host");
  await uploaded(one, { version: "1.1.0" });
  const [empty] = await startFleet(t, database, { hosts: 1 });
  if (empty === undefined) throw new Error("There is no host");
  t.equal(await version(empty), "1.1.0", "without a plugin of its own");
  const [newer] = await startFleet(t, database, {
    hosts: 1,
    plugins: { sample: await samplePlugin({ version: "2.0.0" }) },
  });
  if (newer === undefined) throw new Error("There is no host");
  t.strictSame(await versions([one, empty, newer]), all("2.0.0"));
  const different = await samplePlugin({ version: "2.0.0", answers: "throw" });
  await dropByRename(different, one.place("different"));
  const isRefused = async () =>
    (await (await fetch(`${one.url}/api/plugins`)).text()).includes("different content");
  await until(isRefused);
  t.strictSame(await versions([one, empty, newer]), all("2.0.0"));
});

t.test("under load no request fails, and none is answered by what was replaced", { skip }, async (t) => {
  const hosts = await three(t);
  const loads = hosts.map(
    ({ url }) =>
      new Load(url, [
        sampleVersion(undefined, { clients: 2, pause: 5 }),
        sampleVersion(undefined, { clients: 2, pause: 5 }, 100),
      ]),
  );
  t.teardown(() => Promise.all(loads.map((load) => load.stop())));
  const switches: Switch[] = [];
  for (let n = 1; n <= 6; n += 1) {
    const version = `1.${n}.0`;
    const host = hosts[n % 3];
    if (host === undefined) throw new Error("There is no host");
    await uploaded(host, { version });
    switches.push({ plugin: "Sample", label: `Sample@${version}`, at: performance.now() });
  }
  await Promise.all(loads.map((load) => load.stop()));
  const answers = loads.flatMap((load) => load.answers);
  t.ok(answers.length > 500, `${answers.length} answers`);
  t.strictSame(failuresOf(answers), []);
  t.strictSame(staleAnswers(answers, switches), []);
});
