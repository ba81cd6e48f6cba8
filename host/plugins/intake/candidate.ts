import { basename } from "node:path";
import type { Log } from "@slipway/sdk";
import { logEvent } from "../events/log-event.js";
import { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { SnapshotStore } from "../snapshots/snapshot-store.js";
import { settingsOf } from "./plugin-settings.js";
import { Rejection } from "./rejection.js";
import { stagePlugin } from "./stage-plugin.js";

/** A plugin version that has its snapshot and could be started. */
export interface Candidate {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly settings: Record<string, unknown>;
  readonly record: StateRecord;
}

export interface PreparationOptions {
  store: SnapshotStore;
  sdkVersion: string;
  /** Configuration of the plugins by name. */
  config: Record<string, Record<string, unknown>>;
  log: Log;
}

/** Takes a folder from discovered to staged. Whatever is wrong with it ends in its record, never in an error. */
export async function prepareCandidate(
  folder: string,
  options: PreparationOptions,
): Promise<{ record: StateRecord; candidate: Candidate | undefined }> {
  const record = new StateRecord(folder, { note: (event) => logEvent(options.log, event) });
  try {
    const { store, sdkVersion, config } = options;
    const trust = () => Promise.resolve({ signedBy: undefined });
    const snapshot = await stagePlugin(folder, record, { store, sdkVersion, trust });
    const { name, version, aliases } = snapshot;
    const settings = settingsOf(snapshot, config);
    return { record, candidate: { name, aliases, version, folder, snapshot, settings, record } };
  } catch (error) {
    const reason = error instanceof Rejection ? error.message : `it could not be staged: ${String(error)}`;
    if (!(error instanceof Rejection)) options.log.error("A plugin could not be staged", { folder, error });
    record.enter("rejected", reason);
    return { record, candidate: undefined };
  }
}

/**
 * Of several folders with the same name and version the first one stays. What differs under one version is refused,
 * because nobody could say any more which of them answers.
 */
export function withoutDuplicates(candidates: readonly Candidate[]): Candidate[] {
  const kept = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = `${candidate.name}@${candidate.version}`;
    const first = kept.get(key);
    if (first === undefined) kept.set(key, candidate);
    else candidate.record.enter("rejected", duplicateReason(key, first, candidate));
  }
  return [...kept.values()];
}

/** Clients of the host API read it, so it says nothing of where the folders lie. */
function duplicateReason(key: string, first: Candidate, second: Candidate): string {
  const place = `the folder ${basename(first.folder)}`;
  if (first.snapshot.hash === second.snapshot.hash) return `the same ${key} is already taken from ${place}`;
  return (
    `another content with the name and version ${key} is already taken from ${place}: ` +
    `that one has the hash ${first.snapshot.hash}, this one ${second.snapshot.hash}; give it a version of its own`
  );
}
