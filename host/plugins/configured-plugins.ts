import type { Configuration } from "../configuration/configuration.js";
import type { PluginAdministration } from "./deployment/plugin-administration.js";
import type { RouteTable } from "./route-table.js";

/** A plugin that the configuration of a release names. */
export interface WantedPlugin {
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
  plugins: Pick<PluginAdministration, "states" | "overview">,
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
