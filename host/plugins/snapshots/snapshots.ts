/**
 * Snapshots: the copies of plugin versions that run.
 *
 * Goes in: a folder or an archive, once it is complete. Comes out: a `Snapshot`, stored and immutable, found again by its
 * hash or by the hash of the plugin's own files.
 *
 * Owns `var/snapshots` and `var/unpacked`. Keeps the snapshots of the sources and the remembered ones, and removes all
 * others some time after a change. Does not choose which snapshot runs; that is `deployment`.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, sep } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration, TrustedKeys } from "../../configuration/plugins-configuration.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { hashedPieces } from "../../system/hashed-pieces.js";
import { sdkVersion } from "../../system/installation.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { monotonicTime } from "../../system/time.js";
import {
  type Completeness,
  completeness,
  endBundler,
  type Origin,
  PackageFolders,
  PluginPackage,
  packUnchanged,
  sdkMismatch,
} from "../packages/packages.js";
import type { Input } from "../plugin-files.js";
import type { PluginAsset, StateRecord } from "../plugin-state.js";
import { readRecord, type Snapshot, type SnapshotReference } from "./snapshot.js";
import { SnapshotStore } from "./snapshot-store.js";

export { isSameSigned, type Snapshot, SnapshotRecord, type SnapshotReference } from "./snapshot.js";

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
  trust: TrustedKeys;
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

interface StagingParts {
  store: SnapshotStore;
  /** Called with every snapshot. */
  staged(snapshot: Snapshot): void;
  configuration: Pick<PluginsConfiguration, "archives"> & { trust: TrustedKeys };
  sdkVersion: string;
  varDirectory: string;
}

/** Makes snapshots of folders and archives. Throws a `Rejection` for faults of the plugin. */
export class Staging {
  private readonly folders: PackageFolders;
  /** Source hashes of what was staged from archives, by the SHA-256 of the archive. */
  private readonly archived = new Map<string, string>();
  private active = 0;

  constructor(private readonly parts: StagingParts) {
    this.folders = new PackageFolders(join(parts.varDirectory, "unpacked"), parts.configuration.archives);
  }

  /** Compares a folder with its file list. */
  completeness(folder: string): Promise<Completeness> {
    return completeness(folder);
  }

  /** Unpacks an archive; returns the folder. Throws a `Rejection` when files of its list are not in it. */
  async unpack(archive: string): Promise<string> {
    const folder = await this.folders.unpack(archive);
    const { waiting } = await this.completeness(folder);
    if (waiting !== undefined) throw new Rejection(`the archive is not complete: ${waiting}`);
    return folder;
  }

  /** Creates a snapshot of a complete folder and updates the record. */
  async stage(folder: string, record: StateRecord): Promise<Snapshot> {
    const { store, sdkVersion, configuration, staged } = this.parts;
    const trust: StagingOptions["trust"] = (plugin) => plugin.origin(configuration.trust);
    this.active += 1;
    try {
      return await this.folders.withSignedCopy(folder, async (content) => {
        const snapshot = await stagePlugin(content, record, { store, sdkVersion, trust });
        // Called at once, because unknown snapshots are removed.
        staged(snapshot);
        if (this.folders.hasUnpacked(folder)) this.archived.set(basename(folder), snapshot.sourceHash);
        return snapshot;
      });
    } finally {
      this.active -= 1;
      // The bundler's process would occupy memory until the next plugin arrives.
      if (this.active === 0) await endBundler();
    }
  }

  /**
   * The source of a snapshot as an archive: the file itself, or a folder packed with the files of the snapshot and those of
   * its list. Throws a `Rejection` when a file has changed since; for an archive, its last read does.
   */
  async archiveOf(source: string, snapshot: Snapshot): Promise<AsyncIterable<Uint8Array>> {
    const isFile = await stat(source).then(
      (found) => found.isFile(),
      (error: unknown) => {
        throw errorCode(error) === "ENOENT" ? new Rejection(`${basename(source)} is gone`) : error;
      },
    );
    if (isFile)
      return hashedPieces(createReadStream(source), (hash) => {
        if (this.archived.get(hash) !== snapshot.sourceHash)
          throw new Rejection(`${basename(source)} has changed since the plugin was staged`);
      });
    const inputs = (await readRecord(snapshot.folder))?.inputs ?? [];
    const own = inputs.filter(({ path }) => !isAbsolute(path));
    const archive = await packUnchanged(
      source,
      new Map(own.map(({ path, sha256 }) => [portable(path), sha256])),
    );
    return (async function* () {
      yield archive;
    })();
  }

  /** Removes the unpacked contents of all archives but these. */
  async sweep(archives: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...(await this.folders.sweep(archives))].map((folder) => basename(folder)));
    for (const sha256 of this.archived.keys()) if (!kept.has(sha256)) this.archived.delete(sha256);
  }
}

interface StagingOptions {
  store: SnapshotStore;
  sdkVersion: string;
  /** Throws a `Rejection` for an untrusted plugin. */
  trust: (plugin: PluginPackage) => Promise<Origin>;
}

/** Creates the snapshot of a folder and updates its record. Throws a `Rejection` with the reason. */
export async function stagePlugin(
  folder: string,
  record: StateRecord,
  { store, sdkVersion, trust }: StagingOptions,
): Promise<Snapshot> {
  const plugin = await PluginPackage.read(folder, sdkVersion);
  const { manifest } = plugin;
  record.update({ name: manifest.slipway.plugin, version: manifest.version });
  const { signedBy, signingKey, files } = await trust(plugin);
  const { defaults, inputs } = await plugin.defaults();
  const assets = await plugin.assets();
  record.transition("verified");
  const snapshot = await store.stage(plugin, {
    defaults,
    signedBy,
    signingKey,
    assets,
    inputs: [plugin.manifestInput, ...inputs, ...assets.map(assetInput)],
    check: (all) => checkListed(all, files),
  });
  record.update({ hash: snapshot.hash, signedBy, assets });
  return snapshot;
}

function assetInput({ path, sha256 }: PluginAsset): Input {
  return { path: normalize(path), sha256 };
}

/** Files of the host's installation are exempt; every other input has to be in the plugin's file list. */
function checkListed(inputs: readonly Input[], files: ReadonlyMap<string, string> | undefined): void {
  if (files === undefined) return;
  for (const { path, sha256 } of inputs) {
    if (isAbsolute(path)) continue;
    const file = portable(path);
    const listed = files.get(file);
    if (listed === undefined)
      throw new Rejection(`${file} is not in the plugin's list of files (integrity.json)`);
    if (listed !== sha256)
      throw new Rejection(`${file} does not match the plugin's list of files (integrity.json)`);
  }
}

function portable(path: string): string {
  return path.split(sep).join("/");
}
