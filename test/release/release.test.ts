/** `npm run release` in a clone: one commit, one tag and the packages, or nothing at all. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import semver from "semver";
import t, { type Test } from "tap";
import { list } from "tar";
import { cleanEnvironment, repository } from "../start-host.js";

const execute = promisify(execFile);

const Manifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  scripts: Type.Optional(Type.Record(Type.String(), Type.String())),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type Manifest = Static<typeof Manifest>;
const Lock = Type.Object({ version: Type.String(), packages: Type.Record(Type.String(), Type.Unknown()) });
const checkManifest = new Validator().compile(Manifest, "package.json");
const checkLock = new Validator().compile(Lock, "package-lock.json");

const home = await realpath(await mkdtemp(join(tmpdir(), "slipway-release-")));
const origin = join(home, "origin.git");
const clone = join(home, "clone");
t.teardown(() => rm(home, { recursive: true, force: true }));
// It builds everything once.
t.setTimeout(1_200_000);

/** Without what git and npm tell the processes that they start, such as tests in a hook. */
const inherited = Object.fromEntries(
  Object.entries(cleanEnvironment()).filter(([name]) => !/^(npm|git)_/i.test(name)),
);
/** Of somebody who has set up git, but nothing of whoever runs this. */
const environment = {
  ...inherited,
  GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
  GIT_CONFIG_NOSYSTEM: "1",
};

let before: string;
/** The version that the repository is at, which the first release may have. */
let current: string;

t.before(async () => {
  const user = "[user]\n  name = Somebody\n  email = somebody@example.com\n";
  await writeFile(environment.GIT_CONFIG_GLOBAL, user);
  await run("git", ["clone", "--quiet", "--bare", repository, origin], home, inherited);
  await run("git", ["clone", "--quiet", origin, clone], home);
  for (const tag of lines(await git("tag", "--list"))) await git("tag", "--delete", tag);
  // What is not committed here is tested as well.
  const changes = await run("git", ["diff", "HEAD", "--binary"], repository, inherited);
  await writeFile(join(home, "changes.diff"), changes);
  if (changes !== "") await git("apply", join(home, "changes.diff"));
  await unreleased("CHANGELOG.md", "### Fixed\n\n- The first one.\n");
  await unreleased("sdk/CHANGELOG.md", "### Fixed\n\n- The first one of the SDK.\n");
  await commit();
  for (const folder of ["node_modules", "sdk/node_modules"]) await linkInstalled(folder);
  before = await git("rev-parse", "HEAD");
  current = (await manifest("")).version;
});

t.test("what cannot be released is refused, and nothing happens", async (t) => {
  const refused = async (parameters: string[], message: RegExp): Promise<void> => {
    const state = await stateOf();
    const { code, output, errors } = await release(...parameters);
    t.match([code, output, errors], [1, "", message], parameters.join(" "));
    t.strictSame(await stateOf(), state, "all is as before");
  };
  const [major = 0, minor = 0] = current.split(".").map(Number);
  const below = minor > 0 ? `${major}.${minor - 1}.99` : `${major - 1}.0.0`;
  if (major > 0 || minor > 0) await refused([below], /is not newer than \d+\.\d+\.\d+\./);
  for (const wrong of [[], ["latest"], ["1.2"], ["v99.0.0"], ["99.0.0-beta.1"], ["minor", "major"]])
    await refused(wrong, /^Name a version such as 1\.2\.0, or one of patch, minor, major/);

  await writeFile(join(clone, "new.txt"), "");
  await refused(["minor"], /^There are changes that are not committed:\n\?\? new\.txt\n/);
  await rm(join(clone, "new.txt"));
  await edit("README.md", (text) => `${text}\n`);
  await refused(["minor"], /not committed:\n M README\.md\n/);
  await git("restore", "README.md");

  await git("tag", "v99.0.0", "HEAD~1");
  await refused(["98.0.0"], /^98\.0\.0 is not newer than 99\.0\.0\./);
  await refused(["99.0.0"], /^99\.0\.0 is not newer than 99\.0\.0\./);
  await git("tag", "--delete", "v99.0.0");
  const elsewhere = await git("commit-tree", "HEAD^{tree}", "-m", "Elsewhere");
  await git("tag", "v99.0.0", elsewhere);
  await refused(["99.0.0"], /^There is a tag v99\.0\.0 already\./);
  await git("tag", "--delete", "v99.0.0");

  await unreleased("CHANGELOG.md", "### Added\n\n");
  await commit();
  await refused(["minor"], /^CHANGELOG\.md has nothing under \[Unreleased\]/);
  await git("reset", "--quiet", "--hard", before);
});

