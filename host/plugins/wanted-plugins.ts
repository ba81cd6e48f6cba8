import type { Configuration } from "../configuration/configuration.js";
import type { RouteTable } from "./route-table.js";

/** A plugin that the configuration of a release names. */
export interface WantedPlugin {
  release: string;
  /** Name or alias as configured. */
  plugin: string;
  range: string;
  /** Whether a version of it answers there. */
  isLive: boolean;
}

/** What the releases are configured to have; one without configuration wants nothing in particular. */
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
