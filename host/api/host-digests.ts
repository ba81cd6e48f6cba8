import { createHash } from "node:crypto";
import type { Configuration } from "../configuration/configuration.js";
import type { MemberFacts } from "../observability/host-status.js";
import type { TemplateState } from "../templates/templates.js";

export interface DigestSources {
  /** Read at each use, because it may change. */
  configuration: Configuration;
  /** Of the pricing procedures. */
  procedures: string;
  templates(): readonly TemplateState[];
}

/** Characters of a digest, enough to tell a handful of hosts apart. */
const shown = 12;

/**
 * Digests, by name, of unshared files and settings that must be equal on hosts with a common engine. Excludes templates of plugins,
 * which come with the plugins, and configurations of plugins, whose secrets a digest could betray.
 */
export function hostDigests({
  configuration,
  procedures,
  templates,
}: DigestSources): NonNullable<MemberFacts["digests"]> {
  const { releases, releaseAliases, deprecatedReleases, plugins } = configuration;
  const { publicUrl, sessions, files, jobs, limits, rateLimits } = configuration;
  const own = templates().filter(({ plugin }) => plugin === undefined);
  return {
    templates: digestOf(own.map(({ key, version }) => `${key} ${version}`).sort()),
    "pricing procedures": procedures.slice(0, shown),
    releases: digestOf([releases, releaseAliases, deprecatedReleases, plugins.defaultRelease]),
    settings: digestOf([
      publicUrl,
      sessions,
      files,
      jobs,
      limits,
      rateLimits,
      plugins.trust,
      plugins.grants,
      plugins.probation,
    ]),
  };
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value, withSortedMembers) ?? "")
    .digest("hex")
    .slice(0, shown);
}

/** The order of members in a configuration file does not count. */
function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
