import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { Development, mostFiles } from "../api/development/development.js";
import { Inspection } from "../api/development/inspection.js";
import { tellWaits } from "../api/development/waits.js";
import type { Configuration } from "../configuration/configuration.js";
import { type Manifest, PluginPackage } from "../plugins/packages/packages.js";
import { Rejection } from "../system/errors.js";
import { sdkVersion } from "../system/installation.js";
import { longestTimer } from "../system/time.js";
import { type InstalledPlugin, installedPlugins, linkPlugins, withoutNamesOf } from "./plugin-trial-run.js";
import type { RunningHost } from "./running-host.js";
import { withTemporaryHost } from "./temporary-host.js";

/** Milliseconds; short, because the author looks at the page right after a save. */
const settlingTime = 20;

/** Milliseconds; saves are reported by the system (or else found each second), and installed packages take long to scan. */
const rescanInterval = 60_000;

/** Milliseconds: a request at a breakpoint must not delay new code or the stop. */
const afterStop = 500;

export interface DevelopmentHostOptions {
  /** Folder of the plugin. */
  directory: string;
  port: number;
  /** Folder of run-time data to keep. */
  keptVar: string | undefined;
  /** Whether a debugger can attach to the plugin's process. */
  inspect: boolean;
}

/**
 * Runs a host with a plugin in development and the other configured plugins until asked to stop. Calls `use` when the
 * host responds, even if the plugin is not usable yet. Rejects when the folder cannot be read.
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
  const endWaits = tellWaits(development);
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
  ).finally(() => {
    endWaits();
    inspection?.stop();
  });
}

/** The configured plugins without copies of the plugin itself. */
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

/** Undefined while it cannot be read; the host reports the reason. */
async function manifestOf(folder: string): Promise<Manifest | undefined> {
  try {
    return (await PluginPackage.read(folder, sdkVersion)).manifest;
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** All plugins in one release. The last saved version always serves, without probation. */
function developmentConfiguration(configuration: Configuration, inspect: boolean): Configuration {
  const { defaultRelease: _, ...plugins } = configuration.plugins;
  // The folder also contains development packages, which archives do not.
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
      // A debugger cannot reach a confined process; `slipway plugin check` says what a host refuses.
      confinement: "off" as const,
      settlingTime,
      ...(plugins.watch !== "polling" && { rescanInterval }),
      probation: 1,
      ...(inspect && { drainTimeout: afterStop }),
    },
    requests: { ...configuration.requests, ...(inspect && { drain: afterStop }) },
    sessions: { ...configuration.sessions, lifetime: longestTimer },
  };
}
