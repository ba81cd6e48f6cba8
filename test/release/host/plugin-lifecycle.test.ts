/** What becomes of the versions of a plugin: taken, tried, gone back to, taken away, and what a restart makes of it. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
  dropArchive,
  dropByRename,
  remove,
  replaceByRename,
} from "../../host/plugin-load/plugin-dropping.js";
import {
  listed,
  type PluginFiles,
  type SampleOptions,
  samplePlugin,
} from "../../host/plugin-load/plugin-maker.js";
import { isAlive } from "../../host/plugin-load/process-tree.js";
import {
  type PluginsSettings,
  type StartedPlugins,
  startPlugins,
  until,
} from "../../host/plugins-support.js";

/** Of a version that replaces another one, in milliseconds. */
const soon = { probation: 1 };
const never = { probation: 600_000 };

type Supervisor = StartedPlugins["supervisor"];

interface LifeOptions extends Pick<PluginsSettings, "plugins" | "releases"> {
  /** What lies there at the start: place to version. */
  places?: Record<string, string>;
}

/** A host with a drop-in folder of its own, for the plugin "Sample". */
async function startLife(t: Test, { places = {}, ...settings }: LifeOptions = {}) {
  let stop = async (): Promise<void> => undefined;
  // Before the folder is made, so that nobody writes there any more when it is removed.
  t.teardown(() => stop());
  const root = t.testdir({ plugins: {}, var: {} });
  const varDirectory = join(root, "var");
  const folder = join(root, "plugins");
  for (const [name, version] of Object.entries(places))
    await dropByRename(listed(await samplePlugin({ version })), join(folder, name));
  const start = (): Promise<StartedPlugins> =>
    startPlugins({
      varDirectory,
      folders: [folder],
      ...settings,
      // Some versions of the sample leave traces of their starts, or look for a file.
      plugins: { ...never, grants: { Sample: { write: { traces: root } } }, ...settings.plugins },
    });
  const life = {
    varDirectory,
    folder,
    plugins: await start(),
    place: (name: string) => join(folder, name),
    look: () => life.plugins.supervisor.scan(),
    /** Puts a version into a place, or replaces what lies there, and waits for what becomes of it. */
    async drop(place: string, content: SampleOptions | PluginFiles): Promise<void> {
      const files = listed("version" in content ? await samplePlugin(content) : content);
      const there = (await readdir(folder)).includes(place);
      await (there ? replaceByRename : dropByRename)(files, life.place(place));
      await life.look();
    },
    /** Takes places away and waits until the host believes it. */
    async takeAway(...names: string[]): Promise<void> {
      for (const name of names) await remove(life.place(name));
      for (const name of names)
        await life.plugins.logged(
          ({ message, fields }) => message === "A plugin was removed" && fields["place"] === life.place(name),
        );
      await life.look();
    },
    /** The version that answers; undefined when none does. */
    async answering(release?: string): Promise<unknown> {
      try {
        const answer = await life.plugins.ask(
          "Sample",
          "GET version",
          release === undefined ? {} : { release },
        );
        return answer.error === undefined ? answer.body["version"] : answer.status;
      } catch {
        return undefined;
      }
    },
    crash: (release?: string) =>
      life.plugins.ask("Sample", "POST fault/exit", release === undefined ? {} : { release }),
    at: (place: string): ReturnType<Supervisor["states"]> =>
      life.plugins.supervisor.states().filter(({ folder }) => folder === life.place(place)),
    overview(): NonNullable<ReturnType<Supervisor["overview"]>> {
      const overview = life.plugins.supervisor.overview("Sample");
      if (overview === undefined) throw new Error("There is no Sample");
      return overview;
    },
    kept: () => life.overview().kept.map(({ version }) => version),
    rollback: async (order: { version?: string; release?: string; plugin?: string } = {}) =>
      (await life.plugins.supervisor.rollback({ plugin: "Sample", actor: "test", ...order })).rollbacks,
    /** The host stops; `meanwhile` happens; it starts again. */
    async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
      await life.plugins.stop();
      await meanwhile();
      life.plugins = await start();
    },
    events: (kind: string) => life.plugins.log.filter(({ fields }) => fields["event"] === kind),
    errors: () => life.plugins.log.filter(({ level, fields }) => level === "error" && !("event" in fields)),
  };
  stop = () => life.plugins.stop();
  return life;
}

