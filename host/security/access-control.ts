import type { Configuration } from "../configuration/configuration.js";
import type { PartHealth } from "../observability/health.js";
import type { HostLog } from "../observability/log.js";
import { isLoopback } from "../system/addresses.js";
import { hostVersion } from "../system/installation.js";
import { Access } from "./access.js";
import type { AuditJournal } from "./audit/audit-journal.js";
import { AuditTrail } from "./audit/audit-trail.js";
import { Refusals } from "./audit/refusals.js";
import type { KeySource } from "./key-source.js";
import type { SharedUses } from "./rate-limit.js";
import type { StoredKey } from "./stored-keys.js";
import { nameAndId, WatchedKeys } from "./watched-keys.js";

/** State that hosts with the same engine share. */
export interface SharedAccess {
  audit: AuditJournal;
  keys: KeySource;
  uses: SharedUses | undefined;
}

/** Keys, access checks and the audit trail of one host. */
export class AccessControl {
  readonly access: Access;
  readonly audit: AuditTrail;
  private readonly keys: WatchedKeys;
  /** An unread trail must not be extended: its ids are unknown. */
  private isOpen = false;

  constructor(
    private readonly configuration: Configuration,
    { audit: journal, keys: source, uses }: SharedAccess,
    log: HostLog,
  ) {
    this.audit = new AuditTrail({ journal, configuration: configuration.audit });
    this.keys = new WatchedKeys({
      source,
      log,
      changed: (added, removed) => void this.noteKeys(added, removed),
    });
    this.access = new Access({ configuration, keys: this.keys, uses, refusals: new Refusals(this.audit) });
  }

  /** Comes first. Rejects with a message for users when the keys are broken, and with 503 while the engine is away. */
  readKeys(): Promise<void> {
    return this.keys.open();
  }

  /** Comes second. Rejects with 503 while the engine is away. */
  readAudit(): Promise<void> {
    return this.audit.open();
  }

  /** Rejects with a message for users when a host on an external address has no key. */
  async open(): Promise<void> {
    const { host, allowedAddresses } = this.configuration;
    const { keys } = this.keys.current;
    if (keys.length === 0 && !isLoopback(host) && !allowedAddresses.includes(host))
      throw new Error(`The host does not listen on ${host} without a key; make one with "slipway key new".`);
    this.isOpen = true;
    await this.audit.note({
      actor: "host",
      action: "host.start",
      target: host,
      details: { version: hostVersion, keys: keys.map(nameAndId) },
      outcome: "done",
    });
  }

  /** For `/readyz`; problems here do not affect readiness. */
  health(): PartHealth {
    const { broken } = this.keys;
    const detail = this.access.isRequired ? "Keys are required." : "No key is required: none exists.";
    const problems = broken === undefined ? undefined : [`Changed keys are not in force: ${broken}.`];
    return { ready: true, detail, ...(problems && { problems }) };
  }

  async close(): Promise<void> {
    this.access.close();
    await this.keys.close();
    if (this.isOpen) await this.audit.note({ actor: "host", action: "host.stop", outcome: "done" });
    await this.audit.close();
  }

  private async noteKeys(added: readonly StoredKey[], removed: readonly StoredKey[]): Promise<void> {
    const changes = [
      ...added.map((key) => ({ action: "key.new", key })),
      ...removed.map((key) => ({ action: "key.remove", key })),
    ];
    for (const { action, key } of changes) {
      const { roles, expires } = key;
      const details = { roles, ...(expires !== undefined && { expires }) };
      await this.audit.note({ actor: "key file", action, target: nameAndId(key), details, outcome: "done" });
    }
  }
}
