import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { Rejection } from "../../system/errors.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { listAssets } from "../packages/asset-files.js";
import { type Completeness, completeness, KnownHashes } from "../packages/completeness.js";
import { integrityFile, readIntegrity, requireTrust } from "../packages/integrity.js";
import { type Manifest, manifestName, parseManifest, readPackage } from "../packages/manifest.js";
import type { PluginAsset } from "../packages/plugin-asset.js";
import { type Input, input, readPluginFile, sha256 } from "../packages/plugin-files.js";
import { removeUnpackedExcept, unpackedFolder, withPassingFolder } from "../packages/unpack-archive.js";
import type { StateRecord } from "../plugin-state.js";
import { endBundler } from "../snapshots/bundle.js";
import { readDefaults } from "../snapshots/plugin-settings.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";

/** Files held in memory concurrently. */
const parallel = 2;

const megabyte = 1024 * 1024;

export interface StagingParts {
  store: SnapshotStore;
  /** Called with every snapshot. */
  staged(snapshot: Snapshot): void;
  configuration: PluginsConfiguration;
  sdkVersion: string;
  varDirectory: string;
}

/** Unpacks, verifies and stages sources for the intake. Throws a `Rejection` for faults of the plugin. */
export class Staging {
  private readonly hashes = new KnownHashes();
  private readonly unpacked = new Map<string, string>();
  /** Source hashes of what was staged from archives, by the SHA-256 of the archive. */
  private readonly archived = new Map<string, string>();
  private active = 0;
  private unpacking = 0;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(private readonly parts: StagingParts) {}

  /** Compares a folder with its file list. */
  completeness(folder: string): Promise<Completeness> {
    return completeness(folder, this.hashes);
  }

  /** Unpacks a complete archive; returns the folder. */
  async unpack(archive: string): Promise<string> {
    const { bytes, files } = this.parts.configuration.archives;
    // Existing folders may be under removal.
    await this.sweeping;
    this.unpacking += 1;
    try {
      const folder = await unpackedFolder(archive, this.root, { bytes: bytes * megabyte, files });
      this.unpacked.set(archive, folder);
      return folder;
    } finally {
      this.unpacking -= 1;
    }
  }

  /** Creates a snapshot of a complete folder and updates the record. */
  async stage(folder: string, record: StateRecord): Promise<Snapshot> {
    const { store, sdkVersion, configuration, staged } = this.parts;
    const most = configuration.archives.bytes * megabyte;
    const trust: StagingOptions["trust"] = (manifest, at) => trustedOrigin(manifest, at, configuration.trust);
    this.active += 1;
    try {
      return await withSignedCopy(folder, this.root, most, async (content) => {
        const snapshot = await stagePlugin(content, record, { store, sdkVersion, trust });
        // Called at once: retention removes unknown snapshots.
        staged(snapshot);
        if (dirname(folder) === this.root) this.archived.set(basename(folder), snapshot.sourceHash);
        return snapshot;
      });
    } finally {
      this.active -= 1;
      // The bundler's process would occupy memory until the next drop.
      if (this.active === 0) await endBundler();
    }
  }

  /** Whether a snapshot was staged from an archive with this SHA-256, hexadecimal, since the host started. */
  isArchiveOf(sha256: string, { sourceHash }: Snapshot): boolean {
    return this.archived.get(sha256) === sourceHash;
  }

  /** Removes the unpacked contents of archives that are gone. */
  async sweep(sources: ReadonlySet<string>): Promise<void> {
    for (const archive of this.unpacked.keys()) if (!sources.has(archive)) this.unpacked.delete(archive);
    const kept = new Set(this.unpacked.values());
    for (const sha256 of this.archived.keys())
      if (!kept.has(join(this.root, sha256))) this.archived.delete(sha256);
    // An archive that is being unpacked is not in the map yet.
    if (this.unpacking > 0) return;
    const removing = removeUnpackedExcept(this.root, kept);
    this.sweeping = removing.catch(() => undefined);
    await removing;
  }

  private get root(): string {
    return join(this.parts.varDirectory, "unpacked");
  }
}

/**
 * Passes a signed plugin to `use` as a private copy below `root` with exactly the files of its list, so that other
 * files and later changes have no effect. Unsigned plugins are used in place. Throws a `Rejection` when a file does not
 * match the list, and when the files exceed `most` bytes in total.
 */
