/** Keeps so much of what was used last. What was put there last stays, however much it is. */
export class RecentlyUsed<T> {
  /** In order of their last use. */
  private readonly entries = new Map<string, { value: T; size: number }>();
  private size = 0;

  constructor(
    private readonly most: number,
    /** Told of what goes because there is more than `most`. */
    private readonly dropped: (key: string) => void = () => undefined,
  ) {}

  get(key: string): T | undefined {
    const found = this.entries.get(key);
    if (found === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, found);
    return found.value;
  }

  /** `size` is in the unit of `most`. */
  set(key: string, value: T, size: number): void {
    this.remove(key);
    this.entries.set(key, { value, size });
    this.size += size;
    for (const other of this.entries.keys()) {
      if (this.size <= this.most || this.entries.size === 1) return;
      this.remove(other);
      this.dropped(other);
    }
  }

  private remove(key: string): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }
}
