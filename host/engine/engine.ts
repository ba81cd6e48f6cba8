import type { ArtifactStore } from "../files/files.js";
import type { IdempotencyStore } from "../idempotency/idempotency-store.js";
import type { JobStore, WebhookSecrets } from "../jobs/jobs.js";
import type { EntryJournal } from "../observability/entry-journal.js";
import type { PluginEvent } from "../observability/events/plugin-event.js";
import type { PartHealth } from "../observability/health.js";
import type { OutcomeStore, PluginShelf, SwitchStore } from "../plugins/fleet/fleet.js";
import type { AuditJournal } from "../security/audit/audit-journal.js";
import type { KeySource } from "../security/key-source.js";
import type { SharedUses } from "../security/rate-limit.js";
import type { SessionStore } from "../sessions/sessions.js";
import type { MemberDescription, Members } from "./members.js";

/** The steps of a host while its engine opens. */
export interface EngineOpening {
  /** Required steps of the start, in order. A step is repeated during an outage for as long as a start may wait. */
  first?: readonly (() => Promise<void>)[];
  /** Ends the wait for the engine. */
  signal?: AbortSignal;
}

/** Keeps the state that several hosts can share. */
export interface Engine {
  readonly sessions: SessionStore;
  readonly artifacts: ArtifactStore;
  readonly jobs: JobStore;
  readonly webhookSecrets: WebhookSecrets;
  readonly idempotency: IdempotencyStore;
  readonly events: EntryJournal<PluginEvent>;
  readonly audit: AuditJournal;
  readonly keys: KeySource;
  /** Undefined for an engine of one host. */
  readonly uses: SharedUses | undefined;
  /** Undefined for an engine of one host. */
  readonly members: Members | undefined;
  /** Where hosts agree on their plugins; undefined for an engine of one host. */
  readonly switches: SwitchStore | undefined;
  /** Outcomes of serving versions on all hosts; undefined for an engine of one host. */
  readonly outcomes: OutcomeStore | undefined;
  /** The archives of those plugins; undefined for an engine of one host. */
  readonly shelf: PluginShelf | undefined;
  /**
   * Resolves when the stores can be used; rejects with a message for users. `host`: how this host describes itself to others.
   */
  open(host: MemberDescription, opening?: EngineOpening): Promise<void>;
  /** Undefined for an engine on the disk of this host, whose health is that of `var`. */
  health(): PartHealth | undefined;
  /** Resolves when all pending changes are stored; the journals must be closed before. */
  close(): Promise<void>;
}
