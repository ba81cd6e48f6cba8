/**
 * When the content of a drop-in folder is complete, and what becomes of it. Tested by itself: plugins would have to be made
 * of each content, which takes far longer.
 */
import { execFile } from "node:child_process";
import {
  appendFile,
  cp,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { WriteStability } from "../../host/plugins/sources/source-content.js";
import { Rejection } from "../../host/system/errors.js";
import { never, testedIntake } from "./plugin-intake-support.js";
import { until } from "./plugins-support.js";
import { writeFiles } from "./templates-support.js";

// Most of their time is waiting.
t.jobs = 6;

/** A plugin in the eyes of these tests: its package.json is nothing but its version. */
function plugin(version: string, files: Record<string, string> = {}): Record<string, string> {
  return { "package.json": version, ...files };
}

t.test("everything that may be a plugin is found, and nothing else", { buffered: true }, async (t) => {
  const root = t.testdir({
    other: { shop: plugin("3") },
    elsewhere: plugin("2"),
    plugins: {
      shop: plugin("1"),
      "app-1.0.0.tgz": JSON.stringify(plugin("4")),
      "app.TAR.GZ": JSON.stringify(plugin("4")),
      empty: {},
      "README.md": "",
      "tsconfig.json": "{}",
      "shop.zip": JSON.stringify(plugin("4")),
      "SHOP.TAR": JSON.stringify(plugin("4")),
      "shop.tar.xz": JSON.stringify(plugin("4")),
      "index.js": "",
      "other.cts": "",
      "types.d.ts": "",
      "vite.config.mjs": "",
      "Thumbs.db": "",
      "desktop.ini": "",
      ".DS_Store": "",
      __MACOSX: plugin("9"),
      node_modules: plugin("9"),
      ".hidden": plugin("9"),
      "shop~": plugin("9"),
      "shop.part": plugin("9"),
      "shop.tmp": plugin("9"),
      "#shop#": plugin("9"),
      ".~shop": plugin("9"),
      "~$shop": plugin("9"),
      "app.tgz.crdownload": "",
      "app.tgz.filepart": "",
      ".app.tgz.Xh2f": "",
    },
  });
  await symlink(join(root, "elsewhere"), join(root, "plugins", "link"));
  await symlink(join(root, "plugins", "README.md"), join(root, "plugins", "link-to-file"));
  await symlink(join(root, "nowhere"), join(root, "plugins", "lost"));
  const tested = testedIntake(t, [join(root, "plugins"), join(root, "other"), join(root, "plugins")]);
  await tested.intake.start();
  await until(() => tested.intake.sources().filter(({ snapshot }) => snapshot !== undefined).length === 8);
  await until(() => tested.stage("empty") === "rejected");
  await until(() => tested.stage("index.js") === "rejected" && tested.stage("other.cts") === "rejected");
  t.same(
    tested.intake.sources().map(({ path, snapshot }) => [path.slice(root.length + 1), snapshot?.version]),
    [
      ["plugins/SHOP.TAR", "4"],
      ["plugins/app-1.0.0.tgz", "4"],
      ["plugins/app.TAR.GZ", "4"],
      ["plugins/empty", undefined],
      ["plugins/index.js", undefined],
      ["plugins/link", "2"],
      ["plugins/lost", undefined],
      ["plugins/other.cts", undefined],
      ["plugins/shop", "1"],
      ["plugins/shop.tar.xz", "4"],
      ["plugins/shop.zip", "4"],
      ["other/shop", "3"],
    ],
  );
  t.equal(tested.reason("empty"), "there is no readable package.json in the folder");
  t.equal(
    tested.reason("index.js"),
    "it is a single file; a plugin is a folder or an archive with a package.json",
  );
  t.match(tested.reason("lost"), /^It cannot be read: it is a link to something that is not there\.$/);
  t.ok(tested.intake.sources().every(({ record }) => record.current.stage !== "discovered"));
});

t.test(
  "what has been quiet for long is staged at the start, what is new has to become quiet",
  { buffered: true },
  async (t) => {
    const root = t.testdir({ old: plugin("1") });
    const folder = join(root, "old", "package.json");
    await until(async () => Date.now() - (await stat(folder)).ctimeMs > 200);
    const quick = testedIntake(t, [root], { settlingTime: 100 });
    await quick.intake.start();
    t.equal(quick.version("old"), "1");
    t.same(quick.history("old"), ["verified", "staged"]);

    const slow = testedIntake(t, [root], { settlingTime: never });
    await slow.intake.start();
    t.equal(slow.stage("old"), "waiting");
    t.equal(slow.source("old")?.snapshot, undefined);
    t.equal(slow.reason("old"), "It is still being copied.");
  },
);

for (const watch of ["events", "polling"] as const) {
  t.test(
    `a folder that is copied slowly is staged once, as a whole (${watch})`,
    { buffered: true },
    async (t) => {
      const root = t.testdir({});
      // No look but those that it decides on itself could find the end of the copying.
      const tested = testedIntake(t, [root], {
        watch,
        settlingTime: 800,
        rescanInterval: watch === "events" ? never : 50,
      });
      await tested.intake.start();
      await writeFiles(join(root, "shop"), plugin("1"));
      for (let file = 0; file < 10; file++) {
        await writeFiles(join(root, "shop"), { [`file${file}`]: "x" });
        await tested.intake.scan();
        t.equal(tested.stage("shop"), "waiting");
      }
      await until(() => tested.version("shop") === "1");
      t.equal(tested.staged.length, 1);
      t.match(tested.staged[0], "file9:x");
      t.same(tested.history("shop"), ["waiting: It is still being copied.", "verified", "staged"]);
    },
  );
}

t.test("copying that makes pauses gets more time", (t) => {
  const settling = new WriteStability(100);
  settling.see("a", 1000);
  t.equal(settling.remaining(1000), 100);
  settling.see("b", 1090);
  t.equal(settling.remaining(1090), 180, "twice the longest pause");
  settling.see("b", 1200);
  t.equal(settling.remaining(1200), 70, "what stays the same is quiet");
  settling.see("c", 1250);
  t.equal(settling.remaining(1250), 320);
  settling.see("d", 1251);
  t.equal(settling.remaining(1251), 320, "a shorter pause changes nothing");
  settling.see("e", 60_000);
  t.equal(settling.remaining(60_000), 10_000, "nobody waits for ever");
  t.equal(settling.remaining(70_000), 0);
  t.end();
});

t.test("a copying that goes on after a refusal is taken up again", { buffered: true }, async (t) => {
  const root = t.testdir({});
  const tested = testedIntake(t, [root]);
  await tested.intake.start();
  await writeFiles(join(root, "shop"), { a: "1" });
  await until(() => tested.stage("shop") === "rejected");
  await writeFiles(join(root, "shop"), plugin("1"));
  await until(() => tested.version("shop") === "1");
  t.same(tested.history("shop"), [
    "waiting: It is still being copied.",
    "rejected: there is no readable package.json in the folder",
    "waiting: It is still being copied.",
    "verified",
    "staged",
  ]);
});

t.test(
  "a list of files tells when a folder is complete, and what it lacks",
  { buffered: true },
  async (t) => {
    const root = t.testdir({});
    // A file that comes while the others are being staged makes it wait to settle after all.
    const tested = testedIntake(t, [root], { settlingTime: 2000 });
    await tested.intake.start();
    await writeFiles(join(root, "shop"), { list: "package.json\na\nb", ...plugin("1") });
    await until(() => tested.reason("shop") === "1 of 3 files are there.");
    t.equal(tested.stage("shop"), "waiting");
    await writeFiles(join(root, "shop"), { a: "" });
    await until(() => tested.reason("shop") === "2 of 3 files are there.");
    await writeFiles(join(root, "shop"), { b: "" });
    await until(() => tested.version("shop") === "1");
    const progress = tested.history("shop").filter((stage) => /[23] of 3/.test(stage));
    t.strictSame(progress, [], "its progress is no event");
  },
);

t.test("what could be read for ever is not opened", { buffered: true }, async (t) => {
  const root = t.testdir({ pipe: plugin("1"), device: plugin("1"), good: plugin("1") });
  await promisify(execFile)("mkfifo", [join(root, "pipe", "integrity.json")]);
  await symlink("/dev/zero", join(root, "device", "more.js"));
  const tested = testedIntake(t, [root]);
  await tested.intake.start();
  await until(() => ["pipe", "device"].every((name) => tested.stage(name) === "rejected"));
  t.equal(tested.reason("pipe"), "integrity.json is neither a file nor a folder");
  t.equal(tested.reason("device"), "more.js is neither a file nor a folder");
  await until(() => tested.version("good") === "1");
});

t.test("what the host had no room for is tried again, and told once", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1") });
  const tested = testedIntake(t, [root], { rescanInterval: 20 });
  let attempts = 0;
  let isFull = true;
  tested.whileStaging = () => {
    attempts += 1;
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    return isFull
      ? Promise.reject(new Rejection("there is no room to store the plugin", { cause: full }))
      : Promise.resolve();
  };
  await tested.intake.start();
  await until(() => tested.stage("shop") === "rejected");
  const before = attempts;
  await tested.intake.scan();
  t.ok(attempts > before, "when somebody asks");
  await until(() => attempts > before + 2);
  t.match(tested.reason("shop"), /^there is no room to store the plugin/);
  // How long it was there before decides whether it is waited for.
  const told = tested.history("shop").filter((stage) => !stage.startsWith("waiting"));
  t.same(told, ["verified", "rejected: there is no room to store the plugin; it is tried again"]);
  isFull = false;
  await until(() => tested.version("shop") === "1");
  t.equal(tested.stage("shop"), "staged");
  t.equal(tested.history("shop").at(-1), "staged");
});

