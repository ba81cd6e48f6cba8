/** The latest of entries numbered from 1, for lists and followers. */
export class RecentEntries<Entry extends { id: number }> {
  /** Oldest first. */
  private readonly entries: Entry[] = [];
  private readonly listeners = new Set<(entry: Entry) => void>();

  constructor(private readonly capacity: number) {}

  /** Its id must be higher than all before. */
  add(entry: Entry): void {
    this.entries.push(entry);
    if (this.entries.length > this.capacity) this.entries.shift();
    for (const listener of this.listeners) listener(entry);
  }

  /** The first `limit` after an id, or without one the last ones, all that fit `isWanted`; oldest first. */
  list(query: {
    after?: number | undefined;
    limit: number;
    isWanted?: ((entry: Entry) => boolean) | undefined;
  }): Entry[] {
    const { after, limit, isWanted = () => true } = query;
    if (after === undefined) return this.entries.filter(isWanted).slice(-limit);
    const found: Entry[] = [];
    // Searched from the end, where followers are.
    const start = this.entries.findLastIndex(({ id }) => id <= after) + 1;
    for (let at = start; at < this.entries.length && found.length < limit; at++) {
      const entry = this.entries[at];
      if (entry !== undefined && isWanted(entry)) found.push(entry);
    }
    return found;
  }

  /** Calls the listener, which must not throw, for each later entry; returns a function that ends this. */
  follow(listener: (entry: Entry) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
