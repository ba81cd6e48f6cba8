/** Rules beyond the schema: settings that contradict each other or the system. */
import { parseLocale } from "@slipway/sdk";
import semver from "semver";
import { isLoopback, trustOf } from "../system/addresses.js";
import { hostVersion } from "../system/installation.js";
import { checkTrustedKey } from "../system/signing-keys.js";
import type { Configuration } from "./configuration.js";
import type { Mistake } from "./configuration-error.js";
import { hasNoKeys } from "./key-file.js";
import { memoryLimits } from "./plugin-limits.js";
import { anyVersion, releaseNames } from "./plugins-configuration.js";
import { groupOf, type SettingsSource } from "./settings-source.js";

interface Contradiction {
  key: string;
  expected: string;
  value: unknown;
  /** Keys of further top-level settings in the rule. */
  besides?: readonly string[];
}

/**
 * The contradictions of a configuration. Rules about settings in `wrong`, whose values are replaced, are skipped. Each
 * mistake names the last source of its setting.
 */
export function contradictions(
  configuration: Configuration,
  sources: readonly SettingsSource[],
  wrong: ReadonlySet<string>,
): Mistake[] {
  const wrongGroups = new Set([...wrong].map(groupOf));
  return rules
    .flatMap((rule) => rule(configuration))
    .filter(({ besides = [] }) => !besides.some((group) => wrongGroups.has(group)))
    .map(({ key, expected, value }) => {
      const source = sources.findLast(({ settings }) => groupOf(key) in settings)?.name ?? "defaults";
      return { source, key, expected, value: JSON.stringify(value) };
    });
}

const rules: readonly ((configuration: Configuration) => Contradiction[])[] = [
  openToNetwork,
  proxies,
  releases,
  releaseAliases,
  deprecations,
  defaultRelease,
  memory,
  trust,
  locale,
];

/** A host on an external address needs keys, or an explicit exception: without keys it is open to everyone. */
function openToNetwork(configuration: Configuration): Contradiction[] {
  const { host, allowedAddresses } = configuration;
  if (isLoopback(host) || allowedAddresses.includes(host) || !hasNoKeys(configuration)) return [];
  const expected =
    'an address of this machine only, as long as there is no key; "slipway key new NAME --role operate" makes one, and "allowedAddresses" lists addresses that are open to everybody';
  return [{ key: "host", expected, value: host, besides: ["allowedAddresses", "access", "var"] }];
}

function proxies({ trustedProxies }: Configuration): Contradiction[] {
  const expected = 'an address, a range such as "10.0.0.0/8", "loopback" or "private"';
  return trustedProxies.flatMap((value, index) => {
    try {
      trustOf([value]);
      return [];
    } catch {
      return [{ key: `trustedProxies[${index}]`, expected, value }];
    }
  });
}

function releases({ releases }: Configuration): Contradiction[] {
  return Object.entries(releases).flatMap(([release, ranges]) => {
    const key = `releases.${release}`;
    const name = fitsIntoPath(release)
      ? []
      : [{ key, expected: "a name that fits into a path", value: release }];
    const wrongRanges = Object.entries(ranges)
      .filter(([, range]) => semver.validRange(range) === null)
      .map(([plugin, value]) => ({
        key: `${key}.${plugin}`,
        expected: 'a range of versions such as "^1.0.0"',
        value,
      }));
    return [...name, ...wrongRanges];
  });
}

function fitsIntoPath(name: string): boolean {
  return /^[A-Za-z0-9._~-]+$/.test(name);
}

/** Paths must be unambiguous: a name is a release, or an alias of one release. */
function releaseAliases({ releases, releaseAliases }: Configuration): Contradiction[] {
  const names = releaseNames(releases, hostVersion);
  const besides = ["releases"];
  const taken = new Map<string, string>();
  return Object.entries(releaseAliases).flatMap(([release, aliases]) => {
    const key = `releaseAliases.${release}`;
    const unknown = { key, expected: `one of the releases ${names.join(", ")}`, value: release, besides };
    const wrong = aliases.flatMap((value, index): Contradiction[] => {
      const place = { key: `${key}[${index}]`, value };
      const other = taken.get(value);
      taken.set(value, release);
      if (names.includes(value))
        return [{ ...place, expected: `another name than the releases ${names.join(", ")}`, besides }];
      if (other !== undefined)
        return [{ ...place, expected: `a name that is not yet an alias of the release ${other}` }];
      if (value === anyVersion || fitsIntoPath(value)) return [];
      return [{ ...place, expected: 'a name that fits into a path, or "*" for every version' }];
    });
    return [...(names.includes(release) ? [] : [unknown]), ...wrong];
  });
}

