/** Limits the memory of all files of one request. */
export class MemoryBudget {
  constructor(private free: number) {}

  /** Whether there was room for so many bytes; they are then taken. */
  take(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.free -= bytes;
    return true;
  }

  /** Takes half of the free bytes, at most `bytes`; returns their number. */
  takeShare(bytes: number): number {
    const share = Math.min(bytes, Math.floor(this.free / 2));
    this.free -= share;
    return share;
  }

  /** Returns bytes that were taken. */
  give(bytes: number): void {
    this.free += bytes;
  }
}
