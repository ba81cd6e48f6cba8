/** Versions come and go while clients ask without a pause: nobody gets a failure, and everybody knows who answered. */
import { join } from "node:path";
import t from "tap";
import { pluginStates, rollback, untilPlace } from "../host/plugin-load/host-api.js";
import { type HotHost, startHotHost } from "../host/plugin-load/hot-host.js";
import { answersByLabel, failuresOf, Load, unattributedOf } from "../host/plugin-load/load.js";
import { exportDefaults, sampleVersion, templates } from "../host/plugin-load/load-requests.js";
import {
  dropArchive,
  dropByRename,
  dropBySymlink,
  dropFileByFile,
  remove,
  replaceByRename,
} from "../host/plugin-load/plugin-dropping.js";
import {
  firstPartyPlugin,
  listed,
  type PluginFiles,
  samplePlugin,
} from "../host/plugin-load/plugin-maker.js";
import { type Switch, staleAnswers } from "../host/plugin-load/switches.js";
import { until } from "../host/plugins-support.js";

/** Of a place without a list of its files, in milliseconds; slow copies here make shorter pauses, listed ones longer. */
const settlingTime = 400;
const [old, young] = ["1.0", "1.1"];
let host: HotHost;
let load: Load;
const switches: Switch[] = [];

t.before(async () => {
  const others = { Reporter: "*", oex: "*" };
  host = await startHotHost({
    plugins: {
      reporter: await firstPartyPlugin("reporter", "1.0.0"),
      oex: await firstPartyPlugin("oex", "1.0.0"),
      old: await samplePlugin({ version: "1.0.0" }),
      young: await samplePlugin({ version: "1.1.0" }),
    },
    configuration: {
      releases: { [old]: { ...others, Sample: "~1.0.0" }, [young]: { ...others, Sample: "~1.1.0" } },
      plugins: { settlingTime, probation: 500 },
    },
  });
  const rate = { clients: 1, pause: 50 };
  load = new Load(host.url, [
    templates(rate),
    exportDefaults(rate),
    sampleVersion(old, { ...rate, clients: 2 }),
    sampleVersion(young, { ...rate, clients: 2 }),
    // Many of these have begun with one version when another one comes.
    { ...sampleVersion(young, { ...rate, clients: 2 }, 200), name: "Sample, slowly" },
  ]);
});
t.teardown(async () => {
  await load.stop();
  await host.stop();
});

/** Waits until the version answers, and holds it to that. */
async function answers(plugin: string, version: string, request?: string): Promise<void> {
  const label = `${plugin}@${version}`;
  const { ended } = await load.nextFrom(label, request);
  switches.push({ plugin, request, label, at: ended });
}

const sample = (version: string): Promise<PluginFiles> => samplePlugin({ version });
const underOld = sampleVersion(old, { clients: 0, pause: 0 }).name;
const underYoung = sampleVersion(young, { clients: 0, pause: 0 }).name;

t.test("every way of copying a version in is a swap", async (t) => {
  const { place, besides } = host;
  const store = join(besides, "linked");
  const swaps: [way: string, version: string, drop: (files: PluginFiles) => Promise<void>][] = [
    ["renamed in", "1.1.1", (files) => dropByRename(files, place("young-1"))],
    ["in place of a folder", "1.0.1", (files) => replaceByRename(files, place("old"), settlingTime / 4)],
    ["file by file", "1.1.2", (files) => dropFileByFile(files, place("young-2"), settlingTime / 4)],
    ["over the files of a folder", "1.0.2", (files) => dropFileByFile(files, place("old"), settlingTime / 4)],
    ["as a link", "1.1.3", (files) => dropBySymlink(files, place("young-link"), store)],
    ["as an archive", "1.0.3", (files) => dropArchive(files, place("sample.tgz"))],
    ["as a link to another folder", "1.1.4", (files) => dropBySymlink(files, place("young-link"), store)],
    ["as an archive in place of one", "1.0.4", (files) => dropArchive(files, place("sample.tgz"))],
    [
      "very slowly, with a list of its files",
      "1.1.5",
      (files) => dropFileByFile(listed(files), place("young-listed"), 1.5 * settlingTime),
    ],
  ];
  for (const [way, version, drop] of swaps) {
    await drop(await sample(version));
    await answers("Sample", version, version.startsWith("1.0") ? underOld : underYoung);
    t.pass(way);
  }
  await dropByRename(await firstPartyPlugin("oex", "1.0.1"), place("oex-1"));
  await answers("oex", "1.0.1");
  t.pass("a version of a large plugin");
});