t.test("nothing is left of a release whose packages cannot be made", async (t) => {
  await quickBuild();
  await edit("sdk/create/package.json", (text) =>
    text.replace(
      '"type": "module",',
      '"type": "module",\n  "scripts": { "prepack": "node --no-such-option" },',
    ),
  );
  await commit();
  const state = await stateOf();
  const { code, output, errors } = await release("minor");
  t.match([code, output], [1, ""]);
  t.match(errors, /pack .* failed\.\nNothing was released; versions and changelogs are as before\.\n$/);
  t.strictSame(await stateOf(), state);
  t.strictSame(await readdir(join(clone, "dist")), []);
  await git("reset", "--quiet", "--hard", before);
});

t.test("a release is one commit, one tag and packages of a new build", async (t) => {
  const stale = ["host/dist/stale.js", "sdk/dist/stale.js"];
  for (const file of stale) {
    await mkdir(join(clone, file, ".."), { recursive: true });
    await writeFile(join(clone, file), "");
  }
  const sdk = (await manifest("sdk")).version;
  const refs = await git("ls-remote", "origin");
  const days = [today()];
  // The scripts before it would see to what this clone has already.
  const command = ["run", "release", "--silent", "--ignore-scripts", "--", current];
  const output = await run("npm", command, clone);
  days.push(today());

  t.equal(await git("rev-parse", "HEAD~1"), before);
  t.equal(await git("status", "--porcelain"), "");
  t.equal(await git("cat-file", "-t", `v${current}`), "tag");
  t.equal(await git("rev-parse", `v${current}^{commit}`), await git("rev-parse", "HEAD"));
  t.equal(await git("log", "-1", "--format=%B"), `Slipway ${current}`);
  t.equal(await git("ls-remote", "origin"), refs, "nothing is pushed");
  for (const [file, version, entry] of [
    ["CHANGELOG.md", current, "- The first one."],
    ["sdk/CHANGELOG.md", sdk, "- The first one of the SDK."],
  ] as const) {
    const text = await readFile(join(clone, file), "utf8");
    const dated = days.map(
      (day) => `\n## [Unreleased]\n\n## [${version}] - ${day}\n\n### Fixed\n\n${entry}\n`,
    );
    t.ok(
      dated.some((part) => text.includes(part)),
      text.slice(0, 1000),
    );
  }

  const names = [`slipway-sdk-${sdk}.tgz`, `create-slipway-plugin-${sdk}.tgz`, `slipway-${current}.tgz`];
  t.strictSame((await readdir(join(clone, "dist", current))).sort(), [...names].sort());
  const packed = await Promise.all(names.map((name) => entries(join(clone, "dist", current, name))));
  t.ok(packed[0]?.includes("package/dist/index.js"));
  t.ok(packed[2]?.includes("package/host/dist/cli/slipway.js"));
  for (const files of packed) t.notOk(files.some((file) => file.includes("stale")));
  const commands = lines(output).filter((line) => line.startsWith("  "));
  t.strictSame(commands, [
    "  git push --follow-tags",
    `  npm publish ./dist/${current}/${names[0]}`,
    `  npm publish ./dist/${current}/${names[1]}`,
    `  npm publish ./dist/${current}/${names[2]}`,
  ]);

  const again = await release(current);
  t.match([again.code, again.errors], [1, new RegExp(`^${current} is not newer than ${current}\\.`)]);
});

t.test("later ones raise the SDK where it has changed, and ranges with it", async (t) => {
  const released = async (kind: string): Promise<string> => {
    await unreleased("CHANGELOG.md", "- Something.\n");
    await commit();
    const { code, output, errors } = await release(kind);
    t.equal(code, 0, errors);
    const { version } = await manifest("");
    await t.resolveMatch(git("describe", "--tags"), `v${version}`);
    await consistent(t);
    return output;
  };
  await quickBuild();
  const sdk = (await manifest("sdk")).version;

  t.notMatch(await released("patch"), /publish .*sdk/, "what did not change is not published");
  t.equal((await manifest("")).version, semver.inc(current, "patch"));
  t.equal((await manifest("sdk")).version, sdk);

  await edit("sdk/schema/text.ts", (text) => `${text}\n`);
  t.match(await released("minor"), /publish .*slipway-sdk-.*\n.*create-slipway-plugin-/);
  const repaired = semver.inc(sdk, "patch") ?? "";
  t.equal((await manifest("sdk")).version, repaired);
  t.notMatch(await readFile(join(clone, "sdk/CHANGELOG.md"), "utf8"), `[${repaired}]`);

  await edit("sdk/api/sdk.api.md", (text) => `${text}\n`);
  await unreleased("CHANGELOG.md", "- Something else.\n");
  await commit();
  const state = await stateOf();
  const refused = await release("minor");
  t.match(refused.errors, /^The API of the SDK has changed, and sdk\/CHANGELOG\.md has nothing/);
  t.strictSame(await stateOf(), state);
  await unreleased("sdk/CHANGELOG.md", "- A name.\n");
  await released("major");
  const extended = semver.inc(repaired, "minor") ?? "";
  t.equal((await manifest("sdk")).version, extended);
  t.match(await readFile(join(clone, "sdk/CHANGELOG.md"), "utf8"), `## [${extended}] - `);

  const raised = semver.inc(extended, "major") ?? "";
  await edit("sdk/package.json", (text) =>
    text.replace(`"version": "${extended}"`, `"version": "${raised}"`),
  );
  await released("patch");
  t.equal((await manifest("sdk")).version, raised, "what somebody has raised stays");
});

