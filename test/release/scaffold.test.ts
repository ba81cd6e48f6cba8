/** Plugins that `slipway plugin new` and `npm create slipway-plugin` make: checked, tested, served and packed as they are. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type NewPluginOptions, newPlugin } from "@slipway/sdk/scaffold";
import t from "tap";
import ts from "typescript";
import { demoFile } from "../plugins/reporter-client.js";
import { type EndedCommand, runCommand } from "../run-command.js";
import { cleanEnvironment, repository, type StartedHost, startHost } from "../start-host.js";
import { installPlugin } from "./installed-packages.js";

const createProgram = join(repository, "sdk", "create", "create.mjs");
const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-scaffold-")));
const greeting = join(folder, "greeting");
const plain = join(folder, "plain");
const orders = join(folder, "Orders 2");
const dropIn = join(folder, "drop-in");

t.teardown(() => rm(folder, { recursive: true, force: true }));

const slipway = (...parameters: string[]): Promise<EndedCommand> => runCommand(parameters, { folder });
const create = (parameters: string[], environment: Record<string, string> = {}): Promise<EndedCommand> =>
  runCommand(parameters, { folder, program: createProgram, environment });
/** Runs a script of a plugin's package.json. */
const npm = (cwd: string, ...parameters: string[]) =>
  spawnSync("npm", parameters, { cwd, env: cleanEnvironment(), encoding: "utf8" });

t.test("the command makes a plugin and says what to type next", async (t) => {
  const made = await slipway("plugin", "new", "greeting");
  t.equal(made.code, 0, made.errors);
  t.equal(made.output, `${greeting}\n`);
  t.match(made.errors, "The package is greeting.\nRequests reach it under /EAIWS/plugins/greeting/;");
  const commands = [...made.errors.matchAll(/^ {2}(.+)$/gm)].map(([, command = ""]) => command);
  t.strictSame(commands.slice(0, 2), ["npm install --prefix greeting", "npm test --prefix greeting"]);
  t.equal(commands.length, 5);
  const [dev = "", ...others] = commands.slice(2);
  const prefix = dev.slice(0, dev.indexOf(" plugin dev greeting"));
  t.strictSame(
    others,
    ["check", "pack"].map((each) => `${prefix} plugin ${each} greeting`),
  );
  const help = spawnSync(`${prefix} plugin dev --help`, { cwd: folder, shell: true, encoding: "utf8" });
  t.match(help.stdout, "Usage: slipway plugin dev", "it is typed as it runs from here");
});

t.test("the starter's packages are those of this repository", async (t) => {
  const { "@slipway/sdk": sdk, ...others } = (await manifest(greeting)).devDependencies;
  const own = (await manifest(repository)).devDependencies;
  t.match(sdk, /^file:slipway-sdk-\d+\.\d+\.\d+\.tgz$/);
  t.strictSame(others, Object.fromEntries(Object.keys(others).map((name) => [name, own[name]])));
});

t.test("its check and its tests find the mistakes that are made in it, and no others", async (t) => {
  await installPlugin(greeting);
  await writeFile(join(greeting, "mistake.ts"), 'export const mistake: number = "text";\n');
  const check = npm(greeting, "run", "check");
  await rm(join(greeting, "mistake.ts"));
  t.not(check.status, 0);
  const lines = check.stdout.split("\n").filter((line) => line.includes("error"));
  t.match(lines, [/^mistake\.ts\(1,14\): error TS2322/]);
  t.equal(lines.length, 1, check.stdout);

  const failing =
    'import { test } from "node:test";\ntest("fails", () => Promise.reject(new Error("as it should")));\n';
  await writeFile(join(greeting, "test", "mistake.test.ts"), failing);
  const test = npm(greeting, "test");
  await rm(join(greeting, "test", "mistake.test.ts"));
  t.not(test.status, 0);
  t.match(test.stdout, /^ℹ fail 1$/m);
  t.match(test.stdout, /^ℹ pass [1-9]/m);
});

