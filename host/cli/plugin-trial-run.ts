import { mkdir, realpath, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { Development } from "../api/development/development.js";
import type { SourcePlace } from "../api/development/development-answers.js";
import type { Configuration } from "../configuration/configuration.js";
import { type Manifest, PackageFolders, PluginPackage } from "../plugins/packages/packages.js";
import type { PluginState } from "../plugins/plugin-state.js";
import { discoverSources } from "../plugins/sources/sources.js";
import { Rejection } from "../system/errors.js";
import { sdkVersion } from "../system/installation.js";
import { describeProblem, type TemplateState } from "../templates/templates.js";
import type { Check } from "./shown-results.js";

/** A plugin of the installation, which another one may require. */
export interface InstalledPlugin {
  folder: string;
  manifest: Manifest;
}

export interface TrialOptions {
  configuration: Configuration;
  installed: readonly InstalledPlugin[];
  /** A new folder for links, used as drop-in folder. */
  folder: string;
}

const trial = "checked";

/** The plugins in the configured drop-in folders, without invalid ones; unpacks archives below `unpacked`. */
export async function installedPlugins(
  { folders, plugins }: Configuration,
  unpacked: string,
): Promise<InstalledPlugin[]> {
  const found: InstalledPlugin[] = [];
  const unpackedFolders = new PackageFolders(unpacked, plugins.archives);
  for (const { path, kind } of (await Promise.all(folders.plugins.map(discoverSources))).flat()) {
    if (kind === "lost" || kind === "code") continue;
    try {
      const folder = kind === "archive" ? await unpackedFolders.unpack(path) : path;
      found.push(await PluginPackage.read(folder, sdkVersion));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
  return found;
}

/** Public name and aliases of a plugin. */
export function namesOf({ slipway }: Manifest): string[] {
  return [slipway.plugin, ...slipway.aliases];
}

/** The plugins without a name in common with a plugin. */
export function withoutNamesOf(manifest: Manifest, installed: readonly InstalledPlugin[]): InstalledPlugin[] {
  const own = new Set(namesOf(manifest));
  return installed.filter((each) => !namesOf(each.manifest).some((name) => own.has(name)));
}

/** Creates a drop-in folder with links to a plugin, under a given name, and to others. */
export async function linkPlugins(
  folder: string,
  plugin: { name: string; folder: string },
  others: readonly InstalledPlugin[],
): Promise<void> {
  await mkdir(folder);
  await symlink(plugin.folder, join(folder, plugin.name), "dir");
  for (const [index, other] of others.entries()) {
    await symlink(other.folder, join(folder, `other-${index + 1}`), "dir");
  }
}

/** Runs the plugin in a temporary host, together with installed plugins of other names. */
export async function* trialRun(
  plugin: string,
  manifest: Manifest,
  { configuration, installed, folder }: TrialOptions,
): AsyncGenerator<Check> {
  const others = withoutNamesOf(manifest, installed);
  await linkPlugins(folder, { name: trial, folder: plugin }, others);
  const { withTemporaryHost } = await import("./temporary-host.js");
  const settings = trialConfiguration(configuration, folder, manifest, others);
  const directory = await realpath(plugin);
  const development = new Development({ directory, place: trial, isDebugged: false });
  const { states, templates } = await withTemporaryHost(
    settings,
    async (host) => ({ states: host.pluginStates(), templates: host.templateStates() }),
    { development },
  );
  const state = states.find((each) => basename(each.folder) === trial);
  if (state === undefined) throw new Error("The host did not find the plugin.");
  yield* stateChecks(state, manifest, development);
  yield* templateChecks(templates.filter((each) => each.plugin === manifest.slipway.plugin));
}

/** One release with exactly this version. The trust settings stay in force. */
function trialConfiguration(
  configuration: Configuration,
  folder: string,
  { version, slipway }: Manifest,
  others: readonly InstalledPlugin[],
): Configuration {
  const { defaultRelease: _, ...plugins } = configuration.plugins;
  const ranges = others.map(({ manifest }) => [manifest.slipway.plugin, "*"] as const);
  return {
    ...configuration,
    log: { ...configuration.log, level: "silent" },
    folders: { ...configuration.folders, plugins: [folder] },
    releases: { trial: { ...Object.fromEntries(ranges), [slipway.plugin]: version } },
    releaseAliases: {},
    deprecatedReleases: {},
    // Errors name lines of the sources.
    plugins: { ...plugins, development: true },
  };
}

function* stateChecks(
  state: PluginState,
  { slipway }: Manifest,
  { reload }: Pick<Development, "reload">,
): Generator<Check> {
  const { stage, reason, warnings } = state;
  const { length } = slipway.smoke;
  const answered = length === 0 ? "" : `, and answered its smoke requests (${length})`;
  yield stage === "live"
    ? { name: "run", ok: true, detail: `it was set up and probed${answered}` }
    : { name: "run", ok: false, detail: `${shown(reload?.place)}${reason ?? `it is still ${stage}`}` };
  // Includes missing services.
  for (const detail of warnings) yield { name: "run", ok: true, hint: true, detail };
}

/** What is wrong with the templates that the plugin brings. */
function* templateChecks(templates: readonly TemplateState[]): Generator<Check> {
  for (const { key, problems, warnings } of templates) {
    for (const problem of problems)
      yield { name: "template", ok: false, detail: `${key}: ${describeProblem(problem)}` };
    if (problems.length === 0) yield { name: "template", ok: true, detail: `${key} can be used` };
    for (const detail of warnings)
      yield { name: "template", ok: true, hint: true, detail: `${key}: ${detail}` };
  }
}

function shown(place: SourcePlace | undefined): string {
  return place === undefined ? "" : `${place.file}:${place.line}:${place.column}: `;
}
