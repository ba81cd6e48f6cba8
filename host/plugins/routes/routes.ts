/**
 * Routes: which version of each plugin answers under each release.
 *
 * Goes in: the versions that serve, after each switch of a deployment, and the releases. Comes out: the `RouteTable`. Each
 * request keeps the table with which it began, so a switch never disturbs it.
 *
 * Owns names: releases and their aliases in paths, and the aliases of plugins. Also shows what the plugins of a table
 * require of each other.
 */
import type { Log } from "@slipway/sdk";
import type { LivePlugin, OfferingPlugins } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../../configuration/configuration.js";
import { anyVersion } from "../../configuration/plugins-configuration.js";
import type { WorkingVersion } from "../background-work.js";
import type { StateRecord } from "../plugin-state.js";
import type { Release } from "../releases.js";
import { describeRequirements } from "./requirements.js";

/** The plugins that serve, by release. Frozen; a change creates a new table. */
export interface RouteTable {
  readonly releases: ReadonlyMap<string, ReadonlyMap<string, LivePlugin>>;
  /** Alias to release name; "*" matches every version. */
  readonly releaseAliases: ReadonlyMap<string, string>;
  /** Response headers by release name. */
  readonly headers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly defaultRelease: string;
}

/** An alias that two plugins of a release declare. */
interface AliasClash {
  release: string;
  alias: string;
  /** The plugin that does not get the alias. */
  plugin: string;
  by: string;
}

/** The table of live plugins, by name and alias. A name takes precedence over another plugin's alias. */
function routeTable(
  releases: readonly Release[],
  defaultRelease: string,
  serving: (release: string) => readonly LivePlugin[],
): { table: RouteTable; clashes: AliasClash[] } {
  const clashes: AliasClash[] = [];
  const entries = releases.map(({ name: release }) => {
    const byName = new Map(serving(release).map((plugin) => [plugin.name, plugin]));
    const plugins = new Map(byName);
    for (const plugin of byName.values()) {
      for (const alias of plugin.aliases) {
        const taken = plugins.get(alias);
        if (taken === undefined) plugins.set(alias, plugin);
        else if (taken !== plugin) clashes.push({ release, alias, plugin: plugin.name, by: taken.name });
      }
    }
    return [release, plugins] as const;
  });
  const headers = new Map(releases.map(({ name, headers }) => [name, headers]));
  const releaseAliases = new Map(
    releases.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])),
  );
  const table = { releases: new Map(entries), releaseAliases, headers, defaultRelease };
  return { table: Object.freeze(table), clashes };
}

/** Such as "4.18.2-001" or "v2". */
const versionSegment = /^v?\d[A-Za-z0-9._+~-]{0,99}$/;

/** The release for a path segment: a release name, an alias, or any version if a release has the alias "*". */
export function releaseNamed(table: RouteTable, segment: string): string | undefined {
  if (table.releases.has(segment)) return segment;
  const isVersion = versionSegment.test(segment);
  return (
    (segment === anyVersion ? undefined : table.releaseAliases.get(segment)) ??
    (isVersion ? table.releaseAliases.get(anyVersion) : undefined)
  );
}

/** Every plugin version that serves a release. */
export function livePlugins(table: RouteTable): LivePlugin[] {
  return [...new Set([...table.releases.values()].flatMap((plugins) => [...plugins.values()]))];
}

/** One version of each plugin: that of the default release, or else of the first that has it. */
export function workingVersions({ releases, defaultRelease }: RouteTable): WorkingVersion[] {
  const found = new Map<string, WorkingVersion>();
  for (const release of [defaultRelease, ...releases.keys()])
    for (const plugin of releases.get(release)?.values() ?? [])
      if (!found.has(plugin.name)) found.set(plugin.name, { plugin, release });
  return [...found.values()];
}

/** The plugin versions by release. */
export function servingPlugins(table: RouteTable): { release: string; plugin: string; version: string }[] {
  return [...table.releases].flatMap(([release, serving]) =>
    [...new Set(serving.values())].map(({ name: plugin, version }) => ({ release, plugin, version })),
  );
}

/** The versions that a table is made of. */
interface RoutedVersions {
  /** Those that serve a release. */
  serving(release: string): LivePlugin[];
  /** All that have a process, with the records that show their requirements. */
  readonly running: readonly { plugin: LivePlugin; record: StateRecord }[];
}