t.test("an archive is unpacked when it has been copied", { buffered: true }, async (t) => {
  const root = t.testdir({ plugins: {} });
  const tested = testedIntake(t, [join(root, "plugins")], { settlingTime: 800 });
  await tested.intake.start();
  const archive = join(root, "plugins", "shop.tgz");
  const [start, ...rest] = JSON.stringify(plugin("1")).match(/.{1,4}/g) ?? [];
  await writeFile(archive, start ?? "");
  for (const part of rest) {
    await appendFile(archive, part);
    await tested.intake.scan();
    t.equal(tested.stage("shop.tgz"), "waiting");
  }
  await until(() => tested.version("shop.tgz") === "1");
  const first = tested.source("shop.tgz");

  await writeFile(archive, "{");
  await until(() => tested.stage("shop.tgz") === "rejected");
  t.equal(tested.reason("shop.tgz"), "the archive is broken");
  t.equal(tested.source("shop.tgz")?.snapshot, undefined);
  t.equal(first?.snapshot?.version, "1", "what was staged stays what it is");
  t.equal(first?.record.current.stage, "staged");
});

t.test(
  "a new content has a record of its own; what only looks new keeps the old one",
  { buffered: true },
  async (t) => {
    const root = t.testdir({ shop: plugin("1") });
    const tested = testedIntake(t, [root]);
    await tested.intake.start();
    await until(() => tested.version("shop") === "1");
    const first = tested.source("shop");
    const events = tested.events.length;

    const soon = new Date(Date.now() + 5000);
    await utimes(join(root, "shop", "package.json"), soon, soon);
    await until(() => tested.staged.length === 2 && tested.version("shop") === "1");
    t.equal(tested.source("shop")?.record, first?.record);
    t.equal(tested.source("shop")?.snapshot, first?.snapshot);
    t.equal(tested.events.length, events, "nothing has happened");

    await writeFiles(join(root, "shop"), plugin("2"));
    await until(() => tested.version("shop") === "2");
    t.not(tested.source("shop")?.record, first?.record);
    t.equal(first?.record.current.version, "1");
    t.same(tested.history("shop").slice(-3), ["waiting: It is still being copied.", "verified", "staged"]);

    const count = tested.staged.length;
    await writeFiles(join(root, "shop"), { ".cache": "x", "package.json~": "x", ".sub/x": "x" });
    await tested.intake.scan();
    t.equal(tested.version("shop"), "2");
    t.equal(tested.staged.length, count, "hidden and temporary files do not count");
  },
);

