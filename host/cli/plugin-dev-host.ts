import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { Development, mostFiles } from "../api/development/development.js";
import { Inspection } from "../api/development/inspection.js";
import type { Configuration } from "../configuration/configuration.js";
import { isIgnored } from "../plugins/packages/discovery.js";
import { type Manifest, readManifest } from "../plugins/packages/manifest.js";
import { Rejection } from "../system/errors.js";
import { sdkVersion } from "../system/installation.js";
import { type InstalledPlugin, installedPlugins, linkPlugins, withoutNamesOf } from "./plugin-trial-run.js";
import type { RunningHost } from "./running-host.js";
import { withTemporaryHost } from "./temporary-host.js";

/** Milliseconds; short, because the author looks at the page right after a save. */
const settlingTime = 20;

/** Milliseconds, the longest that the setting may be: a page may stay open for days. */
const sessionLifetime = 2_147_483_647;

/** Milliseconds: what stands at a breakpoint does not keep new code, or the end, waiting. */
const afterStop = 500;

export interface DevelopmentHostOptions {
  /** Folder of the plugin. */
  directory: string;
  port: number;
  /** Folder of run-time data that stays. */
  keptVar: string | undefined;
  /** The plugin's process can be stepped through. */
  inspect: boolean;
}

/**
 * A host with a plugin in development and the others of a configuration, until it is asked to stop. `use` runs when it
 * answers, whether or not the plugin can be used yet. Rejects when the folder cannot be read.
 */
export async function withDevelopmentHost(
  configuration: Configuration,
  { directory, port, keptVar, inspect }: DevelopmentHostOptions,
  use: (host: RunningHost, development: Development) => Promise<void>,
): Promise<void> {
  const folder = await realpath(directory);
  const name = basename(folder);
  const place = isIgnored(name) || name === "node_modules" ? "plugin" : name;
  const development = new Development({ directory: folder, place, isDebugged: inspect });
  const inspection = inspect ? new Inspection(development) : undefined;
  const prepare = async (temporary: string): Promise<Partial<Configuration>> => {
    const others = await otherPlugins(folder, configuration, join(temporary, "others"));
    const plugins = join(temporary, "drop-in");
    await linkPlugins(plugins, { name: place, folder }, others);
    return { folders: { ...configuration.folders, plugins: [plugins] } };
  };
  await withTemporaryHost(
    developmentConfiguration(configuration, inspect),
    (host) => use(host, development),
    { port, keptVar, development, prepare, untilAsked: true },
  ).finally(() => inspection?.stop());
}

/** Those of the configuration, except for other copies of the plugin itself. */
async function otherPlugins(
  folder: string,
  configuration: Configuration,
  unpacked: string,
): Promise<InstalledPlugin[]> {
  const installed = await installedPlugins(configuration, unpacked);
  const manifest = await manifestOf(folder);
  if (manifest !== undefined) return withoutNamesOf(manifest, installed);
  const places = await Promise.all(installed.map((each) => realpath(each.folder)));
  return installed.filter((_each, index) => places[index] !== folder);
}

/** Undefined as long as it cannot be read; the host says why. */
async function manifestOf(folder: string): Promise<Manifest | undefined> {
  try {
    return await readManifest(folder, sdkVersion);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** All plugins in one release. The last saved version always serves, without probation. */
function developmentConfiguration(configuration: Configuration, inspect: boolean): Configuration {
  const { defaultRelease: _, ...plugins } = configuration.plugins;
  // Packages for development lie there too, which no archive would have.
  const archives = { ...plugins.archives, files: Math.max(plugins.archives.files, mostFiles) };
  return {
    ...configuration,
    releases: {},
    releaseAliases: {},
    deprecatedReleases: {},
    plugins: {
      ...plugins,
      archives,
      development: true,
      settlingTime,
      probation: 1,
      ...(inspect && { drainTimeout: afterStop }),
    },
    requests: { ...configuration.requests, ...(inspect && { drain: afterStop }) },
    sessions: { ...configuration.sessions, lifetime: sessionLifetime },
  };
}
