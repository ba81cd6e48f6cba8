import { trimmedEnd } from "@slipway/sdk/runtime/host";
import semver from "semver";
import type { Configuration } from "../configuration/configuration.js";
import type { DeprecatedRelease, DeprecatedReleases } from "../configuration/host-configuration.js";
import { type Releases, releaseNames } from "../configuration/release-names.js";
import { hostVersion } from "../system/installation.js";

/** Release name to further names under which it answers; see `releaseNamed`. */
export type ReleaseAliases = Readonly<Record<string, readonly string[]>>;

/** What a release chooses from. */
export interface Versioned {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
}

/** One release: for a plugin, the range that it takes, or undefined when it takes none of its versions. */
export interface Release {
  readonly name: string;
  /** Further names in paths. */
  readonly aliases: readonly string[];
  range(plugin: Versioned): string | undefined;
  /** Headers that every answer under it carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is configured of releases besides their ranges. */
export interface ReleaseNotes {
  aliases?: ReleaseAliases | undefined;
  deprecated?: DeprecatedReleases | undefined;
  /** Origin and prefix that clients see in front of the paths of releases. */
  publicUrl?: string | undefined;
}

/** What a configuration says of releases, as the host uses it. */
export interface ConfiguredReleases {
  releases: Release[];
  /** Name of the one behind paths that name none. */
  defaultRelease: string;
}

/** The releases of a configuration without mistakes. */
export function configuredReleases(
  configuration: Pick<
    Configuration,
    "releases" | "releaseAliases" | "deprecatedReleases" | "plugins" | "publicUrl"
  >,
): ConfiguredReleases {
  const { releaseAliases: aliases, deprecatedReleases: deprecated, plugins, publicUrl } = configuration;
  const releases = readReleases(configuration.releases, hostVersion, { aliases, deprecated, publicUrl });
  return { releases, defaultRelease: defaultRelease(releases, plugins.defaultRelease) };
}

/** The releases of a configuration; the one that stands for none takes every stable version. */
export function readReleases(releases: Releases, version: string, notes: ReleaseNotes = {}): Release[] {
  const { aliases = {}, deprecated = {}, publicUrl = "" } = notes;
  const base = trimmedEnd(publicUrl, "/");
  const deprecations = new Map(Object.entries(deprecated));
  const furtherNames = new Map(Object.entries(aliases));
  return releaseNames(releases, version).map((name) => {
    const ranges = releases[name];
    const deprecation = deprecations.get(name);
    return {
      name,
      aliases: furtherNames.get(name) ?? [],
      headers: deprecation === undefined ? {} : deprecationHeaders(deprecation, base),
      range: ranges === undefined ? () => "*" : rangeOf(name, ranges),
    };
  });
}

function rangeOf(release: string, ranges: Readonly<Record<string, string>>): Release["range"] {
  for (const [plugin, range] of Object.entries(ranges)) {
    if (semver.validRange(range) !== null) continue;
    throw new Error(
      `releases.${release}.${plugin}: expected a range such as "^1.0.0", received ${JSON.stringify(range)}`,
    );
  }
  const byName = new Map(Object.entries(ranges));
  return ({ name, aliases }) =>
    [name, ...aliases].map((each) => byName.get(each)).find((each) => each !== undefined);
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

/**
 * What clients of a deprecated release are told: `Deprecation` (RFC 9745), and as far as stated `Sunset` (RFC 8594) and
 * `Link` (RFC 8288). `base` is what clients see in front of the paths of releases, without a final slash.
 */
function deprecationHeaders(release: DeprecatedRelease, base: string): Record<string, string> {
  const { since, sunset, link, successor } = release;
  const links = [
    ...(link === undefined ? [] : [`<${new URL(link).href}>; rel="deprecation"`]),
    ...(successor === undefined ? [] : [`<${base}/${successor}/>; rel="successor-version"`]),
  ];
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() }),
    ...(links.length === 0 ? {} : { Link: links.join(", ") }),
  };
}