t.test("a rollback answers when it is in force", async (t) => {
  const back = async (version: string, order: { version?: string; release?: string }): Promise<void> => {
    const plugin = "Sample";
    const done = await rollback(host.url, plugin, order);
    t.match(done, [{ release: order.release, to: version }]);
    const request = order.release === old ? underOld : underYoung;
    switches.push({ plugin, request, label: `${plugin}@${version}`, at: performance.now() });
    await load.nextFrom(`${plugin}@${version}`, request);
  };
  await back("1.0.3", { release: old });
  await back("1.1.4", { release: young });
  await back("1.1.2", { release: young, version: "1.1.2" });
  await dropByRename(await sample("1.1.6"), host.place("young-6"));
  await answers("Sample", "1.1.6", underYoung);
  t.pass("what comes later is taken nevertheless");
});

t.test("the version below that nobody rolled back from answers when one is removed", async (t) => {
  await remove(host.place("young-6"));
  await answers("Sample", "1.1.2", underYoung);
  await until(async () => {
    const states = await pluginStates(host.url);
    return !states.some(({ version, processId }) => version === "1.1.6" && processId !== undefined);
  });
  t.pass("and the process of the other one ends");
});

t.test("what lies there half is not taken, and the rest makes it whole", async (t) => {
  const whole = await sample("1.1.7");
  const half = new Map([...whole].filter(([path]) => path !== "part.ts"));
  await dropByRename(half, host.place("young-7"));
  const { reason } = await untilPlace(host.url, "young-7", ({ stage }) => stage === "rejected");
  t.match(reason, /part\.js/);
  t.equal((await load.nextFrom("Sample@1.1.2", underYoung)).status, 200);
  await dropFileByFile(whole, host.place("young-7"), 0);
  await answers("Sample", "1.1.7", underYoung);
});

t.test("of several that come at once the highest one answers in the end", async (t) => {
  const highest = "1.1.11";
  const versions = ["1.1.9", highest, "1.1.8", "1.1.10"];
  const before = load.answers.length;
  const drops = versions.map(async (version) => dropByRename(await sample(version), host.place(version)));
  await Promise.all(drops);
  const { ended: at } = await load.nextFrom(`Sample@${highest}`, underYoung);
  // Where it takes long to start, lower ones serve until then.
  const answering = answersByLabel(load.answers.slice(before));
  const lower = versions.filter((each) => each !== highest && answering.has(`Sample@${each}`));
  for (const version of [...lower, highest])
    switches.push({ plugin: "Sample", request: underYoung, label: `Sample@${version}`, at });
  t.pass("whatever was begun of the others");
});

t.test("nobody noticed any of it", async (t) => {
  await load.stop();
  t.strictSame(failuresOf(load.answers), [], "no request failed");
  t.strictSame(unattributedOf(load.answers), [], "every answer says who gave it");
  t.strictSame(staleAnswers(load.answers, switches), [], "after a switch nobody else answers");
  const labels = answersByLabel(load.answers);
  for (const { label } of switches) t.ok(labels.get(label), label);
});

t.test("a plugin that is removed finishes what it has begun", async (t) => {
  const url = (ms: number): string => `${host.url}${sampleVersion(young, { clients: 0, pause: 0 }, ms).path}`;
  const begun = fetch(url(2000));
  const states = (await pluginStates(host.url)).filter(({ name }) => name === "Sample");
  for (const place of new Set(states.map(({ folder }) => folder))) await remove(host.place(place));
  await until(async () => (await fetch(url(0))).status === 404);
  const answer = await begun;
  t.equal(answer.headers.get("slipway-plugin"), "Sample@1.1.11");
  t.match(await answer.json(), { version: "1.1.11", part: "1.1.11" });
});