t.test("the package makes one with names of its own, from an archive of the SDK", async (t) => {
  const archive = await sdkArchive();
  const name = "@acme/slipway-plugin-order_list";
  const made = await create(["Orders 2", "--name", name, "--sdk", join(greeting, archive)]);
  t.equal(made.code, 0, made.errors);
  t.match(made.output, `The package is ${name}.\nRequests reach it under /EAIWS/plugins/order-list/;`);
  t.match(made.output, "\n  npm test --prefix 'Orders 2'\n");
  const { devDependencies, ...rest } = await manifest(orders);
  t.match(rest, { name, slipway: { plugin: "order-list" } });
  t.equal(devDependencies["@slipway/sdk"], `file:${archive}`);
  for (const file of await readdir(orders)) {
    const [one, other] = [await readText(join(orders, file)), await readText(join(greeting, file))];
    t.equal(one?.replaceAll(name, "greeting").replaceAll("order-list", "greeting"), other, file);
  }
});

t.test("in JavaScript it needs the SDK alone, and editors know its types", async (t) => {
  const archive = await sdkArchive();
  const made = await slipway("plugin", "new", "plain", "--js", "--sdk", join(greeting, archive));
  t.equal(made.code, 0, made.errors);
  const left = (await readdir(greeting, { recursive: true })).filter((name) => !/^node_modules/.test(name));
  t.strictSame(
    (await readdir(plain, { recursive: true })).sort(),
    left
      .filter((name) => name !== "tsconfig.json")
      .map((name) => name.replace(/\.ts$/, ".js"))
      .sort(),
  );
  const { devDependencies, ...rest } = await manifest(plain);
  t.strictSame(devDependencies, { "@slipway/sdk": `file:${archive}` });
  t.match(rest, { name: "plain", slipway: { plugin: "plain", entry: "index.js" } });

  const again = await create(["again", "--js", "--sdk", join(greeting, archive)]);
  t.equal(again.code, 0, again.errors);
  for (const file of await readdir(plain)) {
    const [one, other] = [await readText(join(folder, "again", file)), await readText(join(plain, file))];
    t.equal(one?.replaceAll("again", "plain"), other, file);
  }

  await installPlugin(plain);
  const test = npm(plain, "test");
  t.equal(test.status, 0, test.stdout + test.stderr);
  t.match(test.stdout, /^ℹ pass 7$/m);
  t.strictSame(typeErrors(), []);
  await writeFile(join(plain, "mistake.js"), '/** @type {number} */\nexport const mistake = "text";\n');
  t.match(typeErrors(), ["Type 'string' is not assignable to type 'number'."]);
  await rm(join(plain, "mistake.js"));
});

t.test("a running host serves what is dropped, and the plugin can be shipped", async (t) => {
  await mkdir(dropIn);
  const host = await startHost({ plugins: [dropIn], var: join(folder, "var") });
  t.teardown(() => host.stop());
  const inDropIn = await create([join(dropIn, "orders"), "--sdk", "^1.1.0"]);
  t.equal(inDropIn.code, 0, inDropIn.errors);
  for (const each of [greeting, plain])
    await cp(each, join(dropIn, basename(each)), { recursive: true, verbatimSymlinks: true });
  for (const name of ["orders", "greeting", "plain"])
    await host.logged(({ msg }) => msg === `${name}@1.0.0 is live`);

  const opened = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    body: await demoFile("obk"),
  });
  const { sessionId } = await json(opened);
  const summary = await json(await ask(host, "greeting", "summary.json", { sessionId }));
  t.match(summary, { name: /\w/, positions: Number });
  for (const name of ["greeting", "plain"]) {
    const list = await json(await ask(host, name, "price-list.json", { sessionId }));
    t.strictSame(list["errors"], summary["errors"]);
    t.equal(list["positions"], summary["positions"]);
    const file = await fetch(String(list["url"]));
    t.equal(file.headers.get("content-type"), "text/csv; charset=utf-8");
    const lines = (await file.text()).trimEnd().split("\r\n");
    t.equal(lines.length, Number(list["positions"]) + 1, "a title and one line each");
    t.match(lines[1], /^"1(\.1)?";"[^"]+";"[^"]+";"[^"]+";"\d+\.\d\d"$/);
  }

  await mkdir(join(folder, "no-others"));
  for (const name of ["greeting", "plain"]) {
    const checked = await slipway("plugin", "check", name, "--plugins", "no-others");
    t.equal(checked.code, 0, checked.output);
    t.match(checked.output, /^ok +run +.*smoke requests \(1\)$/m);
    t.match(checked.output, /^ok +assets +assets\/titles\.json, \d+ bytes, SHA-256 [0-9a-f]{64}$/m);
    t.notMatch(checked.output, /^hint/m);
    const packed = await slipway("plugin", "pack", name);
    t.equal(packed.output, `${join(folder, `${name}-1.0.0.tgz`)}\n`, packed.errors);
  }
});