function deprecations({ releases, deprecatedReleases }: Configuration): Contradiction[] {
  const names = Object.keys(releases);
  // Without configured releases, the name of the release depends on the host version.
  const isKnown = (name: string): boolean => names.length === 0 || names.includes(name);
  const oneOf = `one of the releases ${names.join(", ")}`;
  const besides = ["releases"];
  return Object.entries(deprecatedReleases).flatMap(([release, { since, sunset, link, successor }]) => {
    const key = `deprecatedReleases.${release}`;
    const found: Contradiction[] = [];
    if (!isKnown(release)) found.push({ key, expected: oneOf, value: release, besides });
    if (successor === release)
      found.push({ key: `${key}.successor`, expected: "another release", value: successor });
    else if (successor !== undefined && !isKnown(successor))
      found.push({ key: `${key}.successor`, expected: oneOf, value: successor, besides });
    if (link !== undefined && !isPageAddress(link)) {
      const expected = "an http or https address without user name and password";
      found.push({ key: `${key}.link`, expected, value: link });
    }
    return [...found, ...wrongTimes(key, since, sunset)];
  });
}

/** The format allows impossible times, such as a 61st second. */
function wrongTimes(key: string, since: string, sunset: string | undefined): Contradiction[] {
  const expected = 'a time such as "2027-01-31T00:00:00Z"';
  const times = Object.entries({ since, ...(sunset === undefined ? {} : { sunset }) });
  const impossible = times.filter(([, time]) => Number.isNaN(Date.parse(time)));
  if (impossible.length > 0)
    return impossible.map(([name, value]) => ({ key: `${key}.${name}`, expected, value }));
  if (sunset === undefined || Date.parse(sunset) >= Date.parse(since)) return [];
  return [{ key: `${key}.sunset`, expected: `a time not before "since", ${since}`, value: sunset }];
}

function isPageAddress(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, username, password } = new URL(link);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function defaultRelease({ releases, plugins }: Configuration): Contradiction[] {
  const names = releaseNames(releases, hostVersion);
  const { defaultRelease: value } = plugins;
  if (value === undefined || names.includes(value)) return [];
  const expected = `one of the releases ${names.join(", ")}`;
  return [{ key: "plugins.defaultRelease", expected, value, besides: ["releases"] }];
}

function memory({ plugins }: Configuration): Contradiction[] {
  const limits = Object.entries(plugins.limits).map(([name, own]) => ({
    key: `plugins.limits.${name}`,
    own,
    // A contradiction of `plugins.memory` is reported only once.
    all:
      own.soft === undefined && own.hard === undefined
        ? undefined
        : memoryLimits(plugins, { name, aliases: [] }),
  }));
  const everything = [{ key: "plugins.memory", own: plugins.memory, all: plugins.memory }, ...limits];
  return everything.flatMap(({ key, own, all }) => {
    if (all === undefined || all.soft <= all.hard) return [];
    return own.soft === undefined
      ? [{ key: `${key}.hard`, expected: `at least the soft limit, ${all.soft}`, value: all.hard }]
      : [{ key: `${key}.soft`, expected: `at most the hard limit, ${all.hard}`, value: all.soft }];
  });
}

function trust({ plugins: { trust } }: Configuration): Contradiction[] {
  const keys = Object.entries(trust.keys);
  if (trust.required && keys.length === 0) {
    const expected = "a key, because plugins.trust.required admits only plugins that are signed by one";
    return [{ key: "plugins.trust.keys", expected, value: trust.keys }];
  }
  return keys.flatMap(([name, text]) => {
    const wrong = checkTrustedKey(text);
    if (wrong === undefined) return [];
    // The text may be a private key by mistake, which must not be logged.
    const value = `(${text.length} characters)`;
    return [{ key: `plugins.trust.keys.${name}`, expected: wrong.replace(/^expected /, ""), value }];
  });
}

function locale({ sessions: { locale } }: Configuration): Contradiction[] {
  if (parseLocale(locale) !== undefined) return [];
  return [{ key: "sessions.locale", expected: 'a locale such as "de_DE"', value: locale }];
}
