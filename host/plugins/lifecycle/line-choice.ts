/** What one plugin has to offer, and which of it each release takes. */
import type { Stage } from "../plugin-state.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { Candidate, Contribution } from "./candidate.js";
import type { LineContents } from "./line-contents.js";
import type { RememberedStanding } from "./remembered-standing.js";
import { choose, takes } from "./selection.js";

export class LineChoice {
  private releases: readonly Release[] = [];
  /** Contents that did not come up, with why. */
  private readonly failures = new Map<string, string>();

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
    const choice = {
      contributions: this.contributions(),
      standing: this.standing.current,
      failed: (hash: string) => hash === without || this.failures.has(hash),
      pinned: ({ hash }: { hash: string }) => this.known(hash),
    };
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

  /**
   * What each of these releases would take without a content; undefined when one of them had nothing left. Of kept
   * versions the one that served last.
   */
  substitutes(releases: readonly string[], without: string): Map<string, Candidate> | undefined {
    const chosen = this.chosen(without);
    const found = new Map<string, Candidate>();
    for (const name of releases) {
      const release = this.release(name);
      const candidate =
        chosen.get(name) ??
        (release && this.fitting(release).find((each) => each.snapshot.hash !== without && this.isFit(each)));
      if (candidate === undefined) return undefined;
      found.set(name, candidate);
    }
    return found;
  }

  noteFailure(candidate: Candidate, reason: string): void {
    this.failures.set(candidate.snapshot.hash, reason);
  }

  /** It came up. */
  forgive({ snapshot }: Candidate): void {
    this.failures.delete(snapshot.hash);
  }

  /** Gives all contents that did not come up another chance. */
  forgiveAll(): void {
    this.failures.clear();
  }

  /** What a candidate that does not run is, and why. */
  idleStage({ snapshot }: Candidate): { stage: Stage; reason: string | undefined } {
    const { disabled, quarantined, pins } = this.standing.current;
    const bad = quarantined.find(({ hash }) => hash === snapshot.hash);
    if (bad !== undefined) return { stage: "quarantined", reason: bad.reason };
    const failure = this.failures.get(snapshot.hash);
    if (failure !== undefined) return { stage: "failed", reason: failure };
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

  private isFit({ snapshot }: Candidate): boolean {
    const { quarantined } = this.standing.current;
    return !this.failures.has(snapshot.hash) && !quarantined.some(({ hash }) => hash === snapshot.hash);
  }
}
