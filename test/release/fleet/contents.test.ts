/**
 * What hosts hand to each other of their plugins, and remember of what they have agreed on, is what it is said to be. Uses the part
 * itself to write archives.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { writeArchive } from "../../../host/system/archives/write-archive.js";
import { post, readiness } from "../../host/fleet-support.js";
import {
  errorOf,
  ordered,
  provenVersion,
  sampleArchive,
  startFleet,
  untilAllServe,
  upload,
  uploaded,
  version,
  versions,
} from "../../host/fleet-switch-support.js";
import { dropByRename } from "../../host/plugin-load/plugin-dropping.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";
import { command } from "../../postgresql-server.js";

const server = await findServer(t);
const skip = server === undefined && noServer;

t.test("an archive that has changed in its folder reaches no other host", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const [one] = await startFleet(t, database, { hosts: 1 });
  if (one === undefined) throw new Error("There is no host");
  const place = one.place("sample.tgz");
  const sound = await sampleArchive({ version: "1.0.0" });
  await writeFile(place, sound);
  await untilAllServe([one], "1.0.0");
  await command(database, "DELETE FROM slipway.archive");
  await writeFile(place, await sampleArchive({ version: "1.0.0", answers: "throw" }));
  const refused = await errorOf(await post(`${one.url}/api/plugins/Sample/disable`, {}));
  t.match(refused, {
    status: 409,
    id: "plugin-conflict",
    message: /Sample 1\.0\.0: sample\.tgz has changed since the plugin was staged/,
  });
  t.equal(await version(one), "1.0.0", "it runs from a copy");
  await rm(place);
  t.match((await errorOf(await post(`${one.url}/api/plugins/Sample/disable`, {}))).message, /is gone/);

  await writeFile(place, sound);
  await until(async () => (await post(`${one.url}/api/plugins/Sample/disable`, {})).status === 200);
  await ordered(one, "enable");
  const [empty] = await startFleet(t, database, { hosts: 1 });
  if (empty === undefined) throw new Error("There is no host");
  t.equal(await version(empty), "1.0.0");
});

t.test("an archive that is damaged in the database is not unpacked", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const plugins = { sample: await samplePlugin({ version: "1.0.0" }) };
  const [one] = await startFleet(t, database, { hosts: 1, plugins });
  if (one === undefined) throw new Error("There is no host");
  await uploaded(one, { version: "1.1.0" });
  await command(database, "UPDATE slipway.archive_chunk SET data = data || '\\x00'");
  const [empty] = await startFleet(t, database, { hosts: 1 });
  if (empty === undefined) throw new Error("There is no host");
  const { status, reasons } = await readiness(empty.host);
  t.equal(status, 503);
  t.match(reasons.join(), /archive of Sample in the database is damaged/);
  await command(
    database,
    "UPDATE slipway.archive_chunk SET data = substring(data FROM 1 FOR length(data) - 1)",
  );
  await untilAllServe([one, empty], "1.1.0");
  await command(database, "UPDATE slipway.archive SET sha256 = NULL");
  const [later] = await startFleet(t, database, { hosts: 1 });
  if (later === undefined) throw new Error("There is no host");
  t.equal(await version(later), "1.1.0", "hosts of before kept no hash");
});

t.test("an order to disable a plugin outruns a rollback that has begun", { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-gate-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const gate = join(folder, "open");
  await writeFile(gate, "");
  const database = await newDatabase(t, server ?? "");
  const plugins = { sample: await samplePlugin({ version: "1.0.0" }) };
  const grants = { Sample: { read: { gate: folder } } };
  const configuration = { plugins: { settlingTime: 200, probation: 500, grants } };
  const hosts = await startFleet(t, database, { hosts: 2, plugins, configuration });
  const [one, two] = hosts;
  if (one === undefined || two === undefined) throw new Error("There are no hosts");
  // It starts while the gate is open.
  const files = new Map(await samplePlugin({ version: "1.1.0" }));
  files.set(
    "part.ts",
    `import { existsSync } from "node:fs";
     while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 20));
     export const part = "1.1.0";`,
  );
  const packed = [...files].map(([path, content]) => ({ path, content: Buffer.from(content) }));
  const { status } = await upload(one, writeArchive("package", packed));
  t.equal(status, 201);
  await provenVersion(one, "1.1.0");
  await ordered(one, "rollback", { version: "1.0.0" });
  const stageOf = async (): Promise<string> => {
    const overview: { versions: { version: string; stage: string }[] } = JSON.parse(
      await (await fetch(`${one.url}/api/plugins/Sample`)).text(),
    );
    return overview.versions.find(({ version }) => version === "1.1.0")?.stage ?? "";
  };
  await until(async () => (await stageOf()) === "standby");
  await rm(gate);
  const late = post(`${one.url}/api/plugins/Sample/rollback`, { version: "1.1.0" });
  await until(async () => (await stageOf()) === "starting");
  await ordered(two, "disable");
  await writeFile(gate, "");
  t.match(await errorOf(await late), { status: 409, message: /Sample is disabled\. Enable it first/ });
  t.strictSame(await versions(hosts), [404, 404]);
  await ordered(two, "enable");
  t.strictSame(await versions(hosts), ["1.0.0", "1.0.0"]);
});

t.test("a host that does not understand an agreement does not serve by it", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const plugins = { sample: await samplePlugin({ version: "1.0.0" }) };
  const [one, two] = await startFleet(t, database, { hosts: 2, plugins });
  if (one === undefined || two === undefined) throw new Error("There are no hosts");
  // The end of the probation is an agreement, too, and would replace the one below.
  await provenVersion(one, "1.0.0");
  await two.host.kill();
  const standing = "jsonb_set(content::jsonb, '{standing,ofTheFuture}', 'true')";
  await command(database, `UPDATE slipway.line SET content = (${standing})::json`);
  await two.start();
  const reason = /does not understand what was agreed on/;
  await until(async () => reason.test((await readiness(two.host)).reasons.join()));
  t.equal((await readiness(two.host)).status, 503);
  const line = await two.host.logged(
    ({ msg }) => msg === "A change of the state of the plugins is invalid and was not made",
  );
  t.match(String(line["reason"]), /ofTheFuture/);
  await command(
    database,
    "UPDATE slipway.line SET content = (content::jsonb #- '{standing,ofTheFuture}')::json",
  );
  await until(async () => (await readiness(two.host)).status === 200);
  await untilAllServe([one, two], "1.0.0");
});

t.test("what an earlier host remembered of a folder is gone with it, too", { skip }, async (t) => {
  const database = await newDatabase(t, server ?? "");
  const plugins = { sample: await samplePlugin({ version: "1.0.0" }) };
  const hosts = await startFleet(t, database, { hosts: 2, plugins });
  const [one, two] = hosts;
  if (one === undefined || two === undefined) throw new Error("There are no hosts");
  await dropByRename(await samplePlugin({ version: "1.1.0" }), one.place("new"));
  await untilAllServe(hosts, "1.1.0");
  await provenVersion(one, "1.1.0");
  const overview: { versions: { version: string; hash: string }[] } = JSON.parse(
    await (await fetch(`${one.url}/api/plugins/Sample`)).text(),
  );
  const { hash } = overview.versions.find((each) => each.version === "1.1.0") ?? { hash: "" };
  await one.host.stop();
  const file = join(one.host.var, "plugins.json");
  const memory: { places: Record<string, { hash: string }> } = JSON.parse(await readFile(file, "utf8"));
  const place = memory.places[one.place("new")];
  if (place === undefined) throw new Error("The folder is not remembered");
  t.not(place.hash, hash);
  place.hash = hash;
  await writeFile(file, JSON.stringify(memory));
  await rm(one.place("new"), { recursive: true });
  await one.start();
  await untilAllServe(hosts, "1.0.0");
});
