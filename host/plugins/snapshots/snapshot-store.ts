import { randomUUID } from "node:crypto";
import { readdir, readlink, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Log } from "@slipway/sdk";
import { Turns } from "../../system/concurrency.js";
import { makeFolder, replaceSynced, syncFolder, writeSynced } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { ownStorageProblem, StorageRejection } from "../../system/request-errors.js";
import {
  type Bundle,
  type BundleChoices,
  bundleFormat,
  copyAssets,
  type Manifest,
  type PluginPackage,
} from "../packages/packages.js";
import {
  areUnchanged,
  contentHash,
  type Input,
  isSameInput,
  mergedInputs,
  sha256,
  sourceHash,
} from "../plugin-files.js";
import type { PluginAsset } from "../plugin-state.js";
import {
  assetFolderName,
  bundleName,
  folderName,
  isLeftover,
  isSame,
  newRecord,
  packageFolderName,
  readRecord,
  recordName,
  recordText,
  type Snapshot,
  type SnapshotRecord,
  type SnapshotReference,
  snapshotOf,
} from "./snapshot.js";

/** Data of a snapshot besides its manifest and bundle. */
interface SnapshotFacts {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly signedBy: string | undefined;
  /** Fingerprint of the signing key. */
  readonly signingKey: string | undefined;
  /** Sorted by path. They are inputs, too. */
  readonly assets: readonly PluginAsset[];
  /** Inputs besides the bundled files, as they were when read. */
  readonly inputs: readonly Input[];
  /** Checks all inputs before the snapshot is stored; throws a `Rejection`. */
  check?(inputs: readonly Input[]): void;
}

/**
 * Snapshots below one folder, as `<name>/<version>-<hash>/`. A stored snapshot is complete, and its bundle never
 * changes.
 */
export class SnapshotStore {
  /** Serializes changes below the folder of one plugin. */
  private readonly turns = new Turns();

  constructor(
    private readonly folder: string,
    private readonly sdkDirectory: string,
    private readonly log?: Log,
    private readonly choices: BundleChoices = {},
  ) {}

  /**
   * Links the SDK of this host for all snapshots, and removes folders that an earlier host left unfinished or wrote in
   * an older format.
   */
  async open(): Promise<void> {
    await this.sweep();
    const scope = join(this.folder, packageFolderName, "@slipway");
    await makeFolder(scope);
    const link = join(scope, "sdk");
    const target = resolve(this.sdkDirectory);
    if ((await readlink(link).catch(() => undefined)) === target) return;
    const temporary = temporaryIn(scope);
    await symlink(target, temporary, "junction");
    await rename(temporary, link);
  }

  /**
   * The snapshot of a plugin folder in its current state; bundles it if needed. Throws a `Rejection`, also without disk
   * space.
   */
  async stage(plugin: PluginPackage, facts: SnapshotFacts): Promise<Snapshot> {
    const { folder: source, manifest } = plugin;
    const known = await this.unchanged(source, manifest, facts);
    if (known !== undefined) {
      facts.check?.(known.inputs);
      const record = newRecord(manifest, facts, known.inputs, known.bundle);
      const snapshot = await this.take(record.name, () => this.reuse(record));
      if (snapshot !== undefined) return snapshot;
    }
    const bundle = await plugin.bundle(this.choices);
    const inputs = mergedInputs(facts.inputs, bundle.inputs);
    facts.check?.(inputs);
    const record = newRecord(manifest, facts, inputs, sha256(bundle.code));
    return await this.take(
      record.name,
      async () => (await this.reuse(record)) ?? (await this.write(source, record, bundle)),
    );
  }

  /** The snapshot of a reference by its hash or source hash, if stored and intact. */
  async find(reference: SnapshotReference): Promise<Snapshot | undefined> {
    const record = (await this.intact(reference)) ?? (await this.ofSource(reference));
    return record === undefined ? undefined : snapshotOf(this.folderOf(record), record);
  }

  /** The stored snapshots of one plugin or of all, by name and version. Only `find` detects damaged bundles. */
  async list(name?: string): Promise<SnapshotReference[]> {
    const found: SnapshotReference[] = [];
    for (const plugin of name === undefined ? await this.plugins() : [name]) {
      for (const record of await this.records(plugin)) {
        found.push({ name: record.name, version: record.version, hash: record.hash });
      }
    }
    return found;
  }

