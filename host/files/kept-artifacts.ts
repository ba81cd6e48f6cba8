import type { Artifact } from "@slipway/sdk/runtime/host";
import { monotonicTime, toMonotonic } from "../system/time.js";

interface KeptArtifact {
  artifact: Artifact;
  /** By `monotonicTime`. */
  created: number;
  expiresAt: number;
  /** Number of open read streams. */
  readers: number;
}

/** The artifacts in memory; a clock change does not affect their age. */
export class KeptArtifacts {
  /** Oldest first. */
  private readonly kept = new Map<string, KeptArtifact>();

  get size(): number {
    return this.kept.size;
  }

  /** Artifacts are added oldest first. */
  add(artifact: Artifact): void {
    const created = Math.min(toMonotonic(artifact.created), monotonicTime());
    this.kept.set(artifact.id, { artifact, created, expiresAt: toMonotonic(artifact.expiresAt), readers: 0 });
  }

  /** Undefined for an expired artifact. */
  find(id: string): Artifact | undefined {
    const kept = this.kept.get(id);
    return kept !== undefined && kept.expiresAt > monotonicTime() ? kept.artifact : undefined;
  }

  /** Removes an artifact and returns it. */
  take(id: string): Artifact | undefined {
    const artifact = this.kept.get(id)?.artifact;
    this.kept.delete(id);
    return artifact;
  }

  /** Marks it as being read; returns the function that ends this. */
  reading(id: string): () => void {
    const kept = this.kept.get(id);
    if (kept === undefined) return () => undefined;
    kept.readers += 1;
    return () => {
      kept.readers -= 1;
    };
  }

  /** The artifacts that have expired at a time of the system clock. */
  expired(now: number): Artifact[] {
    const moment = toMonotonic(now);
    return [...this.kept.values()].flatMap(({ artifact, expiresAt }) =>
      expiresAt <= moment ? [artifact] : [],
    );
  }

  /** The oldest artifact that has no readers and is older than the given milliseconds. */
  oldest(minimumLifetime: number): Artifact | undefined {
    const youngest = monotonicTime() - minimumLifetime;
    for (const { artifact, created, readers } of this.kept.values()) {
      if (created > youngest) return undefined;
      if (readers === 0) return artifact;
    }
    return undefined;
  }
}
