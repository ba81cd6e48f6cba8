import type { Configuration } from "../configuration/configuration.js";

/**
 * Keys of settings that name a plugin which is not there, such as "plugins.limits.Reportr": mistyped, or dropped in later.
 * `known` are the names and aliases of plugins.
 */
export function unknownNames(
  { releases, plugins }: Pick<Configuration, "releases" | "plugins">,
  known: ReadonlySet<string>,
): string[] {
  const groups: [key: string, named: object][] = [
    ...Object.entries(releases).map(([release, ranges]): [string, object] => [`releases.${release}`, ranges]),
    ["plugins.limits", plugins.limits],
    ["plugins.config", plugins.config],
  ];
  return groups.flatMap(([key, named]) =>
    Object.keys(named)
      .filter((name) => !known.has(name))
      .map((name) => `${key}.${name}`),
  );
}
