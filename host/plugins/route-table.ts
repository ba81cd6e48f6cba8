import type { LivePlugin } from "@slipway/sdk/runtime/host";
import type { Release } from "./releases.js";

/** All that serves right now: release name to plugins. Frozen; a change is a new table. */
export interface RouteTable {
  readonly releases: ReadonlyMap<string, ReadonlyMap<string, LivePlugin>>;
  /** Headers of the answers under a release, by its name. */
  readonly headers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly defaultRelease: string;
}

/** An alias that two plugins of a release have. */
export interface AliasClash {
  release: string;
  alias: string;
  /** Who does not get it. */
  plugin: string;
  by: string;
}

/** The table of all live plugins, by name and by alias. A name counts more than another plugin's alias. */
export function routeTable(
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
  return { table: Object.freeze({ releases: new Map(entries), headers, defaultRelease }), clashes };
}

/** Every plugin version that serves under some release. */
export function livePlugins(table: RouteTable): LivePlugin[] {
  return [...new Set([...table.releases.values()].flatMap((plugins) => [...plugins.values()]))];
}
