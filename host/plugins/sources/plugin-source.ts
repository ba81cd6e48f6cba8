/** One source of a drop-in folder: its states, from the first scan of a content to the decision about it. */
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { Rejection } from "../../system/errors.js";
import { StorageRejection, storageProblem } from "../../system/request-errors.js";
import { describeProblem, isSystemError } from "../plugin-files.js";
import { BufferedJournal, StateRecord } from "../plugin-state.js";
import { isSameSigned, type Snapshot } from "../snapshots/snapshots.js";
import {
  attemptContent,
  ContentProgress,
  type Fingerprint,
  type SourceKind,
  type Stager,
  takeFingerprint,
} from "./source-content.js";

/** Dependencies of every source. */
export interface SourceOptions {
  stager: Stager;
  configuration: Pick<PluginsConfiguration, "settlingTime" | "rescanInterval" | "archives" | "development">;
  journal: Journal;
  log: Log;
  /** Called after every change of what the sources offer. */
  changed(): void;
}

/** One source of a drop-in folder: a folder, a link to one, or an archive. */
export interface SourceState {
  /** Absolute; identifies the source across changes of its content. */
  readonly path: string;
  /** State of the current content. New content gets a new record. */
  readonly record: StateRecord;
  /** Undefined while the content is incomplete or refused; the record has the reason. */
  readonly snapshot: Snapshot | undefined;
}

/** Options for the scan of a source. */
export interface SourceScan {
  /** Scan all sources, not only those that may have changed. */
  full: boolean;
  /** Requested by an admin: failures of the host are retried. */
  requested: boolean;
  /** First scan of this source since the start: content without recent changes counts as complete. */
  starting: boolean;
}

/** The outcome for a content. */
interface Decision {
  state: SourceState;
  /** When to retry after a failure of the host; infinite: on request only. */
  retryAt: number | undefined;
}

const beingCopied = "It is still being copied.";

/**
 * One source of a plugin in a drop-in folder. Waits until the content is complete, has it staged, and decides. Its
 * state is either the last decision or a content that is still incomplete. Times are those of `performance.now()`.
 */
export class PluginSource {
  private readonly progress: ContentProgress;
  private current: SourceState;
  private decision: Decision | undefined;
  /** State of a decided content during a retry; shown if the outcome differs. */
  private retried: SourceState | undefined;
  /** Buffers the events of a content that may be unchanged. */
  private buffered: BufferedJournal | undefined;
  private missingSince: number | undefined;
  private problem: string | undefined;
  /** During processing, scans only record their results. */
  private busy = false;
  private ended = false;

  constructor(
    readonly path: string,
    private readonly options: SourceOptions,
  ) {
    this.progress = new ContentProgress(this.settlingTime, !options.configuration.development);
    this.current = { path, record: new StateRecord(path, options.journal), snapshot: undefined };
  }

  get state(): SourceState {
    return this.current;
  }

  /** Undefined when the last scan could not read the source. */
  get fingerprint(): Fingerprint | undefined {
    return this.progress.seen;
  }

  get isFolder(): boolean {
    return this.progress.kind === "folder";
  }

  async scan(kind: SourceKind, { full, requested, starting }: SourceScan): Promise<void> {
    const began = performance.now();
    try {
      const fingerprint = await takeFingerprint(this.path, this.options.configuration.archives.files);
      // The target of a broken link has appeared; the next scan reads it.
      if (kind === "lost") return this.markUnreadable();
      this.progress.kind = kind;
      this.missingSince = undefined;
      this.problem = undefined;
      if (full) this.reconsider(fingerprint, requested);
      this.note(fingerprint, began);
      if (starting && Date.now() - fingerprint.changed > this.settlingTime) this.progress.markStable();
      this.updateState();
    } catch (error) {
      this.markUnreadable();
      // A broken link is present; any other source was removed since its folder was read.
      if (kind === "lost" || !isSystemError(error) || error.code !== "ENOENT") this.complain(error);
    }
  }

