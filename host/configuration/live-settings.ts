import type { Configuration } from "./configuration.js";

const liveSettings = ["releases", "deprecatedReleases", "plugins.defaultRelease"];

/** Whether a setting, by its key, can change while the host runs; all others need a restart. */
export function isLive(key: string): boolean {
  return liveSettings.includes(key);
}

/** The configuration `before` with what can change while the host runs as it is in `after`. */
export function withLiveSettings(before: Configuration, after: Configuration): Configuration {
  const { releases, deprecatedReleases } = after;
  const { defaultRelease: _, ...plugins } = before.plugins;
  const { defaultRelease } = after.plugins;
  return {
    ...before,
    releases,
    deprecatedReleases,
    plugins: { ...plugins, ...(defaultRelease === undefined ? {} : { defaultRelease }) },
  };
}