t.test("nothing is left of what cannot be made", async (t) => {
  const before = await readdir(folder);
  await mkdir(join(folder, "taken", "inside"), { recursive: true });
  await writeFile(join(folder, "file"), "");
  const refused: [string, Omit<NewPluginOptions, "folder">, RegExp][] = [
    ["taken", {}, /taken is not empty; nothing is overwritten/],
    ["file", {}, /file is a file/],
    ["file/plugin", {}, /^Nothing was made: .*file/],
    ["日本", {}, /name of the folder cannot name the package.*but is "".*--name/],
    ["http", {}, /no module of Node\.js.*but is "http"/],
    [".hidden", {}, /pass over.*"\.hidden"/],
    ["a", { name: "Big Name" }, /^--name must .*but is "Big Name"/],
    ["a", { name: "a".repeat(215) }, /^--name must have at most 214 characters/],
    ["l".repeat(256), { name: "long" }, /the name of .* is too long/],
    ["a/b/c", { sdk: "newest" }, /--sdk must be a version.*"newest"/],
    ["a/b/c", { sdk: "none.tgz" }, /--sdk must .*"none\.tgz"/],
  ];
  if (process.platform === "linux") refused.push(["/sys/plugin", {}, /may not write to \/sys\./]);
  for (const [path, options, message] of refused)
    await t.rejects(newPlugin({ folder: resolve(folder, path), ...options }), { message }, path);
  await t.rejects(newPlugin({ folder: " " }), { message: /has no name/ });

  const byHost = await slipway("plugin", "new", "taken");
  t.match([byHost.code, byHost.output, byHost.errors], [1, "", /^[^\n]*taken is not empty[^\n]*\n$/]);
  const withoutNpm = await create(["a/b/c"], { PATH: join(folder, "nowhere"), npm_execpath: "" });
  t.match(
    [withoutNpm.code, withoutNpm.output, withoutNpm.errors],
    [1, "", /npm was not found.*--sdk[^\n]*\n$/],
  );
  t.strictSame(await readdir(folder), [...before, "file", "taken"].sort());
  t.strictSame(await readdir(join(folder, "taken")), ["inside"]);
});

t.test("a folder may have the longest name that there is", async (t) => {
  const target = join(folder, "l".repeat(255));
  t.match(await newPlugin({ folder: target, name: "long", sdk: "^1.1.0" }), { plugin: "long" });
  await rm(target, { recursive: true });
});