  /** Records that the source is missing. */
  markMissing(): void {
    this.missingSince ??= performance.now();
    this.progress.forget();
  }

  /** The host has removed it and will not replace it. */
  withdraw(): void {
    this.missingSince = Number.NEGATIVE_INFINITY;
  }

  /** Whether it has been missing for longer than a replacement takes. */
  isRemoved(): boolean {
    return !this.busy && this.missingFor() >= this.settlingTime;
  }

  /** Records that the source cannot be read and may still exist. */
  markUnreadable(): void {
    this.missingSince = undefined;
    this.progress.forget();
  }

  /** Stops processing. */
  end(): void {
    this.ended = true;
  }

  /** Milliseconds until a scan is useful without an event. */
  nextScan(): number {
    if (this.busy) return Number.POSITIVE_INFINITY;
    if (this.missingSince !== undefined) return Math.max(0, this.settlingTime - this.missingFor());
    return this.progress.nextScan();
  }

  /** Whether there is a content to process now; the caller then calls `process`. */
  claim(): boolean {
    if (this.busy || this.ended || !this.progress.isDue()) return false;
    this.busy = true;
    return true;
  }

  /** Stages or refuses the content, or finds it incomplete. */
  async process(): Promise<void> {
    try {
      let { seen } = this.progress;
      while (seen !== undefined && !this.ended && this.progress.isDue()) {
        await this.attempt(seen);
        seen = this.progress.seen;
      }
    } finally {
      this.busy = false;
      if (!this.ended) this.updateState();
    }
  }

  private note(fingerprint: Fingerprint, began: number): void {
    const showsDecision = this.current === this.decision?.state && this.retried === undefined;
    this.progress.see(fingerprint, began, showsDecision && this.progress.isNews(fingerprint));
  }

  /** Sets the state to the decision or to the expected content. */
  private updateState(): void {
    const { progress, decision } = this;
    if (this.busy || progress.seen === undefined || this.isRetried()) return;
    if (decision !== undefined && !progress.isOpen()) {
      this.buffered = undefined;
      this.show(decision.state);
    } else if (this.current === decision?.state) {
      this.expectContent(decision.state.snapshot !== undefined, beingCopied);
    } else if (progress.kind === "archive" && !progress.isStable()) this.wait(beingCopied);
  }

  private async attempt(fingerprint: Fingerprint): Promise<void> {
    const { path, progress } = this;
    const { kind, changedWhileStaging } = progress;
    const { record } = this.retried ?? this.current;
    const settled = progress.isStable();
    progress.ask(fingerprint);
    const outcome = await attemptContent(
      { path, kind, fingerprint, record, settled, changedWhileStaging },
      this.options.stager,
      this.options.configuration.archives.files,
    );
    if (this.ended) return;
    if (outcome.kind === "incomplete") this.lack(fingerprint, outcome.lacking);
    else if (outcome.kind === "changed") this.startOver(outcome.to, outcome.began);
    else if (outcome.kind === "staged") this.accept(fingerprint, outcome.snapshot);
    else this.refuse(fingerprint, outcome.error);
  }

  private lack(fingerprint: Fingerprint, lacking: string | undefined): void {
    if (lacking !== undefined) {
      this.progress.lack(fingerprint);
      this.buffered?.release();
    }
    this.wait(lacking ?? beingCopied);
  }

  private startOver(fingerprint: Fingerprint | undefined, began: number): void {
    this.progress.changedWhileStaging = true;
    this.expectContent(this.buffered !== undefined, "It has changed while it was being staged.");
    if (fingerprint === undefined) this.progress.forget();
    else this.note(fingerprint, began);
  }

  private accept(fingerprint: Fingerprint, snapshot: Snapshot): void {
    const before = this.decision?.state.snapshot;
    this.progress.decide(fingerprint);
    if (before !== undefined && isSameSigned(before, snapshot)) return;
    const { path } = this;
    const { record } = this.retried ?? this.current;
    record.transition("staged");
    this.decide({ state: { path, record, snapshot }, retryAt: undefined });
  }