  /**
   * Removes the snapshots for which `keep` returns false, and returns their references. Calls `keep` right before each
   * removal, when callers of `stage` already know their snapshot. Continues after a failure and rejects in the end.
   */
  async prune(keep: (reference: SnapshotReference) => boolean): Promise<SnapshotReference[]> {
    const removed: SnapshotReference[] = [];
    const failures: unknown[] = [];
    for (const reference of await this.list()) {
      await this.take(reference.name, async () => {
        // The disk access lets callers of `stage` receive their snapshot first.
        const record = await readRecord(this.folderOf(reference));
        if (record?.hash !== reference.hash || keep(reference)) return;
        await discard(this.folderOf(reference), this.log);
        removed.push(reference);
      }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  private folderOf(reference: SnapshotReference): string {
    return join(this.folder, reference.name, folderName(reference));
  }

  /** Names that differ only in case share a folder on some disks. */
  private async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    return await this.turns.take(name.toLowerCase(), task);
  }

  private async plugins(): Promise<string[]> {
    return (await namesIn(this.folder)).filter((name) => name !== packageFolderName && !name.startsWith("."));
  }

  private async records(plugin: string): Promise<SnapshotRecord[]> {
    const found: SnapshotRecord[] = [];
    for (const name of await namesIn(join(this.folder, plugin))) {
      if (isTemporary(name)) continue;
      const record = await readRecord(join(this.folder, plugin, name));
      if (record?.name === plugin && folderName(record) === name) found.push(record);
    }
    return found;
  }

  /** The record of a snapshot whose files are unchanged. Saves the bundling, for a fast restart. */
  private async unchanged(
    source: string,
    manifest: Manifest,
    facts: SnapshotFacts,
  ): Promise<SnapshotRecord | undefined> {
    for (const record of await this.records(manifest.slipway.plugin)) {
      const { version, hash, inputs } = record;
      const isCandidate =
        version === manifest.version &&
        hash === contentHash(bundleFormat, inputs) &&
        record.signingKey === facts.signingKey &&
        facts.inputs.every((own) => inputs.some((each) => isSameInput(own, each)));
      if (!isCandidate) continue;
      const others = inputs.filter((each) => !facts.inputs.some((own) => isSameInput(own, each)));
      if (await areUnchanged(source, others)) return record;
    }
    return undefined;
  }

  private async ofSource({ name, version, hash }: SnapshotReference): Promise<SnapshotRecord | undefined> {
    for (const record of await this.records(name))
      if (record.version === version && sourceHash(record.inputs) === hash && (await this.intact(record)))
        return record;
    return undefined;
  }

  private async intact(reference: SnapshotReference): Promise<SnapshotRecord | undefined> {
    const folder = this.folderOf(reference);
    const record = await readRecord(folder);
    if (record === undefined || !isSame(record, reference)) return undefined;
    const files = [
      { path: bundleName, sha256: record.bundle },
      ...record.assets.map(({ path, sha256: hash }) => ({ path: join(assetFolderName, path), sha256: hash })),
    ];
    return (await areUnchanged(folder, files)) ? record : undefined;
  }

  /** Reuses a stored snapshot; updates its signature and the paths of the host's packages. */
  private async reuse(record: SnapshotRecord): Promise<Snapshot | undefined> {
    const stored = await this.intact(record);
    if (stored === undefined || !isAlike(stored, record)) return undefined;
    const folder = this.folderOf(record);
    const text = recordText({ ...record, bundle: stored.bundle });
    if (text !== recordText(stored)) await storing(() => replaceSynced(join(folder, recordName), text));
    return snapshotOf(folder, record);
  }

  /** Writes a snapshot atomically: synced under a temporary name, then renamed. The assets are copied from `source`. */
  private async write(source: string, record: SnapshotRecord, { code, map }: Bundle): Promise<Snapshot> {
    const plugin = join(this.folder, record.name);
    const place = this.folderOf(record);
    const temporary = temporaryIn(plugin);
    await storing(async () => {
      try {
        await makeFolder(temporary);
        await writeSynced(join(temporary, bundleName), code);
        if (map !== undefined) await writeSynced(join(temporary, `${bundleName}.map`), map);
        await writeSynced(join(temporary, recordName), recordText(record));
        await copyAssets(source, record.assets, join(temporary, assetFolderName));
        await syncFolder(temporary);
        // A folder in this place is damaged.
        await discard(place, this.log);
        await rename(temporary, place);
      } catch (error) {
        await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(plugin);
      await syncFolder(this.folder);
    });
    return snapshotOf(place, record);
  }

  private async sweep(): Promise<void> {
    await sweepFolder(join(this.folder, packageFolderName, "@slipway"), this.log);
    for (const plugin of await this.plugins()) {
      const folder = join(this.folder, plugin);
      await sweepFolder(folder, this.log);
      // Removes only an empty folder.
      await rmdir(folder).catch(() => undefined);
    }
  }
}

/** The same files can give another bundle, by links for example. An unsigned snapshot may not replace a signed one. */
function isAlike(stored: SnapshotRecord, record: SnapshotRecord): boolean {
  const { signingKey } = record;
  return signingKey === undefined || signingKey === stored.signingKey || record.bundle === stored.bundle;
}

/** Turns a full disk into a `StorageRejection`; rethrows other errors. */
async function storing<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const problem = ownStorageProblem(error);
    if (problem === undefined) throw error;
    throw new StorageRejection(`${problem} to store the plugin`, { cause: error });
  }
}

/** Removes a folder atomically: renames it first. Remains are removed at the next start. */
async function discard(folder: string, log: Log | undefined): Promise<void> {
  const temporary = temporaryIn(dirname(folder));
  try {
    await rename(folder, temporary);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  await syncFolder(dirname(folder));
  await remove(temporary, log);
}

/** A path for a folder that is being written or removed. */
function temporaryIn(folder: string): string {
  return join(folder, `.${randomUUID()}`);
}

function isTemporary(name: string): boolean {
  return /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

/** Sorted; empty for a missing folder. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Removes folders that no host can use. */
async function sweepFolder(folder: string, log: Log | undefined): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isTemporary(name) || (await isLeftover(path))) await remove(path, log);
  }
}

/** Remains do no harm, so a failure is only logged. */
async function remove(path: string, log: Log | undefined): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    log?.warn("The remains of a plugin snapshot could not be removed", { path, error });
  }
}
