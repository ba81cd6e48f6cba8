import type { PluginOverview } from "../host/answers.js";

/**
 * Versions that the releases can go back to: those that are kept, then what lies in the folders, without what all of them
 * have now and what is in quarantine.
 */
export function rollbackChoices(overview: PluginOverview, releases: readonly string[]): string[] {
  const { kept, versions, quarantined } = overview;
  const now = new Set(releases.map((release) => overview.releases[release]));
  const standing = versions.filter(({ stage }) => stage === "standby" || stage === "live");
  const known = [...kept.map(({ version }) => version), ...standing.flatMap(({ version }) => version ?? [])];
  const bad = new Set(quarantined.map(({ version }) => version));
  return [...new Set(known)].filter((version) => !bad.has(version) && (now.size > 1 || !now.has(version)));
}
