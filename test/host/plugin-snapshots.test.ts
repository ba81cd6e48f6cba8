/**
 * How the files of a plugin become a snapshot, and what a host remembers of plugins. Tested by itself: whatever breaks on
 * the way, disk, files or process, is broken here at one step.
 */
import { execFile } from "node:child_process";
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Log } from "@slipway/sdk";
import t, { type Test } from "tap";
import type { EventFacts } from "../../host/observability/events/plugin-event.js";
import { settingsOf } from "../../host/plugins/configuration/plugin-settings.js";
import {
  openStateFile,
  type PluginsMemory,
  type RolloutState,
} from "../../host/plugins/deployment/plugins-memory.js";
import { bundlePlugin, endBundler } from "../../host/plugins/packages/bundle.js";
import type { Origin } from "../../host/plugins/packages/packages.js";
import { StateRecord } from "../../host/plugins/plugin-state.js";
import type { Snapshot } from "../../host/plugins/snapshots/snapshot.js";
import { SnapshotStore } from "../../host/plugins/snapshots/snapshot-store.js";
import { admissible, stagePlugin } from "../../host/plugins/snapshots/snapshots.js";
import { fingerprint, publicKeyText } from "../../host/system/signing-keys.js";
import { failOnFault } from "../stage-faults.js";
import { repository, testProgram } from "../start-host.js";

const sdkVersion = "1.0.0";

type Files = Record<string, string>;

interface Member {
  plugin?: string;
  version?: string;
  [key: string]: unknown;
}

/** A package.json; what is not given is right. */
function manifest({ version = "1.0.0", ...slipway }: Member = {}): string {
  return JSON.stringify({
    name: "acme",
    version,
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "Acme", entry: "index.ts", ...slipway },
  });
}

async function write(folder: string, files: Files): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const answer = (value: string): Files => ({
  "package.json": manifest(),
  "index.ts": `export default ${value};`,
});

interface Stage {
  folder: string;
  record: StateRecord;
  events: EventFacts[];
}

function staging(folder: string): Stage {
  const events: EventFacts[] = [];
  return {
    folder,
    events,
    record: new StateRecord(folder, { note: (event) => events.push(event), fault: failOnFault }),
  };
}

/** A store in a folder of its own, with a way to stage. */
async function openStore(t: Test) {
  const base = await realpath(t.testdir({ drop: {} }));
  const folder = join(base, "snapshots");
  const store = new SnapshotStore(folder, join(repository, "sdk"));
  await store.open();
  const stage = (source: string, origin: Origin = { signedBy: undefined }, { record } = staging(source)) =>
    stagePlugin(source, record, { store, sdkVersion, trust: () => Promise.resolve(origin) });
  return { store, folder, drop: join(base, "drop"), base, stage };
}

/** What the bundle's default export is. */
async function run({ entry }: Snapshot): Promise<unknown> {
  const module: { default: unknown } = await import(`${pathToFileURL(entry).href}?${randomUUID()}`);
  return module.default;
}

function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function listening(): { log: Log; entries: { level: string; message: string }[] } {
  const entries: { level: string; message: string }[] = [];
  const write = (level: string) => (message: string) => void entries.push({ level, message });
  return {
    entries,
    log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
  };
}

t.teardown(() => endBundler());

