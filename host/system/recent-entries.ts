/** Entries that are numbered from 1, the latest in memory, for lists and for those who follow. */
export class RecentEntries<Entry extends { id: number }> {
  /** Oldest first. */
  private readonly entries: Entry[] = [];
  private readonly listeners = new Set<(entry: Entry) => void>();

  constructor(private readonly capacity: number) {}

  /** Its id has to be higher than those before. */
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
    // Searched from the end, where those who follow are.
    const start = this.entries.findLastIndex(({ id }) => id <= after) + 1;
    for (let at = start; at < this.entries.length && found.length < limit; at++) {
      const entry = this.entries[at];
      if (entry !== undefined && isWanted(entry)) found.push(entry);
    }
    return found;
  }

  /** Calls for each entry from now on; the result ends that. It must not throw. */
  follow(listener: (entry: Entry) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
