import type { Artifact } from "@slipway/sdk/runtime/host";
import { toMonotonic } from "../system/time.js";

interface IndexedArtifact {
  artifact: Artifact;
  /** By the monotonic clock. */
  created: number;
  expiresAt: number;
  /** Number of open read streams. */
  readers: number;
}

/** The artifacts in memory; a change of the system clock does not affect their age. */
export class ArtifactIndex {
  /** Oldest first. */
  private readonly index = new Map<string, IndexedArtifact>();

  /** `now`: milliseconds by which lifetimes are measured. */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.index.size;
  }

  /** Artifacts are added oldest first; `created` is by the monotonic clock. */
  add(artifact: Artifact, created = toMonotonic(artifact.created)): void {
    const expiresAt = created + artifact.expiresAt - artifact.created;
    this.index.set(artifact.id, { artifact, created: Math.min(created, this.now()), expiresAt, readers: 0 });
  }

  /** Adds an artifact that was created now. */
  addNew(artifact: Artifact): void {
    this.add(artifact, this.now());
  }

  /** Undefined for an expired artifact. */
  find(id: string): Artifact | undefined {
    const kept = this.index.get(id);
    return kept !== undefined && kept.expiresAt > this.now() ? kept.artifact : undefined;
  }

  /** Removes an artifact and returns it. */
  take(id: string): Artifact | undefined {
    const artifact = this.index.get(id)?.artifact;
    this.index.delete(id);
    return artifact;
  }

  /** Marks it as being read; returns the function that ends this. */
  reading(id: string): () => void {
    const kept = this.index.get(id);
    if (kept === undefined) return () => undefined;
    kept.readers += 1;
    return () => {
      kept.readers -= 1;
    };
  }

  expired(): Artifact[] {
    const moment = this.now();
    return [...this.index.values()].flatMap(({ artifact, expiresAt }) =>
      expiresAt <= moment ? [artifact] : [],
    );
  }

  /** The oldest artifact that has no readers and is older than the given milliseconds. */
  oldest(minimumLifetime: number): Artifact | undefined {
    const youngest = this.now() - minimumLifetime;
    for (const { artifact, created, readers } of this.index.values()) {
      if (created > youngest) return undefined;
      if (readers === 0) return artifact;
    }
    return undefined;
  }
}