t.test(
  "a link that is pointed elsewhere is another content, and so is a folder that was renamed in",
  async (t) => {
    const root = t.testdir({ versions: { one: plugin("1"), two: plugin("2") }, plugins: {} });
    const plugins = join(root, "plugins");
    // Renamed into place: nobody ever sees it missing.
    const point = async (version: string): Promise<void> => {
      await symlink(join(root, "versions", version), join(root, "new"));
      await rename(join(root, "new"), join(plugins, "shop"));
    };
    await point("one");
    // Only events can tell.
    const tested = testedIntake(t, [plugins], { rescanInterval: never });
    await tested.intake.start();
    await until(() => tested.version("shop") === "1");
    await point("two");
    await until(() => tested.version("shop") === "2");
    await writeFiles(join(root, "versions", "two"), plugin("2.1"));
    await until(() => tested.version("shop") === "2.1");
    await point("one");
    await until(() => tested.version("shop") === "1");

    await cp(join(root, "versions", "one"), join(root, "copy"), { recursive: true });
    await rename(join(root, "copy"), join(plugins, "app"));
    await until(() => tested.version("app") === "1");
    await cp(join(root, "versions", "two"), join(root, "copy"), { recursive: true });
    await rename(join(plugins, "app"), join(root, "away"));
    await rename(join(root, "copy"), join(plugins, "app"));
    await until(() => tested.version("app") === "2.1");
    await writeFiles(join(plugins, "app"), plugin("2.2"));
    await until(() => tested.version("app") === "2.2");
  },
);

