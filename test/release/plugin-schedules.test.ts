/** Work of plugins by the clock: runs, failures, overlaps, missed runs, restarts and updates. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { pluginFiles, until } from "../host/plugins-support.js";
import { writeFiles } from "../host/templates-support.js";
import { type StartedHost, startHost } from "../start-host.js";

const clock = (version: string, cron = "* * * * * *", timeZone = "Europe/Berlin"): Record<string, string> =>
  pluginFiles(
    "Clock",
    version,
    `import { definePlugin, route, schedule, Type } from "@slipway/sdk";

let release = () => {};

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.get("ticks", { summary: "Runs.", handler: async () => ({ last: (await host.store.get("last", Type.Integer()))?.value ?? 0 }) }),
      route.post("release", { summary: "Ends the slow run.", handler: () => { release(); return {}; } }),
    ],
    schedules: [
      schedule({
        name: "tick", cron: ${JSON.stringify(cron)}, timeZone: ${JSON.stringify(timeZone)}, summary: "Ticks.",
        async handler({ due, missed, log }) {
          await host.store.set("last", due.getTime());
          log.info("ticked", { due: due.getTime(), missed });
        },
      }),
      schedule({ name: "broken", cron: "* * * * * *", summary: "Fails.", handler() { throw new Error("out of ink"); } }),
      schedule({
        name: "slow", cron: "* * * * * *", summary: "Waits.",
        async handler({ missed, log, signal }) {
          log.info("slow begins", { missed });
          await new Promise((resolve) => { release = () => resolve(undefined); signal.addEventListener("abort", resolve); });
        },
      }),
      schedule({
        name: "hangs", cron: "* * * * * *", summary: "Takes too long.", timeout: "50ms",
        handler: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      }),
    ],
  }),
});
`,
  );

const ticks = ({ log }: StartedHost, plugin?: string) =>
  log.filter((line) => line["msg"] === "ticked" && (plugin === undefined || line["plugin"] === plugin));

async function states(host: StartedHost): Promise<Record<string, unknown>[]> {
  const { plugins } = Object(await (await fetch(`${host.url}/api/plugins`)).json());
  return plugins;
}

t.test("schedules of the live version run by the clock, through restarts and updates", async (t) => {
  const folder = t.testdir({ plugins: { one: {}, two: {}, three: {} }, templates: {}, var: {} });
  const plugins = join(folder, "plugins");
  await writeFiles(join(plugins, "one"), clock("1.0.0"));
  const options = {
    plugins: [plugins],
    templates: [join(folder, "templates")],
    var: join(folder, "var"),
    configuration: { requests: { drain: 100 } },
  };
  const host = await startHost(options);
  await until(() => ticks(host).length >= 2);
  const isAbout = (schedule: string) => (line: Record<string, unknown>) =>
    line["msg"] === "A run of a schedule failed" && line["schedule"] === schedule;
  await until(() => host.log.filter(isAbout("broken")).length >= 2);
  await until(() => host.log.filter(isAbout("hangs")).length >= 2);
  t.match(host.log.find(isAbout("broken")), { plugin: "Clock@1.0.0", schedule: "broken" });
  t.match(JSON.stringify(host.log), /out of ink/, "the cause is in the log");

  await host.logged(
    ({ msg, schedule }) => msg === "A schedule is due while its last run goes on" && schedule === "slow",
  );
  t.equal(host.log.filter(({ msg }) => msg === "slow begins").length, 1, "one run at a time");
  await fetch(`${host.url}/EAIWS/plugins/Clock/release`, { method: "POST" });
  await host.logged(({ msg, missed }) => msg === "slow begins" && Number(missed) >= 1);

  const live = (await states(host)).find(({ stage }) => stage === "live");
  t.match(live?.["schedules"], [
    {
      name: "tick",
      cron: "* * * * * *",
      timeZone: "Europe/Berlin",
      summary: "Ticks.",
      nextRun: Number,
      lastRun: { due: Number, started: Number },
      missed: Number,
    },
    { name: "broken", timeZone: "UTC" },
    { name: "slow" },
    { name: "hangs" },
  ]);
  await host.kill();

  const runs = join(options.var, "plugin-schedules");
  const [place = ""] = await readdir(runs);
  for (const name of (await readdir(join(runs, place))).filter((each) => each.endsWith(".json"))) {
    const file = join(runs, place, name);
    const stored = JSON.parse(await readFile(file, "utf8"));
    // As if the host had been down for longer.
    stored.run.due -= 5000;
    await writeFile(file, JSON.stringify(stored));
  }
  const next = await startHost(options);
  const told = ({ msg, schedule }: Record<string, unknown>) =>
    msg === "A schedule was due while it could not run" && schedule === "tick";
  await next.logged(told);
  await until(() => ticks(next).length >= 2);
  t.ok(Number(ticks(next)[0]?.["missed"]) >= 5, "the next run is told");
  const [first, second] = ticks(next);
  const between = (Number(second?.["due"]) - Number(first?.["due"])) / 1000 - 1;
  t.equal(
    second?.["missed"],
    between,
    "and only that: the one after it is told what was due between the two",
  );
  t.equal(next.log.filter(told).length, 1);

  await writeFiles(join(plugins, "two"), clock("1.1.0"));
  await until(() => ticks(next, "Clock@1.1.0").length >= 2);
  const switched = next.log.findIndex(({ msg, plugin }) => msg === "ticked" && plugin === "Clock@1.1.0");
  t.notOk(
    next.log.slice(switched).some(({ msg, plugin }) => msg === "ticked" && plugin === "Clock@1.0.0"),
    "the version before runs no more",
  );
  const dues = [...ticks(host), ...ticks(next)].map(({ due }) => due);
  t.equal(new Set(dues).size, dues.length, "nothing ran twice");

  for (const [cron, zone, reason] of [
    ["61 * * * *", "UTC", /The schedule tick: `cron` must be .*five fields.*but is "61 \* \* \* \*".*minute/],
    ["0 0 30 2 *", "UTC", /The schedule tick: `cron` must be .*never due/],
    ["@daily", "UTC", /The schedule tick: `cron` must be .*but is "@daily"/],
    ["* * * * *", "Europe/Nowhere", /The schedule tick: `timeZone` must be an IANA time zone/],
  ] as const) {
    await writeFiles(join(plugins, "three"), clock("2.0.0", cron, zone));
    await until(async () => (await states(next)).some((state) => reason.test(String(state["reason"]))));
  }
  const after = ticks(next).length;
  await until(() => ticks(next).length > after);
  t.equal(
    await next.stop(),
    0,
    "a refused version leaves the one that runs alone, and a run does not hold up the end",
  );
});

t.test("a run that goes on in an instance that is being replaced does not hold up the end", async (t) => {
  const folder = t.testdir({ plugins: { one: {} }, templates: {} });
  await writeFiles(join(folder, "plugins", "one"), {
    "package.json": clock("1.0.0")["package.json"] ?? "",
    "index.ts": `import { definePlugin, schedule } from "@slipway/sdk";

export default definePlugin({
  setup: () => ({
    routes: [],
    schedules: [
      schedule({ name: "stuck", cron: "* * * * * *", summary: "Never ends.", timeout: "50ms", handler: () => new Promise(() => {}) }),
      schedule({
        name: "slow", cron: "* * * * * *", summary: "Waits.",
        handler: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      }),
    ],
  }),
});
`,
  });
  const host = await startHost({
    plugins: [join(folder, "plugins")],
    templates: [join(folder, "templates")],
    configuration: { requests: { drain: 100 }, plugins: { drainTimeout: 600_000 } },
  });
  await host.logged(
    ({ msg, schedule }) => msg === "A schedule is due while its last run goes on" && schedule === "slow",
  );
  await host.logged(({ msg }) => msg === "An instance of a plugin will be replaced");
  t.equal(await host.stop(), 0);
  t.match(
    host.log.find(({ msg, schedule }) => msg === "A run of a schedule failed" && schedule === "slow"),
    { plugin: "Clock@1.0.0" },
  );
});
