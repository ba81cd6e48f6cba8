import type { Artifact } from "@slipway/sdk/runtime/host";
import { monotonicTime, toMonotonic } from "../system/monotonic-time.js";

interface KeptArtifact {
  artifact: Artifact;
  /** By `monotonicTime`. */
  created: number;
  expiresAt: number;
  /** Streams that read it. */
  readers: number;
}

/** The artifacts that are there, in memory; a clock that jumps makes none of them older. */
export class KeptArtifacts {
  /** Oldest first. */
  private readonly kept = new Map<string, KeptArtifact>();

  get size(): number {
    return this.kept.size;
  }

  /** Older ones come before younger ones. */
  add(artifact: Artifact): void {
    const created = Math.min(toMonotonic(artifact.created), monotonicTime());
    this.kept.set(artifact.id, { artifact, created, expiresAt: toMonotonic(artifact.expiresAt), readers: 0 });
  }

  /** Undefined for what expired. */
  find(id: string): Artifact | undefined {
    const kept = this.kept.get(id);
    return kept !== undefined && kept.expiresAt > monotonicTime() ? kept.artifact : undefined;
  }

  /** Gives what was taken out. */
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

  /** Those that are expired at a time of the machine's clock. */
  expired(now: number): Artifact[] {
    const moment = toMonotonic(now);
    return [...this.kept.values()].flatMap(({ artifact, expiresAt }) =>
      expiresAt <= moment ? [artifact] : [],
    );
  }

  /** The oldest one that is not being read and is older than so many milliseconds. */
  oldest(minimumLifetime: number): Artifact | undefined {
    const youngest = monotonicTime() - minimumLifetime;
    for (const { artifact, created, readers } of this.kept.values()) {
      if (created > youngest) return undefined;
      if (readers === 0) return artifact;
    }
    return undefined;
  }
}
