import type { ArtifactStore } from "../files/artifact-store.js";
import type { IdempotencyStore } from "../idempotency/idempotency-store.js";
import type { JobStore } from "../jobs/job-store.js";
import type { PartHealth } from "../observability/health.js";
import type { SessionStore } from "../sessions/session-store.js";

/** Keeps the state that several hosts can share. */
export interface Engine {
  readonly sessions: SessionStore;
  readonly artifacts: ArtifactStore;
  readonly jobs: JobStore;
  readonly idempotency: IdempotencyStore;
  /** Resolves when the stores can be used; rejects with a message for users. Ends early when the signal aborts. */
  open(signal?: AbortSignal): Promise<void>;
  /** Undefined for an engine on the disk of this host, whose health is that of `var`. */
  health(): PartHealth | undefined;
  /** Resolves when everything that was begun is stored. */
  close(): Promise<void>;
}
