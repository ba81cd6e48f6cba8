/** What one plugin has to offer, and which of it each release takes. */
import semver from "semver";
import type { Stage } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { type Candidate, type Contribution, distinct } from "./candidate.js";
import type { LineContents } from "./line-contents.js";
import type { RememberedStanding } from "./remembered-standing.js";
import { type Choice, choose, isFit, takes } from "./selection.js";
import type { Pin } from "./standing.js";

export class LineChoice {
  private releases: readonly Release[] = [];
  /** Contents that did not come up, with why. */
  private readonly failures = new Map<string, { version: string; reason: string }>();

  constructor(
    private readonly contents: LineContents,
    private readonly standing: RememberedStanding,
    /** A stored content by its hash. */
    private readonly stored: (hash: string) => Snapshot | undefined,
    /** What runs. */
    private readonly running: () => Candidate[],
  ) {}

  useReleases(releases: readonly Release[]): void {
    this.releases = releases;
  }

  /** A release by its name; undefined when it is gone. */
  release(name: string): Release | undefined {
    return this.releases.find((each) => each.name === name);
  }

  get all(): readonly Release[] {
    return this.releases;
  }

  contributions(): Contribution[] {
    return this.contents.contributions(this.running());
  }

  /** By release. A content with the hash `without` is not chosen. */
  chosen(without?: string): Map<string, Candidate> {
    const choice = this.choice(without);
    return new Map(
      this.releases.flatMap((release) => {
        const candidate = choose(release, choice);
        return candidate === undefined ? [] : [[release.name, candidate] as const];
      }),
    );
  }

  /** What fits into a release: what lies in the places first, then what is kept, the one that served last first. */
  fitting(release: Release): Candidate[] {
    const kept = this.standing.current.kept.map(({ hash }) => this.known(hash));
    return [...this.present(), ...kept.filter((each) => each !== undefined)].filter(({ snapshot }) =>
      takes(release, snapshot),
    );
  }

  /** What a release could take instead of a content, the best first: what it would choose, then what fits. */
  substitutes(name: string, without: string): Candidate[] {
    const release = this.release(name);
    if (release === undefined) return [];
    const chosen = this.chosen(without).get(name);
    const choice = this.choice(without);
    const others = this.fitting(release).filter((each) => isFit(each, choice));
    return distinct(chosen === undefined ? others : [chosen, ...others]);
  }

  /**
   * A rollback once a release takes something else than it asked for, which came later: it ends, but not as long as that
   * would bring back what was not wanted.
   */
  outlived(pin: Pin, name: string, { snapshot: { version, hash } }: Candidate): Pin | undefined {
    const release = this.release(name);
    const over = this.present()
      .filter(({ snapshot }) => release !== undefined && takes(release, snapshot))
      .filter(({ snapshot }) => pin.over.includes(snapshot.hash) && semver.gt(snapshot.version, version))
      .map(({ snapshot }) => snapshot.hash);
    return over.length === 0 ? undefined : { ...pin, version, hash, over };
  }

  noteFailure(candidate: Candidate, reason: string): void {
    const { hash, version } = candidate.snapshot;
    this.failures.set(hash, { version, reason });
  }

  /** It came up. */
  forgive({ snapshot }: Candidate): void {
    this.failures.delete(snapshot.hash);
  }

  /** Gives contents that did not come up another chance: all of them, or those of a version. */
  forgiveAll(version: string | undefined): void {
    for (const [hash, failure] of this.failures)
      if (version === undefined || failure.version === version) this.failures.delete(hash);
  }

  /** What was taken away is not held against what comes back. */
  forgetGone(): void {
    const { kept, pins } = this.standing.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...Object.values(pins)];
    const hashes = new Set(there.map(({ hash }) => hash));
    for (const hash of this.failures.keys()) if (!hashes.has(hash)) this.failures.delete(hash);
  }

  /** Whether anything is known of a version. */
  knows(version: string): boolean {
    const { kept, quarantined } = this.standing.current;
    const there = [...this.present().map(({ snapshot }) => snapshot), ...kept, ...quarantined];
    return there.some((each) => each.version === version);
  }

  /** What a candidate that does not run is, and why. */
  idleStage({ snapshot }: Candidate): { stage: Stage; reason: string | undefined } {
    const { disabled, quarantined, pins } = this.standing.current;
    const bad = quarantined.find(({ hash }) => hash === snapshot.hash);
    if (bad !== undefined) return { stage: "quarantined", reason: bad.reason };
    const failure = this.failures.get(snapshot.hash);
    if (failure !== undefined) return { stage: "failed", reason: failure.reason };
    if (disabled !== undefined) return { stage: "disabled", reason: "An admin has disabled the plugin." };
    const back = Object.entries(pins).find(([, { over }]) => over.includes(snapshot.hash));
    if (back === undefined) return { stage: "standby", reason: "No release asks for this version." };
    return { stage: "standby", reason: `Release ${back[0]} was rolled back to ${back[1].version}.` };
  }

  private present(): Candidate[] {
    return this.contributions()
      .flatMap(({ current, fallback }) => [current, fallback])
      .filter((each) => each !== undefined);
  }

  /** A content that runs, lies in a place, or is in the store. */
  private known(hash: string): Candidate | undefined {
    const near = [...this.running(), ...this.present()].find(({ snapshot }) => snapshot.hash === hash);
    if (near !== undefined) return near;
    const stored = this.stored(hash);
    const [place] = this.contributions();
    return stored && place && this.contents.restored(stored, place.place);
  }

  /** What there is to choose from, as if a content with the hash `without` had failed. */
  private choice(without: string | undefined): Choice {
    return {
      contributions: this.contributions(),
      standing: this.standing.current,
      failed: (hash) => hash === without || this.failures.has(hash),
      pinned: ({ hash }) => this.known(hash),
    };
  }
}
