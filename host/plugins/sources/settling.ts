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
