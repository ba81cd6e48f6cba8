import semver from "semver";

/** Release name to plugin name (or alias) to version range. */
export type Releases = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The alias for every version. */
export const anyVersion = "*";

/** The release names of a configuration; by default one named after the host's `major.minor`. */
export function releaseNames(releases: Releases, version: string): string[] {
  const names = Object.keys(releases);
  return names.length > 0 ? names : [`${semver.major(version)}.${semver.minor(version)}`];
}
