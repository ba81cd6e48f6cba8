import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, isAbsolute, join, normalize, sep } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { hashedPieces } from "../../system/hashed-pieces.js";
import {
  type Completeness,
  completeness,
  endBundler,
  type Origin,
  PackageFolders,
  PluginPackage,
  packUnchanged,
} from "../packages/packages.js";
import type { Input } from "../plugin-files.js";
import type { PluginAsset, StateRecord } from "../plugin-state.js";
import { readRecord, type Snapshot } from "./snapshot.js";
import type { SnapshotStore } from "./snapshot-store.js";

interface StagingParts {
  store: SnapshotStore;
  /** Called with every snapshot. */
  staged(snapshot: Snapshot): void;
  configuration: Pick<PluginsConfiguration, "archives" | "trust">;
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