t.test("a folder that is empty apart from what git keeps is filled", async (t) => {
  const target = join(folder, "cloned");
  await mkdir(join(target, ".git"), { recursive: true });
  const made = await newPlugin({ folder: target, sdk: "^1.1.0" });
  t.match(made, { name: "cloned", plugin: "cloned", folder: target, renamed: false, sdk: "^1.1.0" });
  t.strictSame(
    await readdir(target),
    [".git", ...(await readdir(orders)).filter((name) => !name.endsWith(".tgz"))].sort(),
  );
  const names = ["Größe 2", "2d", "slipway-plugin-desks", "slipway-plugin"];
  const others = await Promise.all(
    names.map((name) => newPlugin({ folder: join(folder, "named", name), sdk: "1.1.0" })),
  );
  t.strictSame(
    others.map(({ name, plugin, renamed }) => [name, plugin, renamed]),
    [
      ["gro-e-2", "gro-e-2", true],
      ["2d", "plugin-2d", false],
      ["slipway-plugin-desks", "desks", false],
      ["slipway-plugin", "plugin", false],
    ],
  );
});

t.test("wrong use ends with 2 and says what is right", async (t) => {
  for (const [parameters, reason] of [
    [[], /^Name the folder/],
    [["a", "b"], /^Give one folder, not 2/],
    [["a", "--nam", "b"], /'--nam'/],
    [["a", "--js=yes"], /'--js' does not take an argument/],
  ] as const) {
    const { code, output, errors } = await create([...parameters]);
    t.match([code, output, errors], [2, "", reason]);
  }
  const help = await create(["--help"]);
  t.match([help.code, help.output], [0, /^Usage: npm create slipway-plugin/]);
  t.match(help.output, "--js ");
  const byHost = await slipway("plugin", "new", "a", "--js", "b");
  t.match([byHost.code, byHost.output, byHost.errors], [2, "", /too many arguments/]);
  t.notOk((await readdir(folder)).includes("a"), "nothing is made");
});

const hasTerminal = spawnSync("script", ["--version"]).error === undefined && process.platform === "linux";
t.test("at a terminal it asks for the folder", { skip: !hasTerminal }, async (t) => {
  const typed = (input: string) => {
    const command = `'${process.execPath}' '${createProgram}' --sdk ^1.1.0`;
    const parameters = ["--quiet", "--return", "--command", command, "/dev/null"];
    return spawnSync("script", parameters, { cwd: folder, input, encoding: "utf8", env: cleanEnvironment() });
  };
  const answered = typed("asked\n");
  t.match(answered.stdout, /Folder of the new plugin: [\s\S]*The package is asked\./);
  t.equal((await manifest(join(folder, "asked"))).name, "asked");
  const left = typed("\u0004");
  t.equal(left.status, 2);
  t.match(left.stdout, /Name the folder/);
});

interface PluginManifest {
  name: string;
  slipway: { plugin: string; entry: string };
  devDependencies: Record<string, string>;
}

async function manifest(of: string): Promise<PluginManifest> {
  const content: PluginManifest = JSON.parse(await readFile(join(of, "package.json"), "utf8"));
  return content;
}

/** Name of the SDK's archive, which the first plugin has. */
async function sdkArchive(): Promise<string> {
  return (await readdir(greeting)).find((name) => name.endsWith(".tgz")) ?? "";
}

/** What the strictest editor says about the plugin in JavaScript, which has no settings for a compiler. */
function typeErrors(): string[] {
  const files = ts.sys.readDirectory(plain, [".js"], ["node_modules"]);
  const program = ts.createProgram(files, {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2023.d.ts"],
    typeRoots: [join(repository, "node_modules", "@types")],
    types: ["node"],
  });
  const found = ts.getPreEmitDiagnostics(program);
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** Undefined for folders and archives. */
async function readText(path: string): Promise<string | undefined> {
  return path.endsWith(".tgz") ? undefined : await readFile(path, "utf8").catch(() => undefined);
}

async function ask({ url }: StartedHost, plugin: string, path: string, body?: object): Promise<Response> {
  const address = `${url}/EAIWS/plugins/${plugin}/${path}`;
  if (body === undefined) return await fetch(address);
  const headers = { "Content-Type": "application/json" };
  return await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
}

async function json(answer: Response): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = JSON.parse(await answer.text());
  return content;
}
