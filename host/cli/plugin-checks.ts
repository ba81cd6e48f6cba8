import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import semver from "semver";
import type { Configuration } from "../configuration/configuration.js";
import {
  type Bundle,
  completeness,
  endBundler,
  PackageFolders,
  PluginPackage,
} from "../plugins/packages/packages.js";
import type { PluginAsset } from "../plugins/plugin-state.js";
import { Rejection } from "../system/errors.js";
import { sdkVersion } from "../system/installation.js";
import { isJsonObject } from "../system/json.js";
import { hint } from "./checks/check.js";
import { type InstalledPlugin, installedPlugins, namesOf, trialRun } from "./plugin-trial-run.js";
import type { Check } from "./shown-results.js";
import { newTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.js";

const megabyte = 1024 * 1024;

const shownAssets = 20;
const large = 5 * megabyte;

/**
 * Checks a plugin folder or archive as a host with this configuration does, with hints for its author. Finally runs the
 * plugin.
 */
export async function* pluginChecks(plugin: string, configuration: Configuration): AsyncGenerator<Check> {
  const temporary = newTemporaryFolder("slipway-check-");
  try {
    if ((await stat(plugin)).isDirectory())
      return yield* folderChecks(resolve(plugin), configuration, temporary);
    let folder = "";
    const unpacked = await attempt("archive", async () => {
      const folders = new PackageFolders(join(temporary, "unpacked"), configuration.plugins.archives);
      folder = await folders.unpack(plugin);
      return `${basename(plugin)} can be unpacked`;
    });
    yield unpacked;
    if (unpacked.ok) yield* folderChecks(folder, configuration, temporary);
  } finally {
    await removeTemporaryFolder(temporary);
  }
}

async function* folderChecks(
  folder: string,
  configuration: Configuration,
  temporary: string,
): AsyncGenerator<Check> {
  let plugin: PluginPackage | undefined;
  yield await attempt("package.json", async () => {
    plugin = await PluginPackage.read(folder, sdkVersion);
    const { name, version, engines, slipway } = plugin.manifest;
    return `${name} ${version} is the plugin ${slipway.plugin} for Slipway ${engines.slipway}; this host has ${sdkVersion}`;
  });
  if (plugin === undefined) return;
  const content: Check[] = [];
  for await (const check of contentChecks(plugin, configuration)) {
    content.push(check);
    yield check;
  }
  const installed = await installedPlugins(configuration, join(temporary, "installed"));
  if (content.every(({ ok }) => ok)) {
    yield* trialRun(folder, plugin.manifest, {
      configuration,
      installed,
      folder: join(temporary, "plugins"),
    });
  }
  yield* pluginHints(plugin, installed);
}

/** Checks without running the plugin. */
async function* contentChecks(
  plugin: PluginPackage,
  { plugins: { trust } }: Configuration,
): AsyncGenerator<Check> {
  const { config } = plugin.manifest.slipway;
  if (config !== undefined) {
    yield await attempt("defaults", async () => {
      await plugin.defaults();
      return `${config} is a JSON object`;
    });
  }
  yield* assetChecks(plugin);
  yield await attempt("files", async () => {
    const { listed, waiting } = await completeness(plugin.folder);
    if (waiting !== undefined) throw new Rejection(waiting);
    return listed ? "all are as integrity.json lists them" : "there is no list of them (integrity.json)";
  });
  yield await attempt("signature", async () => {
    const { signedBy, signatureKey } = await plugin.origin(trust);
    if (signedBy !== undefined) return `made with the key ${signedBy} of the configuration`;
    return signatureKey === undefined
      ? "there is none"
      : `made with the key ${signatureKey}, which the configuration does not have`;
  });
  let undeclared: Check[] = [];
  yield await attempt("bundle", async () => {
    const { code, inputs, packages, modules } = await plugin.bundle();
    undeclared = [
      ...undeclaredPackages(packages, plugin.description),
      ...undeclaredPermissions(modules, plugin.manifest.slipway.permissions ?? {}),
    ];
    return `${Math.ceil(code.length / 1024)} KB from ${inputs.length} files`;
  });
  yield* undeclared;
  await endBundler();
}

/** Lists the first assets. */
async function* assetChecks(plugin: PluginPackage): AsyncGenerator<Check> {
  const { slipway } = plugin.manifest;
  if (slipway.assets === undefined && slipway.templates === undefined) return;
  let assets: PluginAsset[] = [];
  yield await attempt("assets", async () => {
    assets = await plugin.assets();
    const bytes = assets.reduce((sum, each) => sum + each.bytes, 0);
    return `${assets.length} ${assets.length === 1 ? "file" : "files"}, ${bytes} bytes`;
  });
  for (const { path, bytes, sha256 } of assets.slice(0, shownAssets))
    yield { name: "assets", ok: true, detail: `${path}, ${bytes} bytes, SHA-256 ${sha256}` };
  const more = assets.length - shownAssets;
  if (more > 0) yield { name: "assets", ok: true, detail: `and ${more} more` };
}

/** Works by chance: another host may have another version of the package, or none. */
function undeclaredPackages(packages: Bundle["packages"], description: unknown): Check[] {
  const members = isJsonObject(description) ? description : {};
  const declared = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"].flatMap(
    (kind) => Object.keys(members[kind] ?? {}),
  );
  return [...packages]
    .filter(([name]) => !declared.includes(name))
    .map(([name, { importer, isHosts }]) => {
      const copy = isHosts ? "; the host's copy is used" : "";
      return hint("bundle", `${importer} imports ${name}, which package.json does not declare${copy}`);
    });
}

type PermissionKind = "network" | "programs" | "threads";

/** What modules of Node.js need beyond files of the plugin itself. */
const permissionsOfModules: readonly {
  modules: readonly string[];
  permission: PermissionKind;
  refused: string;
}[] = [
  { modules: ["child_process", "cluster"], permission: "programs", refused: "starting programs" },
  { modules: ["worker_threads"], permission: "threads", refused: "starting threads" },
  {
    modules: ["net", "tls", "http", "https", "http2", "dgram"],
    permission: "network",
    refused: "opening connections, unless by `host.fetch`,",
  },
];

/** Imports of which little works on a host that confines plugins. Those of packages do not count: they may never be used. */
function undeclaredPermissions(
  modules: Bundle["modules"],
  permissions: { readonly [K in PermissionKind]?: unknown },
): Check[] {
  return permissionsOfModules.flatMap(({ modules: names, permission, refused }) => {
    const name = names.find((each) => modules.has(each));
    if (name === undefined || permissions[permission] !== undefined) return [];
    const way = `\`slipway.permissions.${permission}\` is not declared, so ${refused} is refused where plugins are confined`;
    return [hint("permissions", `${modules.get(name)} imports node:${name}; ${way}`)];
  });
}

/** Turns a refusal into a failed check; other errors are not the plugin's. */
async function attempt(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { name, ok: false, detail: error.message };
  }
}

/** Hints about things that a host accepts and an author may want to change. */
async function* pluginHints(
  { folder, manifest, about: { license } }: PluginPackage,
  installed: readonly InstalledPlugin[],
): AsyncGenerator<Check> {
  const names = await readdir(folder);
  if (!names.some((name) => /^readme\b/i.test(name))) yield hint("documents", "there is no README");
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

/** A package with the same public name would conflict with this one. */
function* nameHints(
  manifest: PluginPackage["manifest"],
  installed: readonly InstalledPlugin[],
): Generator<Check> {
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