/** The sample with something in one of its modules that runs when it is loaded; the plugin's own files stay the same. */
async function sampleThat(version: string, statement: string): Promise<PluginFiles> {
  const files = new Map(await samplePlugin({ version }));
  const imports = `import { appendFileSync, existsSync } from "node:fs";`;
  files.set("version.ts", `${imports}\n${statement}\nexport const version = ${JSON.stringify(version)};\n`);
  return files;
}

/** Refuses to come up while a file is there. */
const samplePutOffBy = (version: string, file: string): Promise<PluginFiles> =>
  sampleThat(version, `if (existsSync(${JSON.stringify(file)})) throw new Error("It does not want to.");`);

t.test("rollback", async (t) => {
  const releases = { one: { Sample: "*" }, two: { Sample: "~1.0.0" } };
  const life = await startLife(t, { places: { a: "1.0.0" }, releases, plugins: soon });
  for (const [place, version] of Object.entries({ b: "1.0.1", c: "1.1.0" })) {
    await life.drop(place, { version });
    await until(() => life.kept()[0] === version);
  }
  const answers = async () => [await life.answering("one"), await life.answering("two")];
  t.strictSame(await answers(), ["1.1.0", "1.0.1"]);

  await t.test("of one release, to the version that served before", async (t) => {
    t.strictSame(await life.rollback({ release: "one" }), [{ release: "one", from: "1.1.0", to: "1.0.1" }]);
    t.strictSame(await answers(), ["1.0.1", "1.0.1"]);
    await until(() => life.at("c")[0]?.stage === "standby");
    t.match(life.at("c"), [{ stage: "standby", reason: "Release one was rolled back to 1.0.1." }]);
    t.match(life.overview().pins, { one: { version: "1.0.1", actor: "test" } });
  });

  await t.test("again goes on to the one before that, in all releases", async (t) => {
    t.strictSame(await life.rollback(), [
      { release: "one", from: "1.0.1", to: "1.0.0" },
      { release: "two", from: "1.0.1", to: "1.0.0" },
    ]);
    t.strictSame(await answers(), ["1.0.0", "1.0.0"]);
  });

  await t.test("to a version, in the releases that can take it", async (t) => {
    t.strictSame(await life.rollback({ version: "1.1.0" }), [{ release: "one", from: "1.0.0", to: "1.1.0" }]);
    t.strictSame(await answers(), ["1.1.0", "1.0.0"]);
  });

  await t.test("is refused for what is not there, and changes nothing", async (t) => {
    const refused: [order: Parameters<typeof life.rollback>[0], code: number, message: RegExp][] = [
      [{ plugin: "Nobody" }, 404, /no plugin "Nobody"/],
      [{ version: "7.0.0" }, 404, /cannot use the version "7\.0\.0" of Sample; it can use .*1\.1\.0/],
      [{ release: "two", version: "1.1.0" }, 404, /Release two cannot use the version "1\.1\.0" of Sample/],
      [{ release: "three" }, 404, /no release "three"/],
    ];
    for (const [order, code, message] of refused)
      await t.rejects(life.rollback(order), { code, message }, JSON.stringify(order));
    t.strictSame(await answers(), ["1.1.0", "1.0.0"]);
  });

  await t.test("holds over a restart with one process for all releases", async (t) => {
    const counted = join(life.varDirectory, "starts");
    await life.drop(
      "d",
      await sampleThat("1.0.2", `appendFileSync(${JSON.stringify(counted)}, process.pid + "\\n");`),
    );
    await until(() => life.kept()[0] === "1.0.2");
    await life.drop("e", { version: "1.0.3" });
    await until(() => life.kept()[0] === "1.0.3");
    await life.rollback({ version: "1.0.2" });
    await life.takeAway("d");
    await life.restart(() => rm(counted, { force: true }));
    t.strictSame(await answers(), ["1.0.2", "1.0.2"]);
    const started = await readFile(counted, "utf8");
    t.equal(started.trim().split("\n").length, 1, "it was started once");
  });
});

