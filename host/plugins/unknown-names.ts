import type { Configuration } from "../configuration/configuration.js";
import type { PluginAdministration } from "./deployment/plugin-administration.js";

/**
 * Keys of settings that name a plugin which is not there, such as "plugins.limits.Reportr": mistyped, or dropped in later.
 */
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