  private refuse(fingerprint: Fingerprint, error: unknown): void {
    const { path, decision } = this;
    const { reason, fault } = refusalOf(error);
    const retryAt = retryTime(fault, this.options.configuration.rescanInterval);
    this.progress.decide(fingerprint);
    if (this.retried !== undefined && decision?.state.record.current.reason === reason) {
      // The same refusal is not reported again.
      this.buffered = undefined;
      this.retried = undefined;
      this.decision = { ...decision, retryAt };
      return;
    }
    const { record } = this.retried ?? this.current;
    if (retryAt !== undefined) this.options.log.error("A plugin could not be staged", { place: path, error });
    record.transition("rejected", reason);
    this.decide({ state: { path, record, snapshot: undefined }, retryAt });
  }

  private decide(decision: Decision): void {
    this.buffered?.release();
    this.buffered = undefined;
    this.retried = undefined;
    this.decision = decision;
    this.show(decision.state);
  }

  private reconsider(fingerprint: Fingerprint, requested: boolean): void {
    if (this.busy) return;
    this.progress.askAgain();
    const retryAt = this.decision?.retryAt;
    if (retryAt === undefined || this.progress.isNews(fingerprint)) return;
    if (!requested && performance.now() < retryAt) return;
    const { path } = this;
    this.buffered = new BufferedJournal(this.options.journal);
    this.retried = { path, record: new StateRecord(path, this.buffered), snapshot: undefined };
    this.progress.clearDecision();
  }

  /** Whether the shown content is being retried. */
  private isRetried(): boolean {
    return this.retried !== undefined && this.current === this.decision?.state && this.progress.isStable();
  }

  /** `quietly`: it may be the previous content. */
  private expectContent(quietly: boolean, reason: string): void {
    const { journal } = this.options;
    this.retried = undefined;
    this.buffered = quietly ? new BufferedJournal(journal) : undefined;
    const record = new StateRecord(this.path, this.buffered ?? journal);
    record.transition("waiting", reason);
    this.show({ path: this.path, record, snapshot: undefined });
  }

  /** Only the first reason is an event; progress is not. */
  private wait(reason: string): void {
    const { record } = this.retried ?? this.current;
    if (record.current.stage === "waiting") record.update({ reason });
    else record.transition("waiting", reason);
  }

  private complain(error: unknown): void {
    const isWaitedFor = !this.busy && this.current !== this.decision?.state;
    const isBroken = isSystemError(error) && error.code === "ENOENT";
    const reason = isBroken ? "it is a link to something that is not there" : describeProblem(error);
    if (isWaitedFor) this.wait(`It cannot be read: ${reason}.`);
    const problem = String(error);
    if (problem === this.problem) return;
    this.problem = problem;
    this.options.log.warn("A plugin cannot be read; its last known state stays.", {
      place: this.path,
      error,
    });
  }

  private show(state: SourceState): void {
    if (state === this.current) return;
    this.current = state;
    if (!this.ended) this.options.changed();
  }

  private missingFor(): number {
    return this.missingSince === undefined ? 0 : performance.now() - this.missingSince;
  }

  private get settlingTime(): number {
    return this.options.configuration.settlingTime;
  }
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
function retryTime(fault: Refusal["fault"], rescanInterval: number): number | undefined {
  if (fault === "content") return undefined;
  if (fault === "host") return Number.POSITIVE_INFINITY;
  return performance.now() + scansBetweenRetries * rescanInterval;
}

/** Classifies an error of staging. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof StorageRejection)
    return { reason: `${error.message}; it is tried again`, fault: "disk" };
  const problem = storageProblem(error) ?? (error instanceof Error ? storageProblem(error.cause) : undefined);
  if (problem !== undefined)
    return { reason: `${problem} to store the plugin; it is tried again`, fault: "disk" };
  if (error instanceof Rejection) return { reason: error.message, fault: "content" };
  return { reason: `it could not be staged: ${describeProblem(error)}`, fault: "host" };
}
