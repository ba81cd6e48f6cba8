import semver from "semver";

/** Release name to plugin name (or alias) to the range of versions that it serves. */
export type Releases = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a release chooses from. */
export interface Versioned {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
}

/** One release: for a plugin, the range that it takes, or undefined when it takes none of its versions. */
export interface Release {
  readonly name: string;
  range(plugin: Versioned): string | undefined;
  /** Headers that every answer under it carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The releases of a configuration; without any, one named after the host's `major.minor` that takes every stable version. */
export function readReleases(releases: Releases, hostVersion: string): Release[] {
  const names = Object.keys(releases);
  if (names.length === 0) {
    return [
      { name: `${semver.major(hostVersion)}.${semver.minor(hostVersion)}`, range: () => "*", headers: {} },
    ];
  }
  return names.map((name) => {
    const ranges = releases[name] ?? {};
    for (const [plugin, range] of Object.entries(ranges)) {
      if (semver.validRange(range) === null) {
        throw new Error(
          `releases.${name}.${plugin}: expected a range such as "^1.0.0", received ${JSON.stringify(range)}`,
        );
      }
    }
    return {
      name,
      headers: {},
      range: (plugin) =>
        [plugin.name, ...plugin.aliases].map((each) => ranges[each]).find((each) => each !== undefined),
    };
  });
}

/** The release behind paths that name none: the configured one, else the highest. */
export function defaultRelease(releases: readonly Release[], configured: string | undefined): string {
  const names = releases.map(({ name }) => name);
  if (configured !== undefined && !names.includes(configured)) {
    throw new Error(
      `plugins.defaultRelease: expected one of ${names.join(", ")}, received ${JSON.stringify(configured)}`,
    );
  }
  const [highest] = [...names].sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return configured ?? highest ?? "";
}

/** For each plugin name, the version that the release wants: the highest in its range. Prereleases only when the range names them. */
export function select<V extends Versioned>(release: Release, candidates: readonly V[]): Map<string, V> {
  const chosen = new Map<string, V>();
  for (const candidate of candidates) {
    const range = release.range(candidate);
    if (range === undefined || !semver.satisfies(candidate.version, range)) continue;
    const best = chosen.get(candidate.name);
    if (best === undefined || semver.gt(candidate.version, best.version))
      chosen.set(candidate.name, candidate);
  }
  return chosen;
}