t.test("a folder becomes a snapshot once, as long as its files are the same", async (t) => {
  const { store, drop, stage, folder } = await openStore(t);
  const source = await write(join(drop, "acme"), {
    "package.json": manifest({ config: "defaults.json" }),
    "defaults.json": "{}",
    "index.ts": 'import { greet } from "./greet.ts";\nexport default greet();',
    "greet.ts": "export const greet = (): string => 'one';",
  });
  const first = await stage(source);
  t.equal(await run(first), "one");
  await endBundler();
  let bundlers = 0;
  subscribe("child_process", () => {
    bundlers += 1;
  });
  const later = new SnapshotStore(folder, join(repository, "sdk"));
  await later.open();
  t.same(
    await stagePlugin(source, staging(source).record, {
      store: later,
      sdkVersion,
      trust: async () => ({ signedBy: undefined }),
    }),
    first,
  );
  t.same(await stage(await copy(source, join(drop, "elsewhere"))), first, "wherever the folder lies");
  t.equal(bundlers, 0, "nothing was bundled");

  await writeFile(join(source, "greet.ts"), "export const greet = (): string => 'two';");
  const second = await stage(source);
  t.equal(bundlers, 1);
  t.equal(await run(second), "two");
  t.equal(await run(first), "one", "the first one stays what it was");
  await writeFile(join(source, "defaults.json"), '{ "a": 1 }');
  const third = await stage(source);
  t.equal(new Set([first.hash, second.hash, third.hash]).size, 3);
  t.same((await store.list()).length, 3);
});

async function copy(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true });
  return to;
}