t.test("a rollback and what disturbs it", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0", c: "1.2.0" } });
  const [starts, blocked] = [join(life.varDirectory, "starts"), join(life.varDirectory, "blocked")];
  const statement =
    `appendFileSync(${JSON.stringify(starts)}, "start\\n");` +
    `if (existsSync(${JSON.stringify(blocked)})) throw new Error("It is blocked.");`;
  await life.drop("b", await sampleThat("1.1.0", statement));

  await t.test("a version that cannot come up changes nothing", async (t) => {
    await writeFile(blocked, "");
    await t.rejects(life.rollback({ version: "1.1.0" }), {
      code: 409,
      message: /^Sample 1\.1\.0 does not start: .*It is blocked/,
    });
    t.equal(await life.answering(), "1.2.0");
    t.match(life.at("b"), [{ stage: "failed", reason: /It is blocked/, processId: undefined }]);
    t.strictSame(life.overview().pins, {});
    await rm(blocked);
    await t.resolves(life.rollback({ version: "1.1.0" }), "it may be tried again");
    t.equal(await life.answering(), "1.1.0");
  });

  await t.test("a version that is asked for again while it still finishes requests is live", async (t) => {
    const letGo = life.plugins.plugin("Sample").hold();
    await life.rollback({ version: "1.2.0" });
    t.match(life.at("b"), [{ stage: "draining" }]);
    await life.rollback({ version: "1.1.0" });
    letGo();
    await until(() => life.at("b").length === 1 && life.at("b")[0]?.stage === "live");
    t.equal(await life.answering(), "1.1.0");
    t.match(life.at("b"), [{ releases: ["1.0"], processId: Number }]);
    await until(() => life.plugins.supervisor.states().every(({ stage }) => stage !== "draining"));
    t.match(life.at("b"), [{ stage: "live", processId: Number }]);
  });

  await t.test("a look does not give up what is being started for it", async (t) => {
    await life.rollback({ version: "1.2.0" });
    await until(() => life.at("b")[0]?.stage === "standby");
    await rm(starts);
    const back = life.rollback({ version: "1.1.0" });
    await until(() => life.at("b")[0]?.stage === "starting");
    await life.look();
    await back;
    t.equal(await life.answering(), "1.1.0");
    t.equal(await readFile(starts, "utf8"), "start\n");
  });

  await t.test("a host that stops starts nothing any more", async (t) => {
    const { supervisor } = life.plugins;
    const stopped = supervisor.stop();
    await t.rejects(life.rollback({ version: "1.2.0" }), { code: 409 });
    await stopped;
    await t.rejects(life.rollback({ version: "1.2.0" }), { code: 409 });
    t.strictSame(
      supervisor.states().filter(({ processId }) => processId !== undefined),
      [],
    );
  });
});

t.test("a rollback ends with a version that comes later, and what it left does not come back", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" }, plugins: soon });
  await life.drop("b", { version: "1.2.0" });
  await until(() => life.kept()[0] === "1.2.0");
  await life.rollback();
  await life.drop("c", { version: "1.1.0" });
  await life.look();
  t.equal(await life.answering(), "1.1.0", "1.2.0 was not wanted, and is not now");
  await life.restart();
  t.equal(await life.answering(), "1.1.0");
  await life.drop("d", { version: "1.3.0" });
  t.equal(await life.answering(), "1.3.0");
  await life.look();
  t.strictSame(life.overview().pins, {});
});