async function withSignedCopy<T>(
  folder: string,
  root: string,
  most: number,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const integrity = await readIntegrity(folder);
  if (integrity?.signature === undefined) return await use(folder);
  const files = Object.entries(integrity.files);
  const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
  if (bytes > most) throw new Rejection(`its files have more than ${Math.floor(most / 1024 / 1024)} MB`);
  return await withPassingFolder(root, async (copy) => {
    await mapConcurrent(files, parallel, async ([path, { size, sha256: hash }]) => {
      const content = await readPluginFile(folder, path, size);
      if (sha256(content) !== hash) throw new Rejection(`${path} does not match ${integrityFile}`);
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), content, { flag: "wx" });
    });
    await writeFile(join(copy, integrityFile), JSON.stringify(integrity), { flag: "wx" });
    return await use(copy);
  });
}

/** The signer of a plugin and the expected hashes of its files. Throws a `Rejection` for an untrusted plugin. */
async function trustedOrigin(
  manifest: Manifest,
  folder: string,
  trust: PluginsConfiguration["trust"],
): Promise<Origin> {
  const integrity = await readIntegrity(folder);
  const signedBy = requireTrust(manifest, integrity, trust);
  const signingKey =
    signedBy === undefined ? undefined : fingerprint(readPublicKey(trust.keys[signedBy] ?? ""));
  if (integrity === undefined) return { signedBy, signingKey };
  const files = Object.entries(integrity.files).map(([path, { sha256 }]) => [path, sha256] as const);
  return { signedBy, signingKey, files: new Map(files) };
}

/** The verified origin of a plugin. */
export interface Origin {
  /** Name of the trusted key that signed it. */
  signedBy: string | undefined;
  /** Fingerprint of that key. */
  signingKey?: string | undefined;
  /** SHA-256, hexadecimal, by path below the folder with "/". Only these files may be used. */
  files?: ReadonlyMap<string, string>;
}

export interface StagingOptions {
  store: SnapshotStore;
  sdkVersion: string;
  /** Throws a `Rejection` for an untrusted plugin. */
  trust: (manifest: Manifest, folder: string) => Promise<Origin>;
}

/** Creates the snapshot of a folder and updates its record. Throws a `Rejection` with the reason. */
export async function stagePlugin(
  folder: string,
  record: StateRecord,
  { store, sdkVersion, trust }: StagingOptions,
): Promise<Snapshot> {
  const content = await readPackage(folder);
  const manifest = parseManifest(content, sdkVersion);
  const { plugin: name, config } = manifest.slipway;
  record.update({ name, version: manifest.version });
  const { signedBy, signingKey, files } = await trust(manifest, folder);
  const { defaults, inputs } = await readSettings(folder, config);
  const assets = await listAssets(folder, manifest);
  record.transition("verified");
  const snapshot = await store.stage(folder, manifest, {
    defaults,
    signedBy,
    signingKey,
    assets,
    inputs: [input(manifestName, content), ...inputs, ...assets.map(assetInput)],
    check: (all) => checkListed(all, files),
  });
  record.update({ hash: snapshot.hash, signedBy, assets });
  return snapshot;
}

async function readSettings(
  folder: string,
  file: string | undefined,
): Promise<{ defaults: Snapshot["defaults"]; inputs: Input[] }> {
  if (file === undefined) return { defaults: {}, inputs: [] };
  const { defaults, input: own } = await readDefaults(folder, file);
  return { defaults, inputs: [own] };
}

function assetInput({ path, sha256 }: PluginAsset): Input {
  return { path: normalize(path), sha256 };
}

/** Files of the host's installation are exempt; every other input has to be in the plugin's file list. */
function checkListed(inputs: readonly Input[], files: ReadonlyMap<string, string> | undefined): void {
  if (files === undefined) return;
  for (const { path, sha256 } of inputs) {
    if (isAbsolute(path)) continue;
    const file = path.split(sep).join("/");
    const listed = files.get(file);
    if (listed === undefined)
      throw new Rejection(`${file} is not in the plugin's list of files (integrity.json)`);
    if (listed !== sha256)
      throw new Rejection(`${file} does not match the plugin's list of files (integrity.json)`);
  }
}