t.test("without events, looks find a link that was pointed elsewhere", { buffered: true }, async (t) => {
  const root = t.testdir({ versions: { one: plugin("1"), two: plugin("2") }, plugins: {} });
  const link = join(root, "plugins", "shop");
  await symlink("../versions/one", link);
  const tested = testedIntake(t, [join(root, "plugins")], { watch: "polling", rescanInterval: 50 });
  await tested.intake.start();
  await until(() => tested.version("shop") === "1");
  await rm(link);
  await symlink("../versions/two", link);
  await until(() => tested.version("shop") === "2");
});

t.test("a place that is back within the settling time was never gone", { buffered: true }, async (t) => {
  const listed = { list: "package.json" };
  const root = t.testdir({ plugins: { shop: plugin("1", listed) }, new: plugin("2", listed) });
  const shop = join(root, "plugins", "shop");
  const tested = testedIntake(t, [join(root, "plugins")], { settlingTime: never });
  await tested.intake.start();
  t.equal(tested.version("shop"), "1");
  await rename(shop, join(root, "away"));
  await tested.intake.scan();
  t.equal(tested.version("shop"), "1", "it might only be being replaced");
  await rename(join(root, "new"), shop);
  await tested.intake.scan();
  t.equal(tested.version("shop"), "2");
});

t.test("a place that stays away is gone", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1"), app: plugin("1") });
  const tested = testedIntake(t, [root], { rescanInterval: never });
  await tested.intake.start();
  await until(() => tested.version("shop") === "1" && tested.version("app") === "1");
  await rm(join(root, "shop"), { recursive: true });
  await until(() => tested.source("shop") === undefined);
  t.equal(tested.version("app"), "1");
  t.match(tested.log, [{ level: "info", message: "A plugin was removed" }]);
});

t.test("a drop-in folder that cannot be read takes nothing away", { buffered: true }, async (t) => {
  const root = t.testdir({ plugins: { shop: plugin("1") } });
  const plugins = join(root, "plugins");
  const tested = testedIntake(t, [plugins, join(root, "never-there")], {
    settlingTime: 1,
    rescanInterval: 20,
  });
  await tested.intake.start();
  await until(() => tested.version("shop") === "1");
  const warnings = () =>
    tested.log.filter(({ message }) => message.startsWith("A plugin folder cannot be read"));
  await rename(plugins, join(root, "unmounted"));
  await until(() => warnings().length === 2);
  for (let look = 0; look < 5; look++) await tested.intake.scan();
  t.equal(tested.version("shop"), "1");
  t.equal(warnings().length, 2, "it is said once");
  await rename(join(root, "unmounted"), plugins);
  await until(() => tested.log.some(({ message }) => message === "A plugin folder can be read again."));
  await writeFiles(join(plugins, "shop"), plugin("2"));
  await until(() => tested.version("shop") === "2");
});

t.test("a content that changes while it is staged is never published", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1") });
  const tested = testedIntake(t, [root]);
  const shown = new Set<string | undefined>();
  tested.whileStaging = async (folder) => {
    tested.whileStaging = () => Promise.resolve();
    await writeFile(join(folder, "package.json"), "2");
  };
  await tested.intake.start();
  await until(() => {
    shown.add(tested.version("shop"));
    return tested.version("shop") !== undefined;
  });
  t.equal(tested.version("shop"), "2");
  t.same([...shown], [undefined, "2"]);
  t.ok(tested.history("shop").includes("waiting: It has changed while it was being staged."));
  t.equal(tested.history("shop").filter((stage) => stage === "staged").length, 1);
});