/** The table that requests read; replaced on every change. */
export class PublishedTable {
  private current: RouteTable;
  /** Warnings that are logged and still apply. */
  private readonly warned = { aliases: new Set<string>(), requirements: new Set<string>() };
  /** During the start, a required plugin may merely not be there yet. */
  private comingUp = true;

  constructor(
    private readonly versions: RoutedVersions,
    private releases: readonly Release[],
    private defaultRelease: string,
    private readonly log: Log,
  ) {
    this.current = routeTable(releases, defaultRelease, () => []).table;
  }

  get table(): RouteTable {
    return this.current;
  }

  /** The plugins that may offer a service to a request under a release. */
  offering: OfferingPlugins = (release) => {
    const own = release === undefined ? undefined : this.current.releases.get(release);
    return [[...new Set(own?.values() ?? [])], livePlugins(this.current)];
  };

  useReleases(releases: readonly Release[], defaultRelease: string): void {
    this.releases = releases;
    this.defaultRelease = defaultRelease;
    this.publish();
  }

  /** Publishes the current state of the deployments. */
  publish(): void {
    const { table, clashes } = routeTable(this.releases, this.defaultRelease, (release) =>
      this.versions.serving(release),
    );
    this.current = table;
    const warnings = clashes.map((clash) => ({ ...clash }));
    this.warned.aliases = this.warn("An alias is taken by another plugin", warnings, this.warned.aliases);
    this.noteRequirements();
  }

  /** Called when the start of all present plugins has succeeded or failed. */
  complete(): void {
    this.comingUp = false;
    this.noteRequirements();
  }

  /** Another plugin may meet or no longer meet a requirement. */
  private noteRequirements(): void {
    const described = describeRequirements(livePlugins(this.current));
    const warnings: Record<string, unknown>[] = [];
    for (const { plugin, record } of this.versions.running) {
      const found = described.get(plugin);
      if (found === undefined) continue;
      record.update(found);
      const label = `${plugin.name}@${plugin.version}`;
      warnings.push(...found.warnings.map((reason) => ({ plugin: label, reason })));
    }
    if (this.comingUp) return;
    this.warned.requirements = this.warn(
      "A plugin has unmet requirements",
      warnings,
      this.warned.requirements,
    );
  }

  /** Logs each warning once while it applies; returns the current warnings. */
  private warn(
    message: string,
    warnings: readonly Record<string, unknown>[],
    warned: ReadonlySet<string>,
  ): Set<string> {
    const now = new Map(warnings.map((fields) => [JSON.stringify(fields), fields]));
    for (const [key, fields] of now) if (!warned.has(key)) this.log.warn(message, fields);
    return new Set(now.keys());
  }
}

/** A plugin that the configuration of a release names. */
interface WantedPlugin {
  release: string;
  /** Name or alias as configured. */
  plugin: string;
  range: string;
  /** Whether the release serves a version of it. */
  isLive: boolean;
}

/** The plugins configured for the releases; a release without ranges contributes none. */
export function wantedPlugins(table: RouteTable, releases: Configuration["releases"]): WantedPlugin[] {
  return Object.entries(releases).flatMap(([release, ranges]) => {
    const plugins = [...new Set(table.releases.get(release)?.values() ?? [])];
    return Object.entries(ranges).map(([plugin, range]) => ({
      release,
      plugin,
      range,
      isLive: plugins.some(({ name, aliases }) => name === plugin || aliases.includes(plugin)),
    }));
  });
}

/** Setting keys that name an unknown plugin, such as "plugins.limits.Reportr": mistyped, or not dropped in yet. */
export function unknownNames(
  { releases, plugins: settings }: Pick<Configuration, "releases" | "plugins">,
  plugins: {
    states(): readonly { name?: string | undefined }[];
    overview(name: string): { aliases: readonly string[] } | undefined;
  },
): string[] {
  const names = plugins.states().flatMap(({ name }) => name ?? []);
  const aliases = names.flatMap((name) => plugins.overview(name)?.aliases ?? []);
  const known = new Set([...names, ...aliases]);
  const groups: [key: string, named: object][] = [
    ...Object.entries(releases).map(([release, ranges]): [string, object] => [`releases.${release}`, ranges]),
    ["plugins.limits", settings.limits],
    ["plugins.config", settings.config],
  ];
  return groups.flatMap(([key, named]) =>
    Object.keys(named)
      .filter((name) => !known.has(name))
      .map((name) => `${key}.${name}`),
  );
}
