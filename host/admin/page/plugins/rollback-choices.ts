import type { PluginOverview } from "../host/answers.js";

/** A version that a rollback can name. */
export interface RollbackChoice {
  version: string;
  /** What has to be known of it. */
  note: string | undefined;
}

/** What the releases can go back to: kept versions, then what lies in the folders, without what all of them have now. */
export function rollbackChoices(overview: PluginOverview, releases: readonly string[]): RollbackChoice[] {
  const { kept, versions, quarantined } = overview;
  const now = new Set(releases.map((release) => overview.releases[release]));
  const standing = versions.filter(({ stage }) => stage === "standby" || stage === "live");
  const known = [...kept.map(({ version }) => version), ...standing.flatMap(({ version }) => version ?? [])];
  const bad = new Set(quarantined.map(({ version }) => version));
  return [...new Set(known)]
    .filter((version) => now.size > 1 || !now.has(version))
    .map((version) => ({ version, note: bad.has(version) ? "was quarantined" : undefined }));
}