/** Versions and ranges of all three agree, and the lock file with them. */
async function consistent(t: Test): Promise<void> {
  const [host, sdk, create] = await Promise.all([manifest(""), manifest("sdk"), manifest("sdk/create")]);
  t.equal(create.version, sdk.version);
  for (const each of [host, create]) t.equal(each.dependencies?.["@slipway/sdk"], `^${sdk.version}`);
  const text = await readFile(join(clone, "package-lock.json"), "utf8");
  const lock = checked(checkLock(JSON.parse(text)), "package-lock.json");
  t.equal(lock.version, host.version);
  for (const [folder, { version, dependencies }] of Object.entries({ "": host, sdk, "sdk/create": create }))
    t.match(lock.packages[folder], { version, ...(dependencies && { dependencies }) }, folder);
  t.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`, "it is as npm writes it");
}

interface Ended {
  code: number;
  output: string;
  errors: string;
}

async function release(...parameters: string[]): Promise<Ended> {
  const program = join(clone, ".github", "release.mjs");
  const options = { cwd: clone, env: environment };
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, ...parameters], options, (error, output, errors) => {
      resolve({ code: Number(error?.code ?? 0), output, errors });
    });
  });
}

async function git(...parameters: string[]): Promise<string> {
  return (await run("git", parameters, clone)).trimEnd();
}

async function run(
  program: string,
  parameters: string[],
  folder: string,
  env: NodeJS.ProcessEnv = environment,
): Promise<string> {
  const { stdout } = await execute(program, parameters, { cwd: folder, env, maxBuffer: 64 * 1024 ** 2 });
  return stdout;
}

/** What a release that does not come about may not change. */
async function stateOf(): Promise<unknown> {
  return await Promise.all([
    git("rev-parse", "HEAD"),
    git("tag", "--list"),
    git("status", "--porcelain"),
    git("diff", "HEAD"),
  ]);
}

async function commit(): Promise<void> {
  await git("commit", "--quiet", "--all", "--message", "A change");
}

async function edit(file: string, changed: (text: string) => string): Promise<void> {
  const path = join(clone, file);
  const text = await readFile(path, "utf8");
  const next = changed(text);
  if (next === text) throw new Error(`${file} is not as this test expects it`);
  await writeFile(path, next);
}

/** Puts entries in place of what is unreleased in a changelog. */
async function unreleased(file: string, entries: string): Promise<void> {
  await edit(file, (text) =>
    text.replace(/^## \[Unreleased\]\n(?:(?!## ).*\n)*/m, `## [Unreleased]\n\n${entries}\n`),
  );
}

/** For what is about versions alone. */
async function quickBuild(): Promise<void> {
  await edit("package.json", (text) => text.replace(/"build": ".*"/, '"build": "node --version"'));
  await commit();
}

/** Workspaces are those of the clone, everything else is what is installed here. */
async function linkInstalled(folder: string): Promise<void> {
  const own = ["@slipway", "create-slipway-plugin", ".cache"];
  await mkdir(join(clone, folder, "@slipway"), { recursive: true });
  const names = await readdir(join(repository, folder)).catch((): string[] => []);
  for (const name of names.filter((each) => !own.includes(each)))
    await symlink(join(repository, folder, name), join(clone, folder, name));
  await symlink(join(clone, "sdk"), join(clone, folder, "@slipway", "sdk"));
}

async function manifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(clone, folder, "package.json"), "utf8");
  return checked(checkManifest(JSON.parse(text)), "package.json");
}

async function entries(archive: string): Promise<string[]> {
  const found: string[] = [];
  await list({ file: archive, onReadEntry: ({ path }) => found.push(path) });
  return found;
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
