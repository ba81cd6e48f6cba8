import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { monotonicTime } from "../../system/time.js";
import { sdkMismatch } from "../packages/manifest.js";
import type { Snapshot, SnapshotReference } from "./snapshot.js";
import type { SnapshotStore } from "./snapshot-store.js";

/** Milliseconds; a snapshot is stored shortly before its source shows it. */
const grace = 60_000;

/** The snapshots that may run: those of the sources and the remembered ones. */
export class KnownSnapshots {
  /** By hash, and by source hash the one that was added last. */
  private readonly known = new Map<string, Snapshot>();
  private readonly since = new Map<string, number>();

  constructor(private readonly store: SnapshotStore) {}

  /** By hash or source hash. */
  find(id: string): Snapshot | undefined {
    return this.known.get(id);
  }

  add(snapshot: Snapshot): void {
    this.known.set(snapshot.hash, snapshot);
    this.known.set(snapshot.sourceHash, snapshot);
  }

  /** Protects a new snapshot from removal until its source shows it. */
  expect({ hash }: Snapshot): void {
    this.since.set(hash, monotonicTime());
  }

  /** Loads the remembered snapshots that are stored and may run; `refuse` returns the reason against one. */
  async load(
    references: readonly SnapshotReference[],
    refuse: (snapshot: Snapshot) => string | undefined,
  ): Promise<void> {
    for (const reference of references) {
      if (this.known.has(reference.hash)) continue;
      const snapshot = await this.store.find(reference);
      if (snapshot !== undefined && refuse(snapshot) === undefined) this.add(snapshot);
    }
  }

  /** Removes unneeded snapshots from the store. */
  async prune(needed: ReadonlySet<string>): Promise<SnapshotReference[]> {
    const now = monotonicTime();
    const isNeeded = (hash: string): boolean =>
      needed.has(hash) || now - (this.since.get(hash) ?? Number.NEGATIVE_INFINITY) < grace;
    const removed = await this.store.prune(({ hash }) => isNeeded(hash));
    for (const { hash } of removed) {
      const snapshot = this.known.get(hash);
      this.known.delete(hash);
      if (snapshot !== undefined && this.known.get(snapshot.sourceHash) === snapshot)
        this.known.delete(snapshot.sourceHash);
      this.since.delete(hash);
    }
    return removed;
  }
}

/** Milliseconds: short enough for the disk, long enough to cover many changes at once. */
const delay = 5000;

/** Removes unneeded snapshots some time after a change. */
export class Retention {
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly snapshots: KnownSnapshots,
    /** Hashes of snapshots that run, are in a source, or are kept. */
    private readonly needed: () => ReadonlySet<string>,
    /** Removes unpacked contents of removed archives. */
    private readonly sweep: () => Promise<void>,
    private readonly log: Log,
  ) {}

  /** Schedules a removal. */
  later(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.running = this.prune();
    }, delay).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async prune(): Promise<void> {
    try {
      await this.sweep();
      const removed = await this.snapshots.prune(this.needed());
      if (removed.length > 0)
        this.log.info("Removed versions of plugins that are not needed any more", {
          versions: removed.map(({ name, version }) => `${name}@${version}`),
        });
    } catch (error) {
      this.log.error("Versions of plugins that are not needed any more could not be removed", { error });
    }
  }
}

export interface AdmissionOptions {
  sdkVersion: string;
  trust: PluginsConfiguration["trust"];
}

/**
 * Why a stored snapshot may no longer run, as a sentence: after an update of the host or a change of its configuration.
 * Undefined when it may run.
 */
export function admissible(snapshot: Snapshot, { sdkVersion, trust }: AdmissionOptions): string | undefined {
  const { engines, signedBy, signingKey } = snapshot;
  const mismatch = sdkMismatch(engines, sdkVersion);
  if (mismatch !== undefined) return mismatch;
  if (!trust.required) return undefined;
  if (signedBy === undefined)
    return "the plugin is not signed, and this host admits only signed ones (plugins.trust)";
  // The name may belong to another key since.
  return Object.values(trust.keys).some((key) => fingerprint(readPublicKey(key)) === signingKey)
    ? undefined
    : `the plugin is signed with the key ${JSON.stringify(signedBy)}, which this host does not trust any more (plugins.trust.keys)`;
}
