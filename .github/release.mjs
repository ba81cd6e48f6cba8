/**
 * Makes a release: `npm run release -- minor`, or `-- 1.2.0`. Raises versions, dates changelogs, builds anew, packs what npm
 * publishes into `dist/<version>`, makes a commit and a tag. It publishes and pushes nothing. When it fails, versions,
 * changelogs and history are as before. It lies here because everything in `config` goes into the package.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";

const root = join(import.meta.dirname, "..");
const kinds = ["patch", "minor", "major"];
const sdkName = "@slipway/sdk";
/** Folders of the workspaces. The second one makes plugins for the first one, so they share a version. */
const workspaces = ["sdk", "sdk/create"];

try {
  const planned = plan(process.argv.slice(2));
  make(planned);
  tell(planned);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** What the release is made of, as long as nothing speaks against it; changes nothing. */
function plan(parameters) {
  const { version: current } = JSON.parse(read("package.json"));
  const last = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname").split("\n")[0];
  const version = versionOf(parameters, current, last.slice(1));
  const unclean = git("status", "--porcelain");
  if (unclean !== "") throw new Error(`There are changes that are not committed:\n${unclean}`);
  if (git("tag", "--list", `v${version}`) !== "") throw new Error(`There is a tag v${version} already.`);

  const date = new Date().toISOString().slice(0, 10);
  const changelog = released(read("CHANGELOG.md"), version, date);
  if (changelog === undefined)
    throw new Error("CHANGELOG.md has nothing under [Unreleased], so there is nothing to release.");

  const sdk = plannedSdk(last, date);
  const versions = { "": version, ...Object.fromEntries(workspaces.map((folder) => [folder, sdk.version])) };
  const files = new Map([
    ["CHANGELOG.md", changelog],
    ["package-lock.json", locked(read("package-lock.json"), versions)],
    ...sdk.files,
  ]);
  for (const [folder, own] of Object.entries(versions)) {
    const file = join(folder, "package.json");
    files.set(file, json(raised(JSON.parse(read(file)), own, sdk.version)));
  }
  return { version, files, packages: join("dist", version), isSdkNew: sdk.isNew };
}

/** The version that was asked for, which has to be newer than `last`, or than nothing where that is empty. */
function versionOf(parameters, current, last) {
  const [asked = ""] = parameters;
  const version = kinds.includes(asked) ? semver.inc(current, asked) : asked;
  if (parameters.length !== 1 || semver.valid(version) !== version || semver.prerelease(version) !== null)
    throw new Error(`Name a version such as 1.2.0, or one of ${kinds.join(", ")}: npm run release -- minor`);
  const isNewer = semver.gte(version, current) && (last === "" || semver.gt(version, last));
  if (!isNewer) throw new Error(`${version} is not newer than ${last === "" ? current : last}.`);
  return version;
}

/**
 * The SDK has versions of its own, which say what plugins can rely on: where anything of it changed since the last release,
 * a minor one when its API report changed, else a patch, unless somebody has raised it since then. A major one is always
 * raised by hand, because hosts with it refuse the plugins of the one before.
 */
function plannedSdk(last, date) {
  const { version: current } = JSON.parse(read("sdk/package.json"));
  const changed = (path) => last === "" || git("diff", "--name-only", last, "--", path) !== "";
  if (!changed("sdk")) return { version: current, isNew: false, files: [] };
  const before = last === "" ? undefined : JSON.parse(git("show", `${last}:sdk/package.json`)).version;
  const kind = changed("sdk/api") ? "minor" : "patch";
  const version = before === current ? semver.inc(current, kind) : current;
  const changelog = released(read("sdk/CHANGELOG.md"), version, date);
  if (changelog === undefined && kind === "minor")
    throw new Error("The API of the SDK has changed, and sdk/CHANGELOG.md has nothing under [Unreleased].");
  return { version, isNew: true, files: changelog === undefined ? [] : [["sdk/CHANGELOG.md", changelog]] };
}

/** A changelog whose unreleased entries are those of a version; undefined where there are none. */
function released(changelog, version, date) {
  const heading = "\n## [Unreleased]\n";
  const [before, after] = changelog.split(heading);
  const entries = after?.split(/^## /m, 1)[0] ?? "";
  if (!/^[^#\s]/m.test(entries)) return undefined;
  return `${before}${heading}\n## [${version}] - ${date}\n${after}`;
}

function raised(manifest, version, sdkVersion) {
  const dependencies = manifest.dependencies?.[sdkName] && {
    dependencies: { ...manifest.dependencies, [sdkName]: `^${sdkVersion}` },
  };
  return { ...manifest, version, ...dependencies };
}

function locked(text, versions) {
  const lock = JSON.parse(text);
  const packages = { ...lock.packages };
  for (const [folder, version] of Object.entries(versions))
    packages[folder] = raised(packages[folder], version, versions.sdk);
  return json({ ...lock, version: versions[""], packages });
}

/** Carries out the plan, or takes back what it has done of it. */
function make({ version, files, packages }) {
  const before = git("rev-parse", "HEAD");
  // Ctrl+C ends what runs at that moment, which fails, and leaves time to take back the rest.
  process.on("SIGINT", () => undefined);
  try {
    for (const [file, text] of files) writeFileSync(join(root, file), text);
    // Of a build over an older one, files would be packed that nobody needs any more.
    for (const folder of ["host/dist", "sdk/dist", packages])
      rmSync(join(root, folder), { recursive: true, force: true });
    npm("run", "build");
    mkdirSync(join(root, packages), { recursive: true });
    npm("pack", "-ws", "--include-workspace-root", "--loglevel=error", "--pack-destination", packages);
    git("commit", "--quiet", "--message", `Slipway ${version}`, "--", ...files.keys());
    git("tag", "--annotate", `v${version}`, "--message", `Slipway ${version}`);
  } catch (error) {
    git("reset", "--quiet", "--soft", before);
    git("restore", "--source", before, "--staged", "--worktree", "--", ...files.keys());
    rmSync(join(root, packages), { recursive: true, force: true });
    throw new Error(`${error.message}\nNothing was released; versions and changelogs are as before.`);
  }
}

function tell({ version, files, packages, isSdkNew }) {
  const published = [...(isSdkNew ? workspaces : []), ""].map((folder) => {
    const own = JSON.parse(files.get(join(folder, "package.json")));
    return `  npm publish ./${packages}/${own.name.replace(/^@/, "").replace("/", "-")}-${own.version}.tgz`;
  });
  process.stdout.write(
    `Slipway ${version} is committed, tagged as v${version} and packed in ${packages}. What publishes it:\n\n` +
      `  git push --follow-tags\n${published.join("\n")}\n`,
  );
}

function read(file) {
  return readFileSync(join(root, file), "utf8");
}

/** As npm and the formatter write it. */
function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function git(...parameters) {
  return run("git", parameters, "pipe").trimEnd();
}

/** What npm says goes to standard error, so that standard output has only what is to be done next. */
function npm(...parameters) {
  const path = process.env.npm_execpath;
  const [command, first] = path?.endsWith(".js") ? [process.execPath, [path]] : ["npm", []];
  run(command, [...first, ...parameters], 2);
}

function run(command, parameters, output) {
  const ran = spawnSync(command, parameters, { cwd: root, encoding: "utf8", stdio: ["ignore", output, 2] });
  if (ran.status !== 0)
    throw new Error(
      `"${command} ${parameters.join(" ")}" failed${ran.error ? `: ${ran.error.message}` : ""}.`,
    );
  return ran.stdout ?? "";
}