t.test("disabled over a restart and for new versions, until it is enabled", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" } });
  const { supervisor } = life.plugins;
  await supervisor.disable("Sample", "test");
  t.equal(await life.answering(), undefined);
  await until(() => life.at("a")[0]?.stage === "disabled");
  await t.rejects(life.rollback({ version: "1.0.0" }), { code: 409, message: /disabled\. Enable it first/ });
  await life.restart();
  await life.drop("b", { version: "1.1.0" });
  t.equal(await life.answering(), undefined);
  t.match(life.at("a"), [{ stage: "disabled", reason: "An admin has disabled the plugin." }]);
  t.match(life.at("b"), [{ stage: "disabled" }]);
  t.equal(life.overview().disabled, true);
  await life.plugins.supervisor.enable("Sample", "test");
  t.equal(await life.answering(), "1.1.0");
});

t.test("an order whose outcome cannot be written is refused and ends nothing else", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" }, plugins: soon });
  await life.drop("b", { version: "1.1.0" });
  const file = join(life.varDirectory, "plugins.json");
  await until(async () =>
    /"kept": \[\s*\{\s*"version": "1\.1\.0"/.test(await readFile(file, "utf8").catch(() => "")),
  );
  await rename(file, `${file}.away`);
  await mkdir(join(file, "in the way"), { recursive: true });
  const { supervisor } = life.plugins;
  await t.rejects(supervisor.disable("Sample", "test"));
  t.equal(await life.answering(), undefined, "it is in force nevertheless");
  await t.resolves(supervisor.enable("Sample", "test"), "now it is as it is written");
  t.equal(await life.answering(), "1.1.0");
  await t.rejects(life.rollback({ version: "1.0.0" }));
  t.equal(await life.answering(), "1.0.0");
  await rm(file, { recursive: true });
  await rename(`${file}.away`, file);
});

t.test("a crash on trial gives back at once, and the version is quarantined over a restart", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" } });
  await life.drop("p", { version: "1.1.0" });
  t.match(life.at("p"), [
    { version: "1.1.0", stage: "live", probationUntil: Number },
    { version: "1.0.0", stage: "standby", reason: "It stands by for 1.1.0." },
  ]);
  t.strictSame(life.kept(), ["1.0.0"], "nothing is known of the new one yet");
  const crash = life.crash();
  await until(() => life.overview().quarantined.length > 0);
  t.equal(await life.answering(), "1.0.0");
  t.match((await crash).error, { code: 500 });
  await until(() => life.at("p")[0]?.stage === "quarantined");
  t.match(life.at("p"), [
    { version: "1.1.0", stage: "quarantined", reason: /ended itself with exit code 0/, releases: [] },
    { version: "1.0.0", stage: "live", releases: ["1.0"] },
  ]);
  t.match(life.events("rollback"), [
    { fields: { release: "1.0", from: "1.1.0", to: "1.0.0", actor: "host" } },
  ]);
  await life.restart();
  t.equal(await life.answering(), "1.0.0");
  t.match(life.at("p")[0], { version: "1.1.0", stage: "quarantined", reason: /exit code 0/ });
  await life.plugins.supervisor.enable("Sample", "test", "1.1.0");
  t.equal(await life.answering(), "1.1.0", "an admin gives it another chance");
});

t.test("failures clearly above the rate of the version before give back", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" } });
  await life.answering();
  await life.drop("b", { version: "1.1.0", answers: "throw" });
  for (let count = 0; count < 4; count += 1) t.equal(await life.answering(), 500);
  t.match(life.at("b"), [{ stage: "live" }], "four say nothing");
  t.equal(await life.answering(), 500);
  t.equal(await life.answering(), "1.0.0");
  t.match(life.overview().quarantined, [{ version: "1.1.0", reason: /5 of its first 5 requests failed/ }]);
});

