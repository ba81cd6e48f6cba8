import type { Log } from "@slipway/sdk";
import type { LivePlugin, RouteTable } from "./live-plugin.js";
import { type Release, select } from "./releases.js";

/** The table of all live plugins, by name and by alias. A name counts more than another plugin's alias. */
export function routeTable(
  releases: readonly Release[],
  defaultRelease: string,
  live: readonly LivePlugin[],
  log: Log,
): RouteTable {
  const table = releases.map((release) => {
    const byName: Map<string, LivePlugin> = select(release, live);
    const plugins = new Map(byName);
    for (const plugin of byName.values()) {
      for (const alias of plugin.aliases) {
        const taken = plugins.get(alias);
        if (taken === undefined) plugins.set(alias, plugin);
        else if (taken !== plugin) {
          log.warn("An alias is taken by another plugin", {
            release: release.name,
            alias,
            plugin: plugin.name,
            by: taken.name,
          });
        }
      }
    }
    return [release.name, plugins] as const;
  });
  const headers = new Map(releases.map((release) => [release.name, release.headers]));
  return Object.freeze({ releases: new Map(table), headers, defaultRelease });
}

/** Every plugin version that serves under some release. */
export function livePlugins(table: RouteTable): LivePlugin[] {
  return [...new Set([...table.releases.values()].flatMap((plugins) => [...plugins.values()]))];
}
