import { Rejection } from "../../system/errors.js";
import { StorageRejection, storageProblem } from "../../system/request-errors.js";
import type { FoundSource } from "../packages/discovery.js";
import { describeProblem } from "../packages/plugin-files.js";
import type { StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { type Fingerprint, takeFingerprint } from "./fingerprint.js";
import type { IntakeOptions } from "./source-state.js";

/** A content as observed by scans. */
export interface SeenContent {
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
export type Outcome =
  | { kind: "staged"; snapshot: Snapshot }
  | { kind: "refused"; error: unknown }
  | { kind: "incomplete"; lacking: string | undefined }
  | { kind: "changed"; to: Fingerprint | undefined; began: number };

/** Stages a complete content. Errors of the content are outcomes, never exceptions. */
export async function attemptContent(content: SeenContent, options: IntakeOptions): Promise<Outcome> {
  const outcome = await stageWhenComplete(content, options);
  if (outcome.kind === "incomplete") return outcome;
  const { path, fingerprint } = content;
  const began = performance.now();
  const now = await takeFingerprint(path, options.configuration.archives.files).catch(() => undefined);
  return now?.value === fingerprint.value ? outcome : { kind: "changed", to: now, began };
}

async function stageWhenComplete(content: SeenContent, options: IntakeOptions): Promise<Outcome> {
  const { path, kind, record } = content;
  try {
    const missing = await incompleteness(content, options);
    if (missing !== undefined) return missing;
    const folder = kind === "archive" ? await unpackWhole(path, options) : path;
    return { kind: "staged", snapshot: await options.stage(folder, record) };
  } catch (error) {
    return { kind: "refused", error };
  }
}

async function unpackWhole(archive: string, options: IntakeOptions): Promise<string> {
  const folder = await options.unpack(archive);
  const { waiting } = await options.completeness(folder);
  if (waiting !== undefined) throw new Rejection(`the archive is not complete: ${waiting}`);
  return folder;
}

/** Undefined when the content is complete. Throws a `Rejection` for a content that can never be. */
async function incompleteness(content: SeenContent, options: IntakeOptions): Promise<Outcome | undefined> {
  const { path, kind, fingerprint, settled, changedWhileStaging } = content;
  const most = options.configuration.archives.files;
  try {
    if (fingerprint.count > most) {
      throw new Rejection(`it has more than ${most} files and folders (plugins.archives.files)`);
    }
    if (fingerprint.strange !== undefined) {
      throw new Rejection(`${fingerprint.strange} is neither a file nor a folder`);
    }
    if (kind === "folder") {
      const { listed, waiting } = await options.completeness(path);
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
export interface Refusal {
  /** For admins. */
  reason: string;
  /** `content` has to change; `host` is retried on request; `disk` is retried when there may be space. */
  fault: "content" | "host" | "disk";
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
