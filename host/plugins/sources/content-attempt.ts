import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { Rejection } from "../../system/errors.js";
import { StorageRejection, storageProblem } from "../../system/request-errors.js";
import { describeProblem } from "../plugin-files.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot, Staging } from "../snapshots/snapshots.js";
import { type Fingerprint, type FoundSource, takeFingerprint } from "./source-files.js";

/** Unpacks, checks and stages contents. Its methods throw a `Rejection` for faults of the plugin. */
type Stager = Pick<Staging, "completeness" | "unpack" | "stage">;

/** Dependencies of every source. */
export interface SourceOptions {
  stager: Stager;
  configuration: Pick<PluginsConfiguration, "settlingTime" | "rescanInterval" | "archives" | "development">;
  journal: Journal;
  log: Log;
  /** Called after every change of what the sources offer. */
  changed(): void;
}

/** A content as observed by scans. */
interface SeenContent {
  path: string;
  kind: FoundSource["kind"];
  fingerprint: Fingerprint;
  record: StateRecord;
  /** It has not changed for the settling time. */
  settled: boolean;
  /** It changed while it was staged, so its file list does not prove that it is complete. */
  changedWhileStaging: boolean;
}

/** `changed`: the staged content may mix two contents; `to` is undefined when the current content is unknown. */
type Outcome =
  | { kind: "staged"; snapshot: Snapshot }
  | { kind: "refused"; error: unknown }
  | { kind: "incomplete"; lacking: string | undefined }
  | { kind: "changed"; to: Fingerprint | undefined; began: number };

/**
 * Stages a complete content of at most `most` files and folders. Errors of the content are outcomes, never exceptions.
 */
export async function attemptContent(content: SeenContent, stager: Stager, most: number): Promise<Outcome> {
  const outcome = await stageWhenComplete(content, stager, most);
  if (outcome.kind === "incomplete") return outcome;
  const { path, fingerprint } = content;
  const began = performance.now();
  const now = await takeFingerprint(path, most).catch(() => undefined);
  return now?.value === fingerprint.value ? outcome : { kind: "changed", to: now, began };
}

async function stageWhenComplete(content: SeenContent, stager: Stager, most: number): Promise<Outcome> {
  const { path, kind, record } = content;
  try {
    if (kind === "code")
      throw new Rejection("it is a single file; a plugin is a folder or an archive with a package.json");
    const missing = await incompleteness(content, stager, most);
    if (missing !== undefined) return missing;
    const folder = kind === "archive" ? await unpackWhole(path, stager) : path;
    return { kind: "staged", snapshot: await stager.stage(folder, record) };
  } catch (error) {
    return { kind: "refused", error };
  }
}

async function unpackWhole(archive: string, stager: Stager): Promise<string> {
  const folder = await stager.unpack(archive);
  const { waiting } = await stager.completeness(folder);
  if (waiting !== undefined) throw new Rejection(`the archive is not complete: ${waiting}`);
  return folder;
}

/** Undefined when the content is complete. Throws a `Rejection` for a content that can never be. */
async function incompleteness(
  content: SeenContent,
  stager: Stager,
  most: number,
): Promise<Outcome | undefined> {
  const { path, kind, fingerprint, settled, changedWhileStaging } = content;
  try {
    if (fingerprint.count > most) {
      throw new Rejection(`it has more than ${most} files and folders (plugins.archives.files)`);
    }
    if (fingerprint.strange !== undefined) {
      throw new Rejection(`${fingerprint.strange} is neither a file nor a folder`);
    }
    if (kind === "folder") {
      const { listed, waiting } = await stager.completeness(path);
      if (listed && waiting !== undefined) return { kind: "incomplete", lacking: waiting };
      if (listed && !changedWhileStaging) return undefined;
    }
  } catch (error) {
    // The cause may be an incomplete file.
    if (settled) throw error;
  }
  return settled ? undefined : { kind: "incomplete", lacking: undefined };
}

/** Why a content was not staged. */
interface Refusal {
  /** For admins. */
  reason: string;
  /** `content` has to change; `host` is retried on request; `disk` is retried when there may be space. */
  fault: "content" | "host" | "disk";
}

/** Full scans between two attempts for a content without disk space. */
const scansBetweenRetries = 15;

/** When to retry after a fault, by `performance.now()`; infinite: on request only; undefined: never. */
export function retryTime(fault: Refusal["fault"], rescanInterval: number): number | undefined {
  if (fault === "content") return undefined;
  if (fault === "host") return Number.POSITIVE_INFINITY;
  return performance.now() + scansBetweenRetries * rescanInterval;
}

/** Classifies an error of staging. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof StorageRejection)
    return { reason: `${error.message}; it is tried again`, fault: "disk" };
  const problem = storageProblem(error) ?? (error instanceof Error ? storageProblem(error.cause) : undefined);
  if (problem !== undefined)
    return { reason: `${problem} to store the plugin; it is tried again`, fault: "disk" };
  if (error instanceof Rejection) return { reason: error.message, fault: "content" };
  return { reason: `it could not be staged: ${describeProblem(error)}`, fault: "host" };
}
