/**
 * Snapshots: the copies of plugin versions that run.
 *
 * Goes in: a folder or an archive, once it is complete. Comes out: a `Snapshot`, stored and immutable, found again by its
 * hash or by the hash of the plugin's own files.
 *
 * Owns `var/snapshots` and `var/unpacked`. Keeps the snapshots of the sources and the remembered ones, and removes all
 * others some time after a change. Does not choose which snapshot runs; that is `deployment`.
 */
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { sdkVersion } from "../../system/installation.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { monotonicTime } from "../../system/time.js";
import { sdkMismatch } from "../packages/packages.js";
import type { Snapshot, SnapshotReference } from "./snapshot.js";
import { SnapshotStore } from "./snapshot-store.js";
import { Staging } from "./staging.js";

export { isSameSigned, type Snapshot, SnapshotRecord, type SnapshotReference } from "./snapshot.js";
export type { Staging } from "./staging.js";

/** Milliseconds; a snapshot is stored shortly before its source shows it. */
const grace = 60_000;

/** Milliseconds: short enough for the disk, long enough to cover many changes at once. */
const delay = 5000;

interface SnapshotsOptions {
  varDirectory: string;
  /** Folder of the package `@slipway/sdk` that plugins import. */
  sdkDirectory: string;
  configuration: Pick<PluginsConfiguration, "archives" | "trust" | "development">;
  log: Log;
}

/** Which snapshots and unpacked archives must stay. */
export interface NeededSnapshots {
  /** Hashes of snapshots that run, are in a source, or are remembered. */
  hashes: ReadonlySet<string>;
  /** Paths of the archives in use. */
  archives: ReadonlySet<string>;
}

/** The snapshots that may run: those of the sources and the remembered ones. */
export class Snapshots {
  /** Makes new snapshots. */
  readonly staging: Staging;
  /** By hash, and by source hash the one that was added last. */
  private readonly known = new Map<string, Snapshot>();
  /** When new snapshots were stored, by hash. */
  private readonly storedAt = new Map<string, number>();
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private removing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: SnapshotsOptions,
    private readonly store: SnapshotStore,
  ) {
    const staged = ({ hash }: Snapshot): void => void this.storedAt.set(hash, monotonicTime());
    this.staging = new Staging({ ...options, store, staged, sdkVersion });
  }

  /** Rejects when the folder of the snapshots is not writable. */
  static async open(options: SnapshotsOptions): Promise<Snapshots> {
    const { varDirectory, sdkDirectory, configuration, log } = options;
    const { development } = configuration;
    const store = new SnapshotStore(join(varDirectory, "snapshots"), sdkDirectory, log, { development });
    await store.open();
    return new Snapshots(options, store);
  }

  /** By hash or source hash. */
  find(id: string): Snapshot | undefined {
    return this.known.get(id);
  }

  add(snapshot: Snapshot): void {
    this.known.set(snapshot.hash, snapshot);
    this.known.set(snapshot.sourceHash, snapshot);
  }

  /** Loads the remembered snapshots that are stored and may run. */
  async load(references: readonly SnapshotReference[]): Promise<void> {
    const { trust } = this.options.configuration;
    for (const reference of references) {
      if (this.known.has(reference.hash)) continue;
      const snapshot = await this.store.find(reference);
      if (snapshot !== undefined && admissible(snapshot, { sdkVersion, trust }) === undefined)
        this.add(snapshot);
    }
  }

  /** Removes what is not needed, some time later; `needed` is called only then. */
  removeLater(needed: () => NeededSnapshots): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.removing = this.remove(needed);
    }, delay).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.removing;
  }

  private async remove(needed: () => NeededSnapshots): Promise<void> {
    const { log } = this.options;
    try {
      await this.staging.sweep(needed().archives);
      const removed = await this.prune(needed().hashes);
      if (removed.length > 0)
        log.info("Removed versions of plugins that are not needed any more", {
          versions: removed.map(({ name, version }) => `${name}@${version}`),
        });
    } catch (error) {
      log.error("Versions of plugins that are not needed any more could not be removed", { error });
    }
  }

  private async prune(needed: ReadonlySet<string>): Promise<SnapshotReference[]> {
    const now = monotonicTime();
    const isNeeded = (hash: string): boolean =>
      needed.has(hash) || now - (this.storedAt.get(hash) ?? Number.NEGATIVE_INFINITY) < grace;
    const removed = await this.store.prune(({ hash }) => isNeeded(hash));
    for (const { hash } of removed) {
      const snapshot = this.known.get(hash);
      this.known.delete(hash);
      if (snapshot !== undefined && this.known.get(snapshot.sourceHash) === snapshot)
        this.known.delete(snapshot.sourceHash);
      this.storedAt.delete(hash);
    }
    return removed;
  }
}

interface AdmissionOptions {
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
