import type { DeprecatedRelease } from "../configuration/host-configuration.js";

/**
 * What clients of a deprecated release are told: `Deprecation` (RFC 9745), and as far as stated `Sunset` (RFC 8594) and
 * `Link` (RFC 8288). `base` is what clients see in front of the paths of releases, without a final slash.
 */
export function deprecationHeaders(release: DeprecatedRelease, base: string): Record<string, string> {
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
