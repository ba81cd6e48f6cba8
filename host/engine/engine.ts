import type { ArtifactStore } from "../files/files.js";
import type { IdempotencyStore } from "../idempotency/idempotency-store.js";
import type { JobStore } from "../jobs/job-store.js";
import type { WebhookSecrets } from "../jobs/webhook-secrets.js";
import type { EntryJournal } from "../observability/entry-journal.js";
import type { PluginEvent } from "../observability/events/plugin-event.js";
import type { PartHealth } from "../observability/health.js";
import type { OutcomeStore } from "../plugins/fleet/outcome-store.js";
import type { PluginShelf, SwitchStore } from "../plugins/fleet/switch-store.js";
import type { AuditJournal } from "../security/audit/audit-journal.js";
import type { KeySource } from "../security/key-source.js";
import type { SharedUses } from "../security/rate-limit.js";
import type { SessionStore } from "../sessions/sessions.js";
import type { MemberDescription, Members } from "./members.js";

/** What a host does while its engine opens. */
export interface EngineOpening {
  /** Steps that a host cannot start without, in turn. One that gets no answer is done again for as long as a start may wait. */
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
  /** What hosts see of the versions that serve; undefined for an engine of one host. */
  readonly outcomes: OutcomeStore | undefined;
  /** The archives of those plugins; undefined for an engine of one host. */
  readonly shelf: PluginShelf | undefined;
  /**
   * Resolves when the stores can be used; rejects with a message for users. `host`: what this one tells the others of itself.
   */
  open(host: MemberDescription, opening?: EngineOpening): Promise<void>;
  /** Undefined for an engine on the disk of this host, whose health is that of `var`. */
  health(): PartHealth | undefined;
  /** Resolves when everything that was begun is stored; journals are closed before. */
  close(): Promise<void>;
}
