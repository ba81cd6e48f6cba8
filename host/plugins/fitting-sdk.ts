import semver from "semver";

/**
 * Why a plugin that was built for these versions of the SDK (`engines.slipway`, a valid range) may not run in a host with
 * another one: a sentence with what to do about it. Undefined when it may. A prerelease comes before its release, as
 * everywhere: 1.2.0-beta.1 is no 1.2.0, but newer than 1.1.0.
 */
export function sdkMismatch(range: string, sdkVersion: string): string | undefined {
  const options = { includePrerelease: true };
  if (semver.satisfies(sdkVersion, range, options)) return undefined;
  const [relation, remedy] = semver.ltr(sdkVersion, range, options)
    ? [", which is older", "update the host, or take an older version of the plugin"]
    : semver.gtr(sdkVersion, range, options)
      ? [", which is newer", "take a newer version of the plugin"]
      : ["", "take another version of the plugin"];
  return `the plugin was built for Slipway ${range} (engines.slipway), this host has ${sdkVersion}${relation}: ${remedy}`;
}