t.test("without a trial three crashes give back to a kept version that starts", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" }, plugins: soon });
  const blocked = join(life.varDirectory, "blocked");
  await life.drop("p", await samplePutOffBy("1.1.0", blocked));
  await until(() => life.kept()[0] === "1.1.0");
  await life.drop("p", { version: "1.2.0" });
  await until(() => life.kept()[0] === "1.2.0");
  await until(() => life.at("p").length === 1);
  await writeFile(blocked, "");
  for (let count = 0; count < 3; count += 1) await life.crash();
  await until(async () => (await life.answering()) === "1.0.0");
  t.match(life.overview().quarantined, [{ version: "1.2.0" }]);
  await life.restart();
  t.equal(await life.answering(), "1.0.0");
});

t.test("nothing is taken away for what does not start", async (t) => {
  const life = await startLife(t, { plugins: soon });
  const blocked = join(life.varDirectory, "blocked");
  await life.drop("p", await samplePutOffBy("1.0.0", blocked));
  await life.drop("p", { version: "1.1.0" });
  await until(() => life.kept()[0] === "1.1.0");
  await until(() => life.at("p").length === 1);
  await writeFile(blocked, "");
  for (let count = 0; count < 3; count += 1) await life.crash();
  await life.plugins.logged(({ fields }) => fields["plugin"] === "Sample@1.0.0" && fields["to"] === "failed");
  await life.look();
  t.equal(await life.answering(), "1.1.0", "it crashes, but it is all there is");
  t.strictSame(life.overview().quarantined, []);
});

t.test("a version that cannot be started again gives back too", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" }, plugins: soon });
  const blocked = join(life.varDirectory, "blocked");
  await life.drop("b", await samplePutOffBy("1.1.0", blocked));
  await until(() => life.kept()[0] === "1.1.0");
  await writeFile(blocked, "");
  await life.crash();
  await until(() => life.overview().quarantined.length > 0);
  await until(async () => (await life.answering()) === "1.0.0");
  t.match(life.overview().quarantined, [{ version: "1.1.0" }]);
});

t.test("another content under the same version is refused while the first one runs", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" } });
  const [first] = life.at("p");
  await life.drop("p", await sampleThat("1.0.0", "void 1;"));
  const [refused] = life.at("p");
  t.match(refused, { stage: "rejected", reason: first?.hash });
  t.match(refused, { reason: refused?.hash });
  t.notMatch(refused, { reason: life.folder }, "nothing is said of where folders lie");
  t.match(life.at("p")[1], { stage: "live", hash: first?.hash });
  t.match(life.overview().versions, [{ stage: "rejected" }, { stage: "live" }]);
  t.equal(await life.answering(), "1.0.0");
  await life.restart();
  t.equal(await life.answering(), "1.0.0", "also after a restart");
  t.match(life.at("p"), [{ stage: "rejected" }, { stage: "live", hash: first?.hash }]);

  await life.drop("p", { version: "1.0.0" });
  t.match(life.at("p"), [{ stage: "live", hash: first?.hash, releases: ["1.0"], processId: Number }]);
  t.equal(life.at("p").length, 1, "what is mended is one again");
});

t.test("development takes changed content under an old version", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" }, plugins: { development: true } });
  const [first] = life.at("p");
  await life.drop("p", await sampleThat("1.0.0", "void 1;"));
  t.match(life.at("p"), [{ stage: "live" }, { stage: "standby", hash: first?.hash }]);
  t.not(life.at("p")[0]?.hash, first?.hash);
});

