import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { isIgnored } from "../plugins/packages/discovery.js";
import { type Manifest, readPackage } from "../plugins/packages/manifest.js";
import { pluginDescription } from "../plugins/packages/plugin-description.js";
import { type InstalledPlugin, namesOf } from "./plugin-trial-run.js";
import type { Check } from "./show-checks.js";

const megabyte = 1024 * 1024;
const large = 5 * megabyte;

/** What a host takes as it is, and an author might want otherwise. */
export async function* pluginHints(
  folder: string,
  manifest: Manifest,
  installed: readonly InstalledPlugin[],
): AsyncGenerator<Check> {
  const names = await readdir(folder);
  if (!names.some((name) => /^readme\b/i.test(name))) yield hint("documents", "there is no README");
  const { license } = pluginDescription(await readPackage(folder));
  if (license === undefined && !names.some((name) => /^licen[cs]e\b/i.test(name))) {
    yield hint("documents", "there is no license, neither in package.json nor as a file");
  }
  if (semver.prerelease(manifest.version) !== null) {
    yield hint(
      "version",
      `${manifest.version} is a prerelease; only releases that name it in their range take it`,
    );
  }
  for await (const { path, bytes } of largeFiles(folder, "")) {
    yield hint("size", `${path} has ${Math.round(bytes / megabyte)} MB`);
  }
  yield* nameHints(manifest, installed);
}

/** Another package under the same public name would be replaced by this one, or shut it out. */
function* nameHints(manifest: Manifest, installed: readonly InstalledPlugin[]): Generator<Check> {
  for (const { manifest: other } of installed.filter((each) => each.manifest.name !== manifest.name)) {
    const taken = new Set(namesOf(other).map((name) => name.toLowerCase()));
    for (const name of namesOf(manifest).filter((each) => taken.has(each.toLowerCase()))) {
      yield hint("name", `this installation has ${name} from another package already, ${other.name}`);
    }
  }
}

async function* largeFiles(root: string, below: string): AsyncGenerator<{ path: string; bytes: number }> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    if (isIgnored(entry.name) || entry.name === "node_modules") continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* largeFiles(root, path);
    if (!entry.isFile()) continue;
    const { size } = await stat(join(root, path));
    if (size > large) yield { path, bytes: size };
  }
}

function hint(name: string, detail: string): Check {
  return { name, ok: true, hint: true, detail };
}
