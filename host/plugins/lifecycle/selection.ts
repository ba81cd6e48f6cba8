/** Which version a release takes: from contributions and standing to one candidate, without side effects. */
import semver from "semver";
import type { Release } from "../releases.js";
import type { Candidate, Contribution } from "./candidate.js";
import { type Pin, pinnedFor, type Standing } from "./standing.js";

export interface Choice {
  contributions: readonly Contribution[];
  standing: Standing;
  /** Whether a content did not come up. */
  failed(hash: string): boolean;
  /** The candidate of a rollback; undefined when its snapshot is gone. */
  pinned(pin: Pin): Candidate | undefined;
}

/** The highest fit version in the range of the release; undefined when there is none. */
export function choose(release: Release, choice: Choice): Candidate | undefined {
  // What lies nowhere any more was taken away, also when a rollback has asked for it.
  if (choice.standing.disabled !== undefined || choice.contributions.length === 0) return undefined;
  const pin = pinnedFor(choice.standing, release.name);
  const pinned = pin && choice.pinned(pin);
  const present = fitCandidates(choice).filter(({ snapshot }) => pin?.over.includes(snapshot.hash) !== true);
  const all = pinned !== undefined && isFit(pinned, choice) ? [...present, pinned] : present;
  return all
    .filter(({ snapshot }) => takes(release, snapshot))
    .reduce<Candidate | undefined>(
      (best, each) =>
        best === undefined || semver.gt(each.snapshot.version, best.snapshot.version) ? each : best,
      undefined,
    );
}

/** Whether a release asks for a version. Prereleases only when its range names them. */
export function takes(release: Release, snapshot: Candidate["snapshot"]): boolean {
  const range = release.range(snapshot);
  return range !== undefined && semver.satisfies(snapshot.version, range);
}

/** Of each place what lies there, or else what served well from there. */
function fitCandidates(choice: Choice): Candidate[] {
  return choice.contributions.flatMap(({ current, fallback }) => {
    const fit = [current, fallback].find((each) => each !== undefined && isFit(each, choice));
    return fit ?? [];
  });
}

/** Whether a content has neither failed to come up nor served badly. */
export function isFit({ snapshot }: Candidate, { standing, failed }: Choice): boolean {
  return !failed(snapshot.hash) && !standing.quarantined.some(({ hash }) => hash === snapshot.hash);
}
