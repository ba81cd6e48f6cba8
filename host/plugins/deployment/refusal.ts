import { basename } from "node:path";
import type { Candidate } from "./candidate.js";

/** What is known of a content under the name and version of another one. */
export interface Incumbent {
  readonly hash: string;
  /** Of the plugin's own files. */
  readonly source: string;
  readonly place: string;
  /** Whether it still lies at its place, which may hold something else by now. */
  readonly lies: boolean;
}

/**
 * Why a content is not taken: another one has its name and version, or the same lies in another place. Two contents
 * under one version, by the plugin's own files, are refused because nobody could say any more which of them answers. Admins read it, so it says
 * nothing of where the folders lie.
 */
export function refusal({ snapshot, place }: Candidate, incumbent: Incumbent): string | undefined {
  const label = `${snapshot.name}@${snapshot.version}`;
  if (incumbent.source !== snapshot.source) {
    const origin = incumbent.place === place ? "which was here before" : `from ${basename(incumbent.place)}`;
    return (
      `Another content with the name and version ${label}, ${origin}, stays: that one has the hash ` +
      `${incumbent.hash}, this one ${snapshot.hash}; give it a version of its own.`
    );
  }
  if (incumbent.place === place || !incumbent.lies) return undefined;
  return `The same ${label} is already taken from ${basename(incumbent.place)}.`;
}
