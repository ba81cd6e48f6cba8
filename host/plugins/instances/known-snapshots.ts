import { steadyTime } from "../../system/monotonic-time.js";
import type { Snapshot, SnapshotReference } from "../snapshots/snapshot.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";

/** A snapshot may be in the store for a moment before anybody knows of it. */
const grace = 60_000;

/** The snapshots that may run, by hash: those of the places, and those that are remembered. */
export class KnownSnapshots {
  private readonly known = new Map<string, Snapshot>();
  private readonly since = new Map<string, number>();

  constructor(private readonly store: SnapshotStore) {}

  find(hash: string): Snapshot | undefined {
    return this.known.get(hash);
  }

  /** One that a place shows. */
  add(snapshot: Snapshot): void {
    this.known.set(snapshot.hash, snapshot);
  }

  /** One that was made, and that a place may show in a moment. */
  expect({ hash }: Snapshot): void {
    this.since.set(hash, steadyTime());
  }

  /** Takes from the store what is remembered, as far as it is there and may run; `refuse` says why one may not. */
  async load(
    references: readonly SnapshotReference[],
    refuse: (snapshot: Snapshot) => string | undefined,
  ): Promise<void> {
    for (const reference of references) {
      if (this.known.has(reference.hash)) continue;
      const snapshot = await this.store.find(reference);
      if (snapshot !== undefined && refuse(snapshot) === undefined) this.known.set(snapshot.hash, snapshot);
    }
  }

  /** Removes from the store what is not needed. */
  async prune(needed: ReadonlySet<string>): Promise<SnapshotReference[]> {
    const now = steadyTime();
    const isNeeded = (hash: string): boolean =>
      needed.has(hash) || now - (this.since.get(hash) ?? Number.NEGATIVE_INFINITY) < grace;
    const removed = await this.store.prune(({ hash }) => isNeeded(hash));
    for (const { hash } of removed) {
      this.known.delete(hash);
      this.since.delete(hash);
    }
    return removed;
  }
}