t.test("what lies there broken or half keeps serving what it was", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" } });
  const whole = listed(await samplePlugin({ version: "1.1.0" }));
  const half = new Map([...whole].filter(([path]) => path !== "part.ts"));
  await replaceByRename(half, life.place("p"));
  await until(() => life.at("p").some(({ stage }) => stage === "waiting"));
  t.equal(await life.answering(), "1.0.0");
  t.match(life.at("p"), [{ stage: "waiting" }, { stage: "live", version: "1.0.0" }]);
  await life.drop("p", { version: "1.1.0", broken: "syntax-error" });
  t.match(life.at("p"), [{ stage: "rejected" }, { stage: "live", version: "1.0.0" }]);
  await life.restart();
  t.equal(await life.answering(), "1.0.0", "the last known good one");
  await life.drop("p", { version: "1.1.0", broken: "failing-probe" });
  t.match(life.at("p"), [
    { stage: "failed", version: "1.1.0" },
    { stage: "live", version: "1.0.0" },
  ]);
  await life.drop("p", { version: "1.0.0" });
  t.match(life.at("p"), [{ stage: "live", version: "1.0.0" }]);
  t.equal(life.at("p").length, 1);
});

t.test("a drop-in folder that is away at the start takes nothing with it", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" } });
  await life.restart(() => rename(life.folder, `${life.folder}-away`));
  t.equal(await life.answering(), "1.0.0");
  const { processId } = life.at("p")[0] ?? {};
  await rename(`${life.folder}-away`, life.folder);
  await life.look();
  t.match(life.at("p"), [{ stage: "live", version: "1.0.0", processId }]);
  t.equal(life.at("p").length, 1, "it is the same one when it is back");
});

t.test("removal", async (t) => {
  await t.test("of a version on trial brings back the one before", async (t) => {
    const life = await startLife(t, { places: { a: "1.0.0" } });
    await life.drop("b", { version: "1.1.0" });
    await life.takeAway("b");
    t.equal(await life.answering(), "1.0.0");
    t.match(life.at("a"), [{ stage: "live" }]);
    t.strictSame(life.overview().quarantined, []);
  });

  await t.test("of the version before does not hurt a trial", async (t) => {
    const life = await startLife(t, { places: { a: "1.0.0" } });
    await life.drop("b", { version: "1.1.0" });
    await rm(life.place("a"), { recursive: true });
    await until(() => life.at("a")[0]?.stage === "standby");
    await life.look();
    await life.crash();
    t.equal(await life.answering(), "1.0.0");
    await life.restart();
    t.equal(await life.answering(), "1.0.0", "also after a restart");
  });

  await t.test("of all folders takes the plugin away, also after a rollback", async (t) => {
    const life = await startLife(t, { places: { a: "1.0.0" }, plugins: soon });
    await life.drop("b", { version: "1.1.0" });
    await until(() => life.kept()[0] === "1.1.0");
    await life.rollback();
    const processId = life.at("a")[0]?.processId ?? 0;
    for (const place of ["a", "b"]) await remove(life.place(place));
    await until(async () => (await life.answering()) === undefined);
    await until(async () => !(await isAlive(processId)));
    await until(() => life.at("a").length === 0);
    await life.drop("b", { version: "1.1.0" });
    t.equal(await life.answering(), "1.0.0", "what comes back is no newer version");
  });
});

t.test(
  "what is dropped again after a rollback to its kept version is taken from where it lies",
  async (t) => {
    const life = await startLife(t, { places: { a: "1.0.0" }, plugins: soon });
    await life.drop("b", { version: "1.1.0" });
    await until(() => life.kept()[0] === "1.1.0");
    await life.takeAway("a");
    await life.rollback({ version: "1.0.0" });
    t.equal(await life.answering(), "1.0.0", "its folder is gone, but it is kept");
    await life.drop("c", { version: "1.0.0" });
    t.match(life.at("c"), [{ stage: "live" }]);
    await life.takeAway("b");
    t.equal(await life.answering(), "1.0.0");
  },
);

