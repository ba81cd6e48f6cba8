import { describe } from "@slipway/sdk";
import { trimmedEnd } from "@slipway/sdk/runtime/host";
import semver from "semver";
import type { Configuration } from "../configuration/configuration.js";
import type { DeprecatedRelease, DeprecatedReleases } from "../configuration/host-configuration.js";
import { type Releases, releaseNames } from "../configuration/plugins-configuration.js";
import { hostVersion } from "../system/installation.js";

/** Aliases by release name; see `releaseNamed`. */
type ReleaseAliases = Readonly<Record<string, readonly string[]>>;

/** The part of a plugin version that a release selects by. */
export interface Versioned {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
}

/** A release. `range` returns the range for a plugin, or undefined when the release has none of its versions. */
export interface Release {
  readonly name: string;
  /** Aliases in paths. */
  readonly aliases: readonly string[];
  range(plugin: Versioned): string | undefined;
  /** Headers of every response under the release. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Configuration of releases besides their ranges. */
interface ReleaseNotes {
  aliases?: ReleaseAliases | undefined;
  deprecated?: DeprecatedReleases | undefined;
  /** Origin and prefix in front of the release paths, as clients see them. */
  publicUrl?: string | undefined;
}

/** The configured releases as the host uses them. */
interface ConfiguredReleases {
  releases: Release[];
  /** The release for paths without one. */
  defaultRelease: string;
}

/** The releases of a valid configuration. */
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

/** The releases of a configuration; the implicit release takes every stable version. */
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
      describe({
        path: `releases.${release}.${plugin}`,
        expected: 'a range such as "^1.0.0"',
        received: JSON.stringify(range),
      }),
    );
  }
  const byName = new Map(Object.entries(ranges));
  return ({ name, aliases }) =>
    [name, ...aliases].map((each) => byName.get(each)).find((each) => each !== undefined);
}

/** The release for paths without one: the configured one, else the highest. */
function defaultRelease(releases: readonly Release[], configured: string | undefined): string {
  const names = releases.map(({ name }) => name);
  if (configured !== undefined && !names.includes(configured)) {
    throw new Error(
      describe({
        path: "plugins.defaultRelease",
        expected: `one of ${names.join(", ")}`,
        received: JSON.stringify(configured),
      }),
    );
  }
  const [highest] = [...names].sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return configured ?? highest ?? "";
}

/**
 * Headers of a deprecated release: `Deprecation` (RFC 9745) and, if configured, `Sunset` (RFC 8594) and `Link` (RFC
 * 8288). `base` is the public URL in front of the release paths, without a final slash.
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
