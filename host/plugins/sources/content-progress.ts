import type { Fingerprint, FoundSource } from "./source-files.js";

/** While a source is copied, the pause after a scan is this multiple of its duration: there may be many files. */
const restAfterScan = 5;

/**
 * Tracks the content of a source over scans: whether it may be complete, and when to scan again. Times are those of
 * `performance.now()`, in milliseconds.
 */
export class ContentProgress {
  kind: FoundSource["kind"] = "lost";
  /** The last fingerprint; undefined while the content is unknown. */
  private latest: Fingerprint | undefined;
  /** Start of the last scan. */
  private seenAt = 0;
  private scanDuration = 0;
  private stability: WriteStability;
  /** The last content with a decision. */
  private decided: { fingerprint: string; count: number } | undefined;
  /** The fingerprint whose file list was checked. */
  private requested: string | undefined;
  /** The fingerprint that lacks files of its list. */
  private incomplete: string | undefined;
  /** It changed while it was staged, so its file list no longer proves that it is complete. */
  changedWhileStaging = false;

  /** `copied`: contents may arrive by slow copies; otherwise each change is a separate save. */
  constructor(
    private readonly settlingTime: number,
    private readonly copied: boolean,
  ) {
    this.stability = new WriteStability(settlingTime);
  }

  get seen(): Fingerprint | undefined {
    return this.latest;
  }

  /** Records the result of a scan that began at `began`; `anew`: it is the first scan of a new content. */
  see(fingerprint: Fingerprint, began: number, anew: boolean): void {
    const now = performance.now();
    if (anew) this.resetStability(fingerprint.count, now);
    this.latest = fingerprint;
    this.seenAt = began;
    this.scanDuration = now - began;
    this.stability.see(fingerprint.value, now);
  }

  /** Marks the last content as stable. */
  markStable(): void {
    this.stability.markStable(this.seenAt);
  }

  /** Marks the content as unknown. */
  forget(): void {
    this.latest = undefined;
  }

  /** Records a decision about a content. */
  decide({ value, count }: Fingerprint): void {
    this.decided = { fingerprint: value, count };
  }

  clearDecision(): void {
    this.decided = undefined;
  }

  /** Records that the file list is being checked. */
  ask({ value }: Fingerprint): void {
    this.requested = value;
  }

  /** Records that files of the list are missing. */
  lack({ value }: Fingerprint): void {
    this.incomplete = value;
  }

  /** A list may name files that fingerprints ignore, so it is checked again from time to time. */
  askAgain(): void {
    this.requested = undefined;
    this.incomplete = undefined;
  }

  /** Whether there is a content without a decision. */
  isOpen(): boolean {
    return this.latest !== undefined && this.isNews(this.latest);
  }

  /** Whether it differs from the content with a decision. */
  isNews({ value }: Fingerprint): boolean {
    return value !== this.decided?.fingerprint;
  }

  /** Whether the content has not changed for the required time. */
  isStable(): boolean {
    return this.stability.remaining(this.seenAt) === 0;
  }

  /** Whether the content may be complete: it is stable, or has an unchecked file list. */
  isDue(): boolean {
    if (!this.isOpen() || this.isIncomplete()) return false;
    const mayBeListed =
      this.kind === "folder" && !this.changedWhileStaging && this.requested !== this.latest?.value;
    return mayBeListed || this.isStable();
  }

  /** Milliseconds until a scan is useful without an event. */
  nextScan(): number {
    if (!this.isOpen()) return Number.POSITIVE_INFINITY;
    const remaining = this.stability.remaining(performance.now());
    if (remaining === 0 && this.isIncomplete()) return Number.POSITIVE_INFINITY;
    // Rare scans would make steady copying look like pauses.
    return Math.min(remaining, Math.max(this.settlingTime / 2, restAfterScan * this.scanDuration));
  }

  /** More files after a long pause belong to the same copy operation; an edit rarely adds files. */
  private resetStability(count: number, now: number): void {
    this.changedWhileStaging = false;
    const continues =
      this.copied && this.stability.mayContinue(now) && count > (this.decided?.count ?? count);
    if (!continues) this.stability = new WriteStability(this.settlingTime);
  }

  private isIncomplete(): boolean {
    return this.incomplete !== undefined && this.incomplete === this.latest?.value;
  }
}

/** Maximum quiet time in milliseconds, however slow the copy. */
const longestQuietTime = 10_000;

/**
 * Decides when a source without a file list counts as complete: when it has not changed for the settling time and for
 * twice the longest pause of its copy so far. All times in milliseconds, of one clock.
 */
export class WriteStability {
  private fingerprint: string | undefined;
  private changedAt = 0;
  private longestPause = 0;

  constructor(private readonly settlingTime: number) {}

  /** Records a fingerprint. */
  see(fingerprint: string, now: number): void {
    if (fingerprint === this.fingerprint) return;
    if (this.fingerprint !== undefined) this.longestPause = Math.max(this.longestPause, now - this.changedAt);
    this.fingerprint = fingerprint;
    this.changedAt = now;
  }

  /** Treats the content at this time as settled. */
  markStable(now: number): void {
    this.changedAt = now - this.settlingTime;
  }

  /** Milliseconds that it still has to stay unchanged; 0 when it is stable. */
  remaining(now: number): number {
    const quiet = Math.max(this.settlingTime, Math.min(2 * this.longestPause, longestQuietTime));
    return Math.max(0, this.changedAt + quiet - now);
  }

  /** Whether a change now belongs to the same copy operation after a longer pause. */
  mayContinue(now: number): boolean {
    return now - this.changedAt <= longestQuietTime;
  }
}