t.test("a refused content is not tried again before it changes", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("bad") });
  const tested = testedIntake(t, [root], { settlingTime: 50 });
  await tested.intake.start();
  await until(() => tested.stage("shop") === "rejected");
  for (let look = 0; look < 5; look++) await tested.intake.scan();
  t.equal(tested.staged.length, 1);
  t.equal(tested.reason("shop"), "the version is bad");
  await writeFiles(join(root, "shop"), plugin("1"));
  await until(() => tested.version("shop") === "1");
});

t.test("what the host failed to do is tried again when somebody asks", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1") });
  const tested = testedIntake(t, [root], { rescanInterval: 20 });
  const fail = async (): Promise<void> => {
    // The message of the system names the path.
    await open(join(root, "nothing", "here"));
  };
  tested.whileStaging = fail;
  await tested.intake.start();
  await until(() => tested.stage("shop") === "rejected");
  t.equal(tested.reason("shop"), "it could not be staged: ENOENT: no such file or directory");
  t.match(
    tested.log.filter(({ level }) => level === "error"),
    [{ message: "A plugin could not be staged", fields: { error: { code: "ENOENT" } } }],
  );
  tested.whileStaging = () => Promise.reject(new Error(`cannot use ${root}`));
  await tested.intake.scan();
  t.equal(tested.staged.length, 2);
  t.equal(
    tested.reason("shop"),
    "it could not be staged: of an error inside the host, which its log describes",
  );
  tested.whileStaging = () => Promise.resolve();
  await tested.intake.scan();
  t.equal(tested.version("shop"), "1");
});

t.test("what takes long to stage keeps nobody else waiting", { buffered: true }, async (t) => {
  const root = t.testdir({ slow: plugin("1"), quick: plugin("1") });
  const tested = testedIntake(t, [root]);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  tested.whileStaging = async (folder) => {
    if (folder.endsWith("slow")) await finished;
  };
  const started = tested.intake.start();
  await until(() => tested.version("quick") === "1");
  await writeFiles(join(root, "quick"), plugin("2"));
  await until(() => tested.version("quick") === "2");
  t.equal(tested.version("slow"), undefined);
  const looked = tested.intake.scan();
  finish();
  await Promise.all([started, looked]);
  t.equal(tested.version("slow"), "1", "a look ends when what was there is staged");
});

t.test("a place of too many files is refused", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1", { a: "", b: "", c: "" }) });
  const tested = testedIntake(t, [root], { files: 3 });
  await tested.intake.start();
  await until(() => tested.stage("shop") === "rejected");
  t.equal(tested.reason("shop"), "it has more than 3 files and folders (plugins.archives.files)");
  await rm(join(root, "shop", "c"));
  await until(() => tested.version("shop") === "1");
});

t.test("links inside of a plugin lead nobody round in circles", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1", { "real.txt": "1" }) });
  await mkdir(join(root, "shop", "sub"));
  for (const name of ["one", "two"]) await symlink(join(root, "shop"), join(root, "shop", "sub", name));
  await symlink(join(root, "outside.txt"), join(root, "shop", "outside"));
  const tested = testedIntake(t, [root]);
  await tested.intake.start();
  await until(() => tested.stage("shop") === "rejected" || tested.version("shop") === "1");
  const before = tested.staged.length;
  await writeFile(join(root, "outside.txt"), "x");
  await until(() => tested.staged.length > before);
  t.match(await readFile(join(root, "shop", "sub", "one", "outside"), "utf8"), "x");
});

t.test("after the end nothing is looked at", { buffered: true }, async (t) => {
  const root = t.testdir({ shop: plugin("1") });
  const tested = testedIntake(t, [root], { rescanInterval: 20 });
  await tested.intake.start();
  await until(() => tested.version("shop") === "1");
  await tested.intake.stop();
  const changes = tested.changes();
  await writeFiles(root, { "app/package.json": "1" });
  await tested.intake.scan();
  t.equal(tested.changes(), changes);
  t.equal(tested.intake.sources().length, 1);
});
