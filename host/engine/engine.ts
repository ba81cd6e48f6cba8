import type { ArtifactStore } from "../files/artifact-store.js";
import type { PartHealth } from "../observability/health.js";
import type { MemberFacts } from "../observability/host-status.js";
import type { SessionStore } from "../sessions/session-store.js";
import type { Members } from "./members.js";

/** Keeps the state that several hosts can share. */
export interface Engine {
  readonly sessions: SessionStore;
  readonly artifacts: ArtifactStore;
  /** Undefined for an engine of one host. */
  readonly members: Members | undefined;
  /**
   * Resolves when the stores can be used; rejects with a message for users. `describe`: what this host tells the others of
   * itself, asked regularly from then on. Ends early when the signal aborts.
   */
  open(describe: () => Promise<MemberFacts>, signal?: AbortSignal): Promise<void>;
  /** Undefined for an engine on the disk of this host, whose health is that of `var`. */
  health(): PartHealth | undefined;
  /** Resolves when everything that was begun is stored. */
  close(): Promise<void>;
}
