import type { FoundSource } from "../packages/discovery.js";
import type { Fingerprint } from "./fingerprint.js";

/** While a source is copied, the pause after a scan is so many times its duration: there may be many files. */
const restAfterScan = 5;

/**
 * Progress of the content of a source as scans have shown: whether it may be complete, and when to scan again.
 * Times are those of `performance.now()`, in milliseconds.
 */
export class ContentProgress {
  kind: FoundSource["kind"] = "lost";
  /** What was seen last; undefined while the content is unknown. */
  private latest: Fingerprint | undefined;
  /** When the last scan began that has seen it. */
  private seenAt = 0;
  /** How long that scan took. */
  private scanDuration = 0;
  private stability: WriteStability;
  /** The last content that was decided about. */
  private decided: { fingerprint: string; count: number } | undefined;
  /** The fingerprint of which it is known whether it has a list of files. */
  private requested: string | undefined;
  /** The fingerprint that lacks files of its list. */
  private incomplete: string | undefined;
  /** It changed while it was staged: its list of files no longer proves that it is complete. */
  changedWhileStaging = false;

  constructor(private readonly settlingTime: number) {
    this.stability = new WriteStability(settlingTime);
  }

  get seen(): Fingerprint | undefined {
    return this.latest;
  }

  /** Records the result of a scan that began at this time; `anew`: it is the first of a content that follows another one. */
  see(fingerprint: Fingerprint, began: number, anew: boolean): void {
    const now = performance.now();
    if (anew) this.resetStability(fingerprint.count, now);
    this.latest = fingerprint;
    this.seenAt = began;
    this.scanDuration = now - began;
    this.stability.see(fingerprint.value, now);
  }

  /** What was seen last has been so for long. */
  markStable(): void {
    this.stability.markStable(this.seenAt);
  }

  /** The content is unknown. */
  forget(): void {
    this.latest = undefined;
  }

  /** What was seen is decided about. */
  decide({ value, count }: Fingerprint): void {
    this.decided = { fingerprint: value, count };
  }

  /** What was decided counts no more. */
  clearDecision(): void {
    this.decided = undefined;
  }

  /** Its list of files is being requested for. */
  ask({ value }: Fingerprint): void {
    this.requested = value;
  }

  /** Its list of files names what is not there. */
  lack({ value }: Fingerprint): void {
    this.incomplete = value;
  }

  /** A list may name files that do not count for fingerprints: it has to be requested from time to time. */
  askAgain(): void {
    this.requested = undefined;
    this.incomplete = undefined;
  }

  /** There is a content without a decision. */
  isOpen(): boolean {
    return this.latest !== undefined && this.isNews(this.latest);
  }

  /** It is not the content that was decided about. */
  isNews({ value }: Fingerprint): boolean {
    return value !== this.decided?.fingerprint;
  }

  /** It has been quiet for long enough. */
  isStable(): boolean {
    return this.stability.remaining(this.seenAt) === 0;
  }

  /** It may be complete: it is settled, or its list of files can tell. */
  isDue(): boolean {
    if (!this.isOpen() || this.isIncomplete()) return false;
    const mayBeListed =
      this.kind === "folder" && !this.changedWhileStaging && this.requested !== this.latest?.value;
    return mayBeListed || this.isStable();
  }

  /** Milliseconds until a scan is useful although no event came. */
  nextScan(): number {
    if (!this.isOpen()) return Number.POSITIVE_INFINITY;
    const remaining = this.stability.remaining(performance.now());
    if (remaining === 0 && this.isIncomplete()) return Number.POSITIVE_INFINITY;
    // Rare scans would make steady copying look as if it paused.
    return Math.min(remaining, Math.max(this.settlingTime / 2, restAfterScan * this.scanDuration));
  }

  /** A copying that only made a longer pause goes on; an edit does not come with more files. */
  private resetStability(count: number, now: number): void {
    this.changedWhileStaging = false;
    const goesOn = this.stability.mayContinue(now) && count > (this.decided?.count ?? count);
    if (!goesOn) this.stability = new WriteStability(this.settlingTime);
  }

  private isIncomplete(): boolean {
    return this.incomplete !== undefined && this.incomplete === this.latest?.value;
  }
}

/** Upper limit of the quiet time, however slowly a source is copied, in milliseconds. */
const longestQuietTime = 10_000;

/**
 * Tells when a source without a list of its files counts as complete: when it has been quiet for the settling time, and
 * for twice the longest pause that its copying has made so far. All times in milliseconds, of one clock.
 */
export class WriteStability {
  private fingerprint: string | undefined;
  private changedAt = 0;
  private longestPause = 0;

  constructor(private readonly settlingTime: number) {}

  /** Notes what was seen. */
  see(fingerprint: string, now: number): void {
    if (fingerprint === this.fingerprint) return;
    if (this.fingerprint !== undefined) this.longestPause = Math.max(this.longestPause, now - this.changedAt);
    this.fingerprint = fingerprint;
    this.changedAt = now;
  }

  /** What was seen at this time had been so for long enough. */
  markStable(now: number): void {
    this.changedAt = now - this.settlingTime;
  }

  /** How long it still has to be quiet; 0 when it is settled. */
  remaining(now: number): number {
    const quiet = Math.max(this.settlingTime, Math.min(2 * this.longestPause, longestQuietTime));
    return Math.max(0, this.changedAt + quiet - now);
  }

  /** Whether what follows now is still the same copying, which only made a longer pause. */
  mayContinue(now: number): boolean {
    return now - this.changedAt <= longestQuietTime;
  }
}
