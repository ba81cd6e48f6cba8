/** What the hosts of a fleet have agreed on for one plugin, and how they get from one agreement to the next. */
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "@slipway/sdk";
import { RolloutState } from "./rollout-state.js";

const closed = { additionalProperties: false } as const;

/** A content as every host knows it: bundles differ by host, the plugin's own files do not. */
export const AgreedContent = Type.Object(
  { version: Type.String(), source: Type.String({ description: "SHA-256 of the plugin's own files." }) },
  closed,
);
export type AgreedContent = Static<typeof AgreedContent>;

/** The agreement on one plugin. */
export const Line = Type.Object(
  {
    /** What lies in the folders of the hosts, together. */
    contents: Type.Array(AgreedContent),
    /** By release. */
    assignment: Type.Record(Type.String(), AgreedContent),
    /** Pins, quarantine and kept versions; not what failed on one host. */
    standing: RolloutState,
  },
  closed,
);
export type Line = Static<typeof Line>;

/** Before the first agreement. */
export const noLine: Line = {
  contents: [],
  assignment: {},
  standing: { pins: {}, quarantined: [], kept: [] },
};

export function isSameContent(one: AgreedContent | undefined, other: AgreedContent | undefined): boolean {
  return one?.version === other?.version && one?.source === other?.source;
}

/** Whether the same lies in the folders and the same serves. */
export function isSameLine(one: Line, other: Line): boolean {
  return (
    isDeepStrictEqual(one.contents, other.contents) && isDeepStrictEqual(one.assignment, other.assignment)
  );
}

/** Whether every release of `next` serves what it serves in `line`: nobody has to prepare anything. */
export function needsNoPreparation(line: Line, next: Line): boolean {
  return Object.entries(next.assignment).every(
    ([release, content]) =>
      Object.hasOwn(line.assignment, release) && isSameContent(line.assignment[release], content),
  );
}

/** All contents that a line may need again. */
export function sourcesOf({ contents, assignment, standing }: Line): string[] {
  const remembered = [...standing.kept, ...Object.values(standing.pins)].map(({ hash }) => hash);
  const named = [...contents, ...Object.values(assignment)].map(({ source }) => source);
  return [...new Set([...named, ...remembered])];
}
