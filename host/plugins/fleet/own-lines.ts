/** Agreements as this host would have them, and what it remembers of those that were reached; without side effects. */
import type { Candidate } from "../deployment/candidates.js";
import { type AgreedContent, isSameContent, type Line } from "../deployment/line.js";
import type { PluginDeployment } from "../deployment/plugin-deployment.js";
import { type PluginsMemory, rolloutOf } from "../deployment/rollout-state.js";

/** The contents that a line assigns to the releases of this host. */
export function assignedTo({ selection }: PluginDeployment, { assignment }: Line): AgreedContent[] {
  const contents = new Map<string, AgreedContent>();
  for (const { name } of selection.releases) {
    const content = Object.hasOwn(assignment, name) ? assignment[name] : undefined;
    if (content !== undefined) contents.set(content.source, content);
  }
  return [...contents.values()];
}

function contentOf({ snapshot }: Candidate): AgreedContent {
  return { version: snapshot.version, source: snapshot.sourceHash };
}

/** Whether it lies in no folder any more. */
export function isGone(candidate: Candidate | undefined, gone: readonly string[]): boolean {
  return candidate !== undefined && gone.includes(candidate.snapshot.sourceHash);
}

interface NextLine {
  line: Line;
  deployment: PluginDeployment;
  chosen: ReadonlyMap<string, Candidate>;
  memory: PluginsMemory;
  name: string;
  gone: readonly string[];
}

/** Releases that only other hosts have keep what they serve. */
export function nextLine({ line, deployment, chosen, memory, name, gone }: NextLine): Line {
  const { releases } = deployment.selection;
  const others = Object.entries(line.assignment).filter(
    ([release]) => !releases.some((each) => each.name === release),
  );
  const own = [...chosen].map(([release, candidate]) => [release, contentOf(candidate)] as const);
  const offered = deployment.selection.offers().map(contentOf);
  const stay = line.contents.filter(
    (content) => !gone.includes(content.source) && !offered.some((each) => isSameContent(each, content)),
  );
  return {
    contents: [...offered, ...stay].sort((one, other) => (one.source < other.source ? -1 : 1)),
    assignment: Object.fromEntries([...others, ...own]),
    standing: standingOf(memory, name),
  };
}

/** What the hosts share of the state of a plugin: not what failed here, nor what its folders here had before. */
export function standingOf(memory: PluginsMemory, name: string): Line["standing"] {
  const { failed: _, replaced: __, ...standing } = rolloutOf(memory, name);
  return standing;
}

/** Versions that have proven themselves here since stay among the latest ones that are kept. */
export function withStanding(
  memory: PluginsMemory,
  name: string,
  { standing }: Line,
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
