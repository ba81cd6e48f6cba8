/** Computes agreements to propose, and what a host remembers of agreements in force; without side effects. */
import { isDeepStrictEqual } from "node:util";
import {
  type AgreedVersion,
  type Agreement,
  type Candidate,
  type PluginDeployment,
  type PluginsMemory,
  rolloutOf,
} from "../deployment/deployment.js";

/** The versions that an agreement assigns to the releases of this host. */
export function assignedTo({ candidates }: PluginDeployment, { assignment }: Agreement): AgreedVersion[] {
  const contents = new Map<string, AgreedVersion>();
  for (const { name } of candidates.releases) {
    const content = Object.hasOwn(assignment, name) ? assignment[name] : undefined;
    if (content !== undefined) contents.set(content.source, content);
  }
  return [...contents.values()];
}

function contentOf({ snapshot }: Candidate): AgreedVersion {
  return { version: snapshot.version, source: snapshot.sourceHash };
}

interface NextAgreement {
  agreement: Agreement;
  deployment: PluginDeployment;
  chosen: ReadonlyMap<string, Candidate>;
  memory: PluginsMemory;
  gone: readonly string[];
}

/** Releases that only other hosts have keep what they serve. */
export function nextAgreement({ agreement, deployment, chosen, memory, gone }: NextAgreement): Agreement {
  const { releases } = deployment.candidates;
  const others = Object.entries(agreement.assignment).filter(
    ([release]) => !releases.some((each) => each.name === release),
  );
  const own = [...chosen].map(([release, candidate]) => [release, contentOf(candidate)] as const);
  const offered = deployment.candidates.offers().map(contentOf);
  const stay = agreement.contents.filter(
    (content) => !gone.includes(content.source) && !offered.some((each) => isSameVersion(each, content)),
  );
  return {
    contents: [...offered, ...stay].sort((one, other) => (one.source < other.source ? -1 : 1)),
    assignment: Object.fromEntries([...others, ...own]),
    standing: standingOf(memory, deployment.name),
  };
}

/** The part of the state of a plugin that hosts share: without what failed here and what its folders here had before. */
export function standingOf(memory: PluginsMemory, name: string): Agreement["standing"] {
  const { failed: _, replaced: __, ...standing } = rolloutOf(memory, name);
  return standing;
}

/** Versions that have proven themselves here since stay among the latest ones that are kept. */
export function withStanding(
  memory: PluginsMemory,
  name: string,
  { standing }: Agreement,
  keep: number,
): PluginsMemory {
  const { failed, replaced, kept: before } = rolloutOf(memory, name);
  const own = { ...(failed && { failed }), ...(replaced && { replaced }) };
  const others = before.filter(({ hash }) => standing.kept.every((each) => each.hash !== hash));
  const kept = [...standing.kept, ...others]
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, keep);
  return { ...memory, plugins: { ...memory.plugins, [name]: { ...standing, kept, ...own } } };
}

function isSameVersion(one: AgreedVersion | undefined, other: AgreedVersion | undefined): boolean {
  return one?.version === other?.version && one?.source === other?.source;
}

/** Whether the folders have the same and the same versions serve. */
export function isSameAgreement(one: Agreement, other: Agreement): boolean {
  return (
    isDeepStrictEqual(one.contents, other.contents) && isDeepStrictEqual(one.assignment, other.assignment)
  );
}

/** Whether every release of `next` serves what it serves in `agreement`, so that no host has to prepare for it. */
export function needsNoPreparation(agreement: Agreement, next: Agreement): boolean {
  return Object.entries(next.assignment).every(
    ([release, content]) =>
      Object.hasOwn(agreement.assignment, release) && isSameVersion(agreement.assignment[release], content),
  );
}

/** Source hashes of all versions that an agreement may need again. */
export function sourcesOf({ contents, assignment, standing }: Agreement): string[] {
  const remembered = [...standing.kept, ...Object.values(standing.pins)].map(({ hash }) => hash);
  const named = [...contents, ...Object.values(assignment)].map(({ source }) => source);
  return [...new Set([...named, ...remembered])];
}
