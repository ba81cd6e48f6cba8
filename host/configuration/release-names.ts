import semver from "semver";

/** Release name to plugin name (or alias) to the range of versions that it serves. */
export type Releases = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The alias that stands for every version. */
export const anyVersion = "*";

/** The names of the releases of a configuration; without any, one named after the host's `major.minor`. */
export function releaseNames(releases: Releases, version: string): string[] {
  const names = Object.keys(releases);
  return names.length > 0 ? names : [`${semver.major(version)}.${semver.minor(version)}`];
}
