import type { FoundPlace } from "../packages/discovery.js";
import type { Fingerprint } from "./fingerprint.js";

/** While something is copied, looking takes at most this part of the time, however many files there are. */
const restAfterLook = 5;

/**
 * How far the content of a place has come, as looks have shown: whether it may be complete, and when to look again.
 * Times are those of `performance.now()`, in milliseconds.
 */
export class ContentProgress {
  kind: FoundPlace["kind"] = "lost";
  /** What was seen last; undefined as long as nobody knows what lies there. */
  private latest: Fingerprint | undefined;
  /** When the last look began that has seen it. */
  private seenAt = 0;
  /** How long that look took. */
  private lookTook = 0;
  private settling: Settling;
  /** What came of the last content that was decided about. */
  private decided: { fingerprint: string; count: number } | undefined;
  /** The fingerprint of which it is known whether it has a list of files. */
  private asked: string | undefined;
  /** The fingerprint that lacks files of its list. */
  private incomplete: string | undefined;
  /** It changed while it was staged: a list of files is no reason to be quick any more. */
  restless = false;

  constructor(private readonly settlingTime: number) {
    this.settling = new Settling(settlingTime);
  }

  get seen(): Fingerprint | undefined {
    return this.latest;
  }

  /** Notes what a look has seen that began at this time; `anew`: it is the first of a content that follows another one. */
  see(fingerprint: Fingerprint, began: number, anew: boolean): void {
    const now = performance.now();
    if (anew) this.settleAnew(fingerprint.count, now);
    this.latest = fingerprint;
    this.seenAt = began;
    this.lookTook = now - began;
    this.settling.see(fingerprint.value, now);
  }

  /** What was seen last has been so for long. */
  countAsSettled(): void {
    this.settling.skip(this.seenAt);
  }

  /** Nobody knows any more what lies there. */
  forget(): void {
    this.latest = undefined;
  }

  /** What was seen is decided about. */
  decide({ value, count }: Fingerprint): void {
    this.decided = { fingerprint: value, count };
  }

  /** What was decided counts no more. */
  undecide(): void {
    this.decided = undefined;
  }

  /** Its list of files is being asked for. */
  ask({ value }: Fingerprint): void {
    this.asked = value;
  }

  /** Its list of files names what is not there. */
  lack({ value }: Fingerprint): void {
    this.incomplete = value;
  }

  /** A list may name files that do not count for fingerprints: it has to be asked from time to time. */
  askAgain(): void {
    this.asked = undefined;
    this.incomplete = undefined;
  }

  /** There is a content that nobody has decided about. */
  isOpen(): boolean {
    return this.latest !== undefined && this.isNews(this.latest);
  }

  /** It is not the content that was decided about. */
  isNews({ value }: Fingerprint): boolean {
    return value !== this.decided?.fingerprint;
  }

  /** It has been quiet for long enough. */
  isSettled(): boolean {
    return this.settling.remaining(this.seenAt) === 0;
  }

  /** It may be complete: it is settled, or its list of files can tell. */
  isDue(): boolean {
    if (!this.isOpen() || this.isIncomplete()) return false;
    const mayBeListed = this.kind === "folder" && !this.restless && this.asked !== this.latest?.value;
    return mayBeListed || this.isSettled();
  }

  /** Milliseconds until a look may come to something new without anything having changed. */
  nextLook(): number {
    if (!this.isOpen()) return Number.POSITIVE_INFINITY;
    const remaining = this.settling.remaining(performance.now());
    if (remaining === 0 && this.isIncomplete()) return Number.POSITIVE_INFINITY;
    // Seen rarely, steady copying would look as if it made pauses.
    return Math.min(remaining, Math.max(this.settlingTime / 2, restAfterLook * this.lookTook));
  }

  /** A copying that only made a longer pause goes on; an edit does not come with more files. */
  private settleAnew(count: number, now: number): void {
    this.restless = false;
    const goesOn = this.settling.mayGoOn(now) && count > (this.decided?.count ?? count);
    if (!goesOn) this.settling = new Settling(this.settlingTime);
  }

  private isIncomplete(): boolean {
    return this.incomplete !== undefined && this.incomplete === this.latest?.value;
  }
}

/** However slowly somebody copies, nobody waits longer than this for nothing, in milliseconds. */
const longestQuiet = 10_000;

/**
 * Tells when a place without a list of its files counts as complete: when it has been quiet for the settling time, and
 * for twice the longest pause that its copying has made so far. All times in milliseconds, of one clock.
 */
export class Settling {
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
  skip(now: number): void {
    this.changedAt = now - this.settlingTime;
  }

  /** How long it still has to be quiet; 0 when it is settled. */
  remaining(now: number): number {
    const quiet = Math.max(this.settlingTime, Math.min(2 * this.longestPause, longestQuiet));
    return Math.max(0, this.changedAt + quiet - now);
  }

  /** Whether what follows now is still the same copying, which only made a longer pause. */
  mayGoOn(now: number): boolean {
    return now - this.changedAt <= longestQuiet;
  }
}
