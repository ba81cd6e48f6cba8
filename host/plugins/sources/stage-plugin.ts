/** A plugin folder on its way from discovered to staged. */

import { isAbsolute, sep } from "node:path";
import { Rejection } from "../../system/errors.js";
import { type Input, input } from "../packages/content-hash.js";
import { type Manifest, manifestName, parseManifest, readPackage } from "../packages/manifest.js";
import type { StateRecord } from "../plugin-state.js";
import { readDefaults } from "../snapshots/plugin-settings.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";

/** What is known of where a plugin comes from. */
export interface Origin {
  /** Name of the trusted key that signed it. */
  signedBy: string | undefined;
  /** Fingerprint of that key. */
  signingKey?: string | undefined;
  /** SHA-256, hexadecimal, by path below the folder with "/"; what is there counts, and nothing else. */
  files?: ReadonlyMap<string, string>;
}

export interface StagingOptions {
  store: SnapshotStore;
  sdkVersion: string;
  /** Throws a `Rejection` for a plugin that is not to be trusted. */
  trust: (manifest: Manifest, folder: string) => Promise<Origin>;
}

/** The snapshot of a folder; its record tells how far it came. Throws a `Rejection` that says what is wrong with it. */
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
  record.transition("verified");
  const snapshot = await store.stage(folder, manifest, {
    defaults,
    signedBy,
    signingKey,
    inputs: [input(manifestName, content), ...inputs],
    check: (all) => checkListed(all, files),
  });
  record.update({ hash: snapshot.hash, signedBy });
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

/** What the host's own installation adds is the host's matter; everything else has to be in the plugin's list. */
function checkListed(inputs: readonly Input[], files: ReadonlyMap<string, string> | undefined): void {
  if (files === undefined) return;
  for (const { path, sha256 } of inputs) {
    if (isAbsolute(path)) continue;
    const file = path.split(sep).join("/");
    const listed = files.get(file);
    if (listed === undefined)
      throw new Rejection(`${file} is not in the plugin's list of files (integrity.json)`);
    if (listed !== sha256)
      throw new Rejection(`${file} is not what the plugin's list of files says (integrity.json)`);
  }
}
