import { join } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { type Completeness, completeness } from "../packages/completeness.js";
import { KnownHashes } from "../packages/known-hashes.js";
import { withSignedCopy } from "../packages/signed-copy.js";
import { removeUnpackedExcept, unpackedFolder } from "../packages/unpacked-folders.js";
import type { StateRecord } from "../plugin-state.js";
import { endBundler } from "../snapshots/bundle.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";
import { type StagingOptions, stagePlugin } from "./stage-plugin.js";
import { trustedOrigin } from "./trusted-origin.js";

const megabyte = 1024 * 1024;

export interface StagingParts {
  store: SnapshotStore;
  /** Is told of every snapshot. */
  staged(snapshot: Snapshot): void;
  configuration: PluginsConfiguration;
  sdkVersion: string;
  varDirectory: string;
}

/** What the intake does with a place that changed. Throws a `Rejection` for what is the plugin's own fault. */
export class Staging {
  private readonly hashes = new KnownHashes();
  private readonly unpacked = new Map<string, string>();
  private active = 0;
  private unpacking = 0;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(private readonly parts: StagingParts) {}

  completeness(folder: string): Promise<Completeness> {
    return completeness(folder, this.hashes);
  }

  /** The folder with the content of an archive. */
  async unpack(archive: string): Promise<string> {
    const { bytes, files } = this.parts.configuration.archives;
    // What is there may be on its way out.
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

  async stage(folder: string, record: StateRecord): Promise<Snapshot> {
    const { store, sdkVersion, configuration, staged } = this.parts;
    const most = configuration.archives.bytes * megabyte;
    const trust: StagingOptions["trust"] = (manifest, at) => trustedOrigin(manifest, at, configuration.trust);
    this.active += 1;
    try {
      return await withSignedCopy(folder, this.root, most, async (content) => {
        const snapshot = await stagePlugin(content, record, { store, sdkVersion, trust });
        // At once: what nobody is told of counts as not needed.
        staged(snapshot);
        return snapshot;
      });
    } finally {
      this.active -= 1;
      // Its own process takes memory that nobody needs until the next drop.
      if (this.active === 0) await endBundler();
    }
  }

  /** Removes the contents of archives that are not in their places any more. */
  async sweep(places: ReadonlySet<string>): Promise<void> {
    for (const archive of this.unpacked.keys()) if (!places.has(archive)) this.unpacked.delete(archive);
    const kept = new Set(this.unpacked.values());
    // What is just being found again is nobody's yet.
    if (this.unpacking > 0) return;
    const removing = removeUnpackedExcept(this.root, kept);
    this.sweeping = removing.catch(() => undefined);
    await removing;
  }

  private get root(): string {
    return join(this.parts.varDirectory, "unpacked");
  }
}