t.test("what is hashed is what was bundled, also when a file changes meanwhile", async (t) => {
  const { drop } = await openStore(t);
  const modules = Array.from({ length: 100 }, (_, index) => `m${index}.ts`);
  const source = await write(drop, {
    ...Object.fromEntries(modules.map((name) => [name, `export default ${JSON.stringify(name)};`])),
    "value.ts": 'export const value = "revision 0";',
    "index.ts": [
      ...modules.map((name, index) => `import m${index} from "./${name}";`),
      'import { value } from "./value.ts";',
      `export default [value, ${modules.map((_, index) => `m${index}`)}];`,
    ].join("\n"),
  });
  let revision = 0;
  let isOver = false;
  const changing = (async () => {
    while (!isOver) {
      revision += 1;
      await writeFile(join(source, ".next"), `export const value = "revision ${revision}";`);
      await rename(join(source, ".next"), join(source, "value.ts"));
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    const before = revision;
    const { code, inputs } = await bundlePlugin(source, "index.ts");
    t.ok(revision > before, "it changed meanwhile");
    const [bundled = ""] = /revision \d+/.exec(code) ?? [];
    t.equal(
      inputs.find(({ path }) => path === "value.ts")?.sha256,
      sha256(`export const value = "${bundled}";`),
    );
    t.equal(inputs.length, modules.length + 2);
  }
  isOver = true;
  await changing;
});

t.test("packages come from the plugin's own folder, then from the host, and from nowhere else", async (t) => {
  const { drop, base, stage } = await openStore(t);
  const commonJs = {
    "node_modules/old/package.json": '{ "name": "old", "version": "1.0.0", "main": "lib/main" }',
    "node_modules/old/lib/main.js": `Object.defineProperty(exports, "__esModule", { value: true });
exports.default = "default of old";
exports.path = require("node:path").posix.join("a", "b");`,
    "node_modules/plain/package.json": '{ "name": "plain" }',
    "node_modules/plain/index.js": "module.exports = { plain: typeof module.exports };",
    "node_modules/choosy/package.json": '{ "name": "choosy", "imports": { "#own": "./own.js" } }',
    "node_modules/choosy/own.js": "module.exports = 'own';",
    "node_modules/choosy/index.js": `exports.cloud = () => require("@nowhere/cloud/client");
exports.inner = () => require("inner");
exports.own = () => require("#own");`,
    "node_modules/choosy/node_modules/inner/package.json": '{ "name": "inner" }',
    "node_modules/choosy/node_modules/inner/index.js": "module.exports = 'inner';",
  };
  const esModules = {
    "node_modules/@new/one/package.json": JSON.stringify({
      name: "@new/one",
      type: "module",
      exports: { ".": { import: "./m.js", require: "./c.cjs" }, "./deep": "./lib/deep.js" },
    }),
    // Node.js gives modules of a package with "type": "module" all of a CommonJS module as its default.
    "node_modules/@new/one/m.js": 'import old from "old";\nexport default ["import", old.default];',
    "node_modules/@new/one/c.cjs": 'module.exports = "require";',
    "node_modules/@new/one/lib/package.json": '{ "type": "commonjs" }',
    "node_modules/@new/one/lib/deep.js": 'module.exports = "deep";',
  };
  const source = await write(join(drop, "acme"), {
    "package.json": manifest(),
    "index.ts": `import { path } from "old";
import plain from "plain";
import { cloud, inner, own } from "choosy";
import one from "@new/one";
import deep from "@new/one/deep";
import text from "./notes.txt";
import schema from "./schema.xsd";
import json from "./data.json";
import { valid } from "semver";
import { Type } from "@slipway/sdk";
let missing;
try {
  cloud();
} catch (error) {
  missing = [error.code, error.message];
}
const found = { inner: inner(), own: own(), missing };
export default { path, plain, one, deep, text, schema, json, found, valid: valid("1.2.3"), sdk: typeof Type };`,
    "notes.txt": "Größe",
    "schema.xsd": "<xs/>",
    "data.json": '{ "json": true }',
    ...commonJs,
    ...esModules,
  });
  // Beside the drop-in folder: nothing that plugin or host know of.
  await write(base, {
    "node_modules/stranger/package.json": '{ "name": "stranger" }',
    "node_modules/stranger/index.js": "module.exports = 'stranger';",
    "node_modules/semver/package.json": '{ "name": "semver" }',
    "node_modules/semver/index.js": "exports.valid = () => 'a stranger';",
    "shared.ts": "export default 1;",
    "linked/package.json": '{ "name": "linked" }',
    "linked/index.js": "module.exports = 'linked';",
  });
  const expected = {
    path: "a/b",
    plain: { plain: "object" },
    one: ["import", "default of old"],
    deep: "deep",
    text: "Größe",
    schema: "<xs/>",
    json: { json: true },
    found: {
      inner: "inner",
      own: "own",
      missing: ["MODULE_NOT_FOUND", "Cannot find module '@nowhere/cloud/client'"],
    },
    valid: "1.2.3",
    sdk: "object",
  };
  const snapshot = await stage(source);
  t.strictSame(await run(snapshot), expected);
  const link = join(drop, "link");
  await symlink(source, link);
  t.equal((await stage(link)).hash, snapshot.hash, "a link to the folder is the same");

  await writeFile(
    join(source, "node_modules/old/package.json"),
    '{ "name": "old", "version": "1.0.1", "main": "lib/main" }',
  );
  t.not((await stage(source)).hash, snapshot.hash, "the package.json of a package counts");
  await write(source, {
    "node_modules/semver/package.json": '{ "name": "semver" }',
    "node_modules/semver/index.js": "exports.valid = () => 'its own';",
  });
  await writeFile(join(source, "notes.txt"), "Größer");
  t.match(await run(await stage(source)), { valid: "its own", text: "Größer" });

  const refused = async (code: string, message: RegExp): Promise<void> => {
    await write(source, { "index.ts": code });
    await t.rejects(stage(source), { name: "Rejection", message }, code);
  };
  await refused(
    'import "stranger";',
    /^index\.ts:1:8: "stranger" is neither in the plugin's own node_modules nor/,
  );
  await refused('import "nowhere";', /^index\.ts:1:8: Could not resolve "nowhere"/);
  await refused('require("nowhere");', /^index\.ts:1:9: Could not resolve "nowhere"/);
  await refused('import "../../shared.ts";', /shared\.ts lies outside of the plugin's folder/);
  await symlink(join(base, "linked"), join(source, "node_modules/linked"));
  await refused('import "linked";', /"linked" is neither in the plugin's own node_modules nor/);
  await refused("let a = ;", /^index\.ts:1:9: Unexpected ";"/);
  await write(source, { "picture.xyz": "" });
  await refused('import "./picture.xyz";', /No loader is configured for "\.xyz" files/);
});

t.test("a snapshot needs nothing of its source", async (t) => {
  const { store, drop, stage } = await openStore(t);
  const smoke = [{ path: "templates.json?locale=en" }, { method: "POST", path: "echo", body: { a: [1] } }];
  const source = await write(join(drop, "acme"), {
    "package.json": manifest({ aliases: ["acme"], config: "./defaults.json", smoke }),
    "index.ts": "export default 'still here';",
    "defaults.json": '{ "mail": { "host": "localhost", "port": 25 }, "list": [1] }',
  });
  const staged = await stage(source, { signedBy: "Acme Ltd" });
  await rm(source, { recursive: true });
  const { name, version, hash } = staged;
  t.same(await store.list("Acme"), [{ name, version, hash }]);
  const found = await store.find({ name, version, hash });
  t.same(found, staged);
  t.match(found, {
    name: "Acme",
    version: "1.0.0",
    aliases: ["acme"],
    engines: "^1.0.0",
    smoke: [{ method: "GET", path: "templates.json?locale=en" }, smoke[1]],
    signedBy: "Acme Ltd",
  });
  t.equal(await run(staged), "still here");
  const list = [2, 3];
  t.same(settingsOf(staged, { acme: { mail: { host: "mail" }, list }, constructor: {} }), {
    mail: { host: "mail", port: 25 },
    list,
  });
  t.same(settingsOf(staged, { acme: { list }, Acme: {} }), staged.defaults, "the name comes before aliases");
  t.same(settingsOf(staged, {}), staged.defaults);
});

t.test("a damaged snapshot is none, and is made again", async (t) => {
  const { store, drop, stage } = await openStore(t);
  const source = await write(join(drop, "acme"), answer('"good"'));
  const snapshot = await stage(source);
  const damages: [string, () => Promise<void>][] = [
    ["another bundle", () => writeFile(snapshot.entry, "export default 'evil';")],
    ["no bundle", () => rm(snapshot.entry)],
    ["half a record", () => writeFile(join(snapshot.folder, "snapshot.json"), '{ "format": 2, "na')],
    ["another record", () => writeFile(join(snapshot.folder, "snapshot.json"), "[]")],
    ["no folder", () => rm(snapshot.folder, { recursive: true })],
  ];
  for (const [damage, harm] of damages) {
    await harm();
    t.equal(await store.find(snapshot), undefined, damage);
    t.same(await stage(source), snapshot);
    t.same(await store.find(snapshot), snapshot);
  }
  t.equal(await store.find({ ...snapshot, hash: snapshot.hash.replace(/.$/, "x") }), undefined);
  t.same(
    await readdir(dirname(snapshot.folder)),
    [`1.0.0-${snapshot.hash.slice(0, 16)}`],
    "nothing else is left",
  );
});

t.test("several at once make one snapshot", async (t) => {
  const { drop, stage, store } = await openStore(t);
  const source = await write(join(drop, "acme"), answer("1"));
  const snapshots = await Promise.all([1, 2, 3].map(() => stage(source)));
  t.equal(new Set(snapshots.map(({ hash }) => hash)).size, 1);
  t.equal((await store.list()).length, 1);
});

t.test("what is not kept goes, and what a host left behind", async (t) => {
  const { store, drop, folder, stage } = await openStore(t);
  const of = async (version: string, plugin: string): Promise<Snapshot> =>
    stage(
      await write(join(drop, `${plugin}-${version}`), {
        "package.json": manifest({ version, plugin }),
        "index.ts": "export default 1",
      }),
    );
  const [old, current, other] = [
    await of("1.0.0", "Acme"),
    await of("1.1.0", "Acme"),
    await of("1.0.0", "Other"),
  ];
  const asked: string[] = [];
  const removed = await store.prune(({ name, version, hash }) => {
    asked.push(`${name}@${version}`);
    return hash !== old.hash;
  });
  t.same(removed, [{ name: "Acme", version: "1.0.0", hash: old.hash }]);
  t.same(asked, ["Acme@1.0.0", "Acme@1.1.0", "Other@1.0.0"]);
  t.equal(await store.find(old), undefined);
  t.same(await store.find(current), current);
  t.same(await readdir(join(folder, "Acme")), [`1.1.0-${current.hash.slice(0, 16)}`]);

  const record = JSON.parse(await readFile(join(other.folder, "snapshot.json"), "utf8"));
  await write(folder, {
    [`Acme/.${randomUUID()}/plugin.mjs`]: "half",
    [`Gone/.${randomUUID()}/snapshot.json`]: "{}",
    "Acme/1.2.0-0123456789abcdef/plugin.mjs": "no record",
    "Acme/1.3.0-0123456789abcdef/snapshot.json": JSON.stringify({
      hash: record.hash,
      bundle: "",
      inputs: [],
    }),
    "Acme/1.4.0-0123456789abcdef/snapshot.json": JSON.stringify({ ...record, format: 1_000_000 }),
    "Acme/notes/of-an-admin.txt": "no snapshot",
  });
  t.equal((await store.list()).length, 2, "half ones, older and newer ones are none");
  await new SnapshotStore(folder, join(repository, "sdk")).open();
  t.same((await readdir(folder)).sort(), ["Acme", "Other", "node_modules"]);
  t.same((await readdir(join(folder, "Acme"))).sort(), [
    `1.1.0-${current.hash.slice(0, 16)}`,
    "1.4.0-0123456789abcdef",
    "notes",
  ]);
  t.same(await store.find(other), other);
});

t.test("a disk without room is said so, and nothing half stays", async (t) => {
  const { drop, folder, store } = await openStore(t);
  const source = await write(join(drop, "acme"), answer(JSON.stringify("x".repeat(10_000))));
  // No file may be larger than 4 kB; Node.js itself takes that for an error, what tests load for a signal to die of.
  const limited = 'unset NODE_OPTIONS; ulimit -f 4; exec "$@"';
  const parameters = [
    "-c",
    limited,
    "bash",
    process.execPath,
    testProgram("host/limited-staging"),
    folder,
    source,
  ];
  const { stdout } = await promisify(execFile)("bash", parameters);
  t.equal(stdout, "Rejection there is no room to store the plugin\n");
  t.same(await store.list(), []);
  t.same(await readdir(join(folder, "Acme")), []);
});

t.test("a folder's record tells how far it came", async (t) => {
  const { base, drop, stage, store } = await openStore(t);
  const source = await write(join(drop, "acme"), answer("1"));
  const files = (changes: Files = {}) =>
    new Map(Object.entries({ ...answer("1"), ...changes }).map(([name, text]) => [name, sha256(text)]));
  const good = staging(source);
  const snapshot = await stage(source, { signedBy: "ours", files: files() }, good);
  t.match(good.record.current, {
    stage: "verified",
    name: "Acme",
    version: "1.0.0",
    hash: snapshot.hash,
    signedBy: "ours",
  });
  t.match(good.events, [{ from: "discovered", to: "verified", plugin: "Acme" }]);
  t.equal((await stage(source, { signedBy: "theirs" })).signedBy, "theirs");
  t.equal((await store.find(snapshot))?.signedBy, "theirs", "the one who signed last");
  t.equal((await stage(source)).signedBy, undefined);
  t.equal((await store.find(snapshot))?.signedBy, undefined);

  const changed = files({ "index.ts": "export default 2;" });
  await t.rejects(stage(source, { signedBy: "ours", files: changed }), {
    name: "Rejection",
    message: /^index\.ts does not match the plugin's list of files/,
  });
  await write(source, { "index.ts": 'import "./lib/more.js";', "lib/more.js": "" });
  const unlisted = staging(source);
  const missing = files({ "index.ts": 'import "./lib/more.js";' });
  await t.rejects(stage(source, { signedBy: "ours", files: missing }, unlisted), {
    name: "Rejection",
    message: /^lib\/more\.js is not in the plugin's list of files/,
  });
  t.match(unlisted.record.current, { stage: "verified", name: "Acme", hash: undefined });
  t.equal((await store.list()).length, 1, "nothing of it was stored");

  const wrong: [Files, RegExp][] = [
    [
      { "package.json": manifest({ entry: "../index.ts", config: "/etc/passwd" }) },
      /entry` must be .*config` must be/,
    ],
    [
      { "package.json": manifest({ plugin: "1", entrance: "x" }) },
      /entrance` is not a known field.*plugin` must match/,
    ],
    [
      { "package.json": manifest({ config: "none.json" }) },
      /^the default configuration none\.json cannot be read$/,
    ],
    [
      { "package.json": manifest({ config: "c.json" }), "c.json": "[]" },
      /^the default configuration c\.json is not a JSON object$/,
    ],
    [{ "c.json": "{" }, /^c\.json is not valid JSON: /],
    [{ "package.json": "" }, /^package\.json is not valid JSON: /],
  ];
  for (const [content, message] of wrong) {
    await write(source, content);
    await t.rejects(stage(source), { name: "Rejection", message });
  }
  const outer = await write(join(drop, "outer"), { "README.md": "", "inner/package.json": manifest() });
  await t.rejects(stage(outer), {
    name: "Rejection",
    message: 'there is no readable package.json in the folder, but in its folder "inner"; move that one here',
  });

  const secret = join(base, "secret.json");
  await writeFile(secret, "password=1234");
  await write(source, { "package.json": manifest({ config: "c.json" }) });
  const linked = async (name: string, target: string): Promise<string> => {
    await rm(join(source, name), { force: true });
    await symlink(target, join(source, name));
    const error: unknown = await stage(source).catch((reason: unknown) => reason);
    return String(error);
  };
  t.equal(await linked("c.json", secret), "Rejection: c.json lies outside of the plugin's folder");
  t.equal(await linked("c.json", "/dev/zero"), "Rejection: c.json is not a file");
  t.equal(
    await linked("package.json", secret),
    "Rejection: package.json lies outside of the plugin's folder",
  );
});

t.test("a stored snapshot may not fit the host any more", async (t) => {
  const { drop, stage } = await openStore(t);
  const { publicKey } = generateKeyPairSync("ed25519");
  const source = await write(join(drop, "acme"), answer("1"));
  const snapshot = await stage(source, { signedBy: "ours", signingKey: fingerprint(publicKey) });
  const anyone = { required: false, keys: {} };
  const signed = { required: true, keys: { ours: publicKeyText(publicKey) } };
  t.equal(admissible(snapshot, { sdkVersion: "1.4.0", trust: anyone }), undefined);
  t.equal(admissible(snapshot, { sdkVersion: "1.4.0", trust: signed }), undefined);
  t.match(
    admissible(snapshot, { sdkVersion: "2.0.0", trust: anyone }),
    /built for Slipway \^1\.0\.0 .*, this host has 2\.0\.0/,
  );
  t.match(admissible({ ...snapshot, signedBy: undefined }, { sdkVersion, trust: signed }), /not signed/);
  t.match(
    admissible({ ...snapshot, signedBy: "theirs", signingKey: "another" }, { sdkVersion, trust: signed }),
    /the key "theirs", which/,
  );
});

t.test("what is remembered of plugins", async (t) => {
  const at = "2026-11-21T12:00:00.000Z";
  const standing = (reason: string): RolloutState => ({
    pins: {},
    quarantined: [{ version: "1.0.0", hash: "abc", at, reason }],
    kept: [],
  });
  const remember =
    (name: string, reason = "it was bad") =>
    (memory: PluginsMemory) => ({
      ...memory,
      plugins: { ...memory.plugins, [name]: standing(reason) },
    });
  const prepare = async (t: Test, content?: string) => {
    const file = join(t.testdir(), "state", "plugins.json");
    if (content !== undefined) await write(dirname(file), { "plugins.json": content });
    const { log, entries } = listening();
    const stored = async (): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));
    return { file, log, entries, stored, memory: await openStateFile(file, log) };
  };

  t.test("survives, also a host that was killed while it wrote", async (t) => {
    const { file, log, entries, memory } = await prepare(t);
    t.same(memory.current, { format: 1, plugins: {}, places: {} });
    await memory.update(remember("Acme"));
    await writeFile(`${file}.123-1.part`, '{ "format": 1, "plug');
    const again = await openStateFile(file, log);
    t.same(again.current.plugins, { Acme: standing("it was bad") });
    t.same(await readdir(dirname(file)), ["plugins.json"], "what was half-written is gone");
    t.same(entries, []);
  });

  t.test("changes of the same moment are written together, and no change not at all", async (t) => {
    const { file, memory, stored } = await prepare(t);
    const inode = async (): Promise<number> => (await stat(file)).ino;
    const first = memory.update(remember("First"));
    await memory.update((same) => same);
    const names = Array.from({ length: 50 }, (_, index) => `Plugin${index}`);
    const changes = names.map((name) => memory.update(remember(name)));
    t.equal(Object.keys(memory.current.plugins).length, 51, "what was changed counts at once");
    t.equal(new Set(changes).size, 1, "one write for all of them");
    await Promise.all([first, ...changes]);
    t.same(await stored(), memory.current);
    const before = await inode();
    await Promise.all([memory.update((same) => ({ ...same })), memory.update(remember("First"))]);
    t.equal(await inode(), before);
    const during = memory.update(remember("Acme"));
    await new Promise(setImmediate);
    const later = [1, 2, 3].map((number) => memory.update(remember("Acme", `reason ${number}`)));
    t.not(later[0], during, "a write that has begun takes nothing more");
    t.equal(new Set(later).size, 1, "the next one takes all");
    await Promise.all(later);
    t.same(await stored(), memory.current);
  });

  t.test("a change that nobody could read again is refused", async (t) => {
    const { memory } = await prepare(t);
    await t.rejects(
      memory.update((before) => ({
        ...before,
        places: { a: { name: "x", version: "1", hash: "", extra: 1 } },
      })),
      /extra` is not a known field/,
    );
    t.same(memory.current.places, {});
  });

  t.test("a broken file is set aside", async (t) => {
    for (const content of [
      "",
      "{",
      "[]",
      '{ "format": 2, "plugins": {}, "places": {} }',
      '{ "format": 1 }',
    ]) {
      const { file, entries, memory } = await prepare(t, content);
      t.same(memory.current.plugins, {});
      t.match(entries, [{ level: "error", message: /is broken; it was set aside/ }]);
      const names = await readdir(dirname(file));
      t.match(names, [/^plugins\.json\.broken-2/]);
      t.equal(await readFile(join(dirname(file), names[0] ?? ""), "utf8"), content);
      await memory.update(remember("Acme"));
      t.equal((await readdir(dirname(file))).length, 2);
    }
  });

  t.test("a failed write is told once and made good by the next one", async (t) => {
    const { file, entries, memory, stored } = await prepare(t);
    await memory.update(remember("Before"));
    await rename(dirname(file), `${dirname(file)}-away`);
    const notWritten = (code: string) => ({ id: "request-overloaded", code: 503, cause: { code } });
    await t.rejects(memory.update(remember("One")), notWritten("ENOENT"));
    await t.rejects(memory.update(remember("Two")), notWritten("ENOENT"));
    t.match(entries, [{ level: "error", message: /could not be written/ }]);
    await writeFile(dirname(file), "no folder");
    await t.rejects(
      memory.update((same) => same),
      notWritten("ENOTDIR"),
      "what is not on disk is tried again",
    );
    t.equal(entries.length, 2, "another kind is news");
    t.same(Object.keys(memory.current.plugins), ["Before", "One", "Two"]);
    await rm(dirname(file));
    await rename(`${dirname(file)}-away`, dirname(file));
    await memory.update((same) => same);
    t.same(await stored(), memory.current);
    t.match(entries.slice(2), [{ level: "info", message: /written again/ }]);
  });
});