t.test("what is kept can be gone back to, and the rest is removed", async (t) => {
  const life = await startLife(t, { places: { p: "1.0.0" }, plugins: { ...soon, keep: 2 } });
  for (const version of ["1.1.0", "1.2.0"]) {
    await life.drop("p", { version });
    await until(() => life.kept()[0] === version);
  }
  t.strictSame(life.kept(), ["1.2.0", "1.1.0"]);
  await until(() => life.at("p").length === 1);
  await life.restart();
  await life.plugins.logged(
    ({ message, fields }) => /not needed any more/.test(message) && "versions" in fields,
  );
  const stored = await readdir(join(life.varDirectory, "snapshots", "Sample"));
  t.match(stored.sort(), [/^1\.1\.0-/, /^1\.2\.0-/]);
  await t.rejects(life.rollback({ version: "1.0.0" }), { code: 404 });
  await life.rollback();
  t.equal(await life.answering(), "1.1.0");
});

t.test("releases that change while a version is on trial", async (t) => {
  const range = (Sample: string) => ({ Sample });
  const releases = { one: range("*"), two: range("~1.0.0") };
  const life = await startLife(t, { places: { p: "1.0.0" }, releases });
  await life.drop("q", { version: "1.1.0" });
  await life.plugins.useReleases({ one: range("*"), three: range("^1.1.0") }, "one");
  t.strictSame(life.overview().releases, { one: "1.1.0", three: "1.1.0" });
  await life.crash("one");
  t.equal(await life.answering("one"), "1.0.0", "what stood by answers");
  await until(async () => (await life.answering("three")) === "1.1.0");
  t.pass("where nothing else fits it goes on");
  t.strictSame(life.overview().releases, { one: "1.0.0", three: "1.1.0" });
});

t.test("a host that is restarted during a trial finds both versions", async (t) => {
  const life = await startLife(t, { places: { z: "1.0.0" } });
  await life.drop("a", { version: "1.1.0" });
  await life.restart();
  t.match(life.at("a"), [{ stage: "live", version: "1.1.0" }]);
  t.match(life.at("z"), [
    { stage: "standby", version: "1.0.0", reason: "No release asks for this version." },
  ]);
});

t.test("a content that failed has another chance", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" } });
  const blocked = join(life.varDirectory, "blocked");
  await writeFile(blocked, "");
  await life.drop("b", await samplePutOffBy("1.1.0", blocked));
  await life.drop("c", { version: "1.2.0", broken: "failing-probe" });
  t.match([...life.at("b"), ...life.at("c")], [{ stage: "failed" }, { stage: "failed" }]);
  await rm(blocked);
  const { supervisor } = life.plugins;
  await t.rejects(supervisor.enable("Sample", "test", "7.0.0"), {
    code: 404,
    message: /no version "7\.0\.0"/,
  });
  const failures = () => life.plugins.log.filter(({ fields }) => fields["to"] === "failed").length;
  const before = failures();
  await supervisor.enable("Sample", "test", "1.1.0");
  t.equal(await life.answering(), "1.1.0", "when an admin says so");
  t.equal(failures(), before, "and only the one that was named");
});

t.test("one that was taken away and is put back has another chance too", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" } });
  const blocked = join(life.varDirectory, "blocked");
  await writeFile(blocked, "");
  const files = await samplePutOffBy("1.1.0", blocked);
  await life.drop("b", files);
  t.match(life.at("b"), [{ stage: "failed" }]);
  await life.takeAway("b");
  await rm(blocked);
  await life.drop("b", files);
  t.equal(await life.answering(), "1.1.0");
});

t.test("archives that are gone leave nothing", async (t) => {
  const life = await startLife(t, { places: { a: "1.0.0" } });
  await dropArchive(listed(await samplePlugin({ version: "1.1.0" })), life.place("b.tgz"));
  await until(async () => (await life.answering()) === "1.1.0");
  await life.restart(() => rm(life.place("b.tgz")));
  await life.plugins.logged(({ message }) => /not needed any more/.test(message));
  await until(async () => (await readdir(join(life.varDirectory, "unpacked"))).length === 0);
  t.equal(await life.answering(), "1.0.0");
});
