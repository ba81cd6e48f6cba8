import type { FoundPlace } from "../packages/discovery.js";
import { describeProblem, isSystemError } from "../packages/plugin-files.js";
import { BufferedJournal, StateRecord } from "../plugin-state.js";
import { isSame, type Snapshot } from "../snapshots/snapshot.js";
import { attemptContent, type Refusal, refusalOf } from "./content-attempt.js";
import { ContentProgress } from "./content-progress.js";
import { type Fingerprint, takeFingerprint } from "./fingerprint.js";
import type { IntakeOptions, Place, PlaceLook } from "./source-state.js";

/** What a content came to. */
interface Decision {
  place: Place;
  /** The host was at fault, not the content: it is tried again at this time, or when somebody asks. */
  retryAt: number | undefined;
}

/** So many looks at everything lie between two tries of what the host has no room for. */
const looksBetweenTries = 15;

const beingCopied = "It is still being copied.";

/**
 * Follows one place from look to look: waits until its content is complete, has it staged, and decides. What it shows is
 * either what was decided last, or a content that is being waited for. Times are those of `performance.now()`.
 */
export class KeptPlace {
  private readonly progress: ContentProgress;
  private current: Place;
  private decision: Decision | undefined;
  /** What a decided content may come to when it is tried again; shown when it came to something else. */
  private retried: Place | undefined;
  /** Holds the events of a content that may turn out to be the one that there was. */
  private buffered: BufferedJournal | undefined;
  private missingSince: number | undefined;
  private problem: string | undefined;
  /** While it is taken in, looks only note what they see. */
  private busy = false;
  private ended = false;

  constructor(
    readonly path: string,
    private readonly options: IntakeOptions,
  ) {
    this.progress = new ContentProgress(this.settlingTime);
    this.current = { path, record: new StateRecord(path, options.journal), snapshot: undefined };
  }

  get place(): Place {
    return this.current;
  }

  /** Of the last look: undefined when it could not be read. */
  get fingerprint(): Fingerprint | undefined {
    return this.progress.seen;
  }

  get isFolder(): boolean {
    return this.progress.kind === "folder";
  }

  /** Sees what lies there. */
  async look(kind: FoundPlace["kind"], { full, asked, starting }: PlaceLook): Promise<void> {
    const began = performance.now();
    try {
      const fingerprint = await takeFingerprint(this.path, this.options.configuration.archives.files);
      // A link that leads somewhere by now is for the next look.
      if (kind === "lost") return this.lose();
      this.progress.kind = kind;
      this.missingSince = undefined;
      this.problem = undefined;
      if (full) this.reconsider(fingerprint, asked);
      this.note(fingerprint, began);
      if (starting && Date.now() - fingerprint.changed > this.settlingTime) this.progress.countAsSettled();
      this.judge();
    } catch (error) {
      this.lose();
      // A link that leads nowhere is there; anything else went away since its folder was read.
      if (kind === "lost" || !isSystemError(error) || error.code !== "ENOENT") this.complain(error);
    }
  }

  /** It is not there. */
  miss(): void {
    this.missingSince ??= performance.now();
    this.progress.forget();
  }

  /** Whether it has been away for so long that nobody is replacing it. */
  isGone(): boolean {
    return !this.busy && this.missingFor() >= this.settlingTime;
  }

  /** Nobody can know whether it is there. */
  lose(): void {
    this.missingSince = undefined;
    this.progress.forget();
  }

  /** Nothing of it is taken in any more. */
  end(): void {
    this.ended = true;
  }

  /** Milliseconds until a look at it may come to something new without anything having changed. */
  nextLook(): number {
    if (this.busy) return Number.POSITIVE_INFINITY;
    if (this.missingSince !== undefined) return Math.max(0, this.settlingTime - this.missingFor());
    return this.progress.nextLook();
  }

  /** Whether there is something to take in now; then `takeIn` has to follow. */
  claim(): boolean {
    if (this.busy || this.ended || !this.progress.isDue()) return false;
    this.busy = true;
    return true;
  }

  /** Decides about what lies there, or finds it incomplete. */
  async takeIn(): Promise<void> {
    try {
      let { seen } = this.progress;
      while (seen !== undefined && !this.ended && this.progress.isDue()) {
        await this.attempt(seen);
        seen = this.progress.seen;
      }
    } finally {
      this.busy = false;
      if (!this.ended) this.judge();
    }
  }

  private note(fingerprint: Fingerprint, began: number): void {
    const showsDecision = this.current === this.decision?.place && this.retried === undefined;
    this.progress.see(fingerprint, began, showsDecision && this.progress.isNews(fingerprint));
  }

  /** Shows what was seen: what was decided already, or something to wait for. */
  private judge(): void {
    const { progress, decision } = this;
    if (this.busy || progress.seen === undefined || this.isRetried()) return;
    if (decision !== undefined && !progress.isOpen()) {
      this.buffered = undefined;
      this.show(decision.place);
    } else if (this.current === decision?.place) {
      this.expectContent(decision.place.snapshot !== undefined, beingCopied);
    } else if (progress.kind === "archive" && !progress.isSettled()) this.wait(beingCopied);
  }

  private async attempt(fingerprint: Fingerprint): Promise<void> {
    const { path, progress } = this;
    const { kind, restless } = progress;
    const { record } = this.retried ?? this.current;
    const settled = progress.isSettled();
    progress.ask(fingerprint);
    const outcome = await attemptContent(
      { path, kind, fingerprint, record, settled, restless },
      this.options,
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
    this.progress.restless = true;
    this.expectContent(this.buffered !== undefined, "It has changed while it was being staged.");
    if (fingerprint === undefined) this.progress.forget();
    else this.note(fingerprint, began);
  }

  private accept(fingerprint: Fingerprint, snapshot: Snapshot): void {
    const before = this.decision?.place.snapshot;
    this.progress.decide(fingerprint);
    if (before !== undefined && isUnchanged(before, snapshot)) return;
    const { path } = this;
    const { record } = this.retried ?? this.current;
    record.transition("staged");
    this.decide({ place: { path, record, snapshot }, retryAt: undefined });
  }

  private refuse(fingerprint: Fingerprint, error: unknown): void {
    const { path, decision } = this;
    const { reason, fault } = refusalOf(error);
    const retryAt = this.retryTime(fault);
    this.progress.decide(fingerprint);
    if (this.retried !== undefined && decision?.place.record.current.reason === reason) {
      // Nobody has to hear the same again and again.
      this.buffered = undefined;
      this.retried = undefined;
      this.decision = { ...decision, retryAt };
      return;
    }
    const { record } = this.retried ?? this.current;
    if (retryAt !== undefined) this.options.log.error("A plugin could not be staged", { place: path, error });
    record.transition("rejected", reason);
    this.decide({ place: { path, record, snapshot: undefined }, retryAt });
  }

  /** By `performance.now()`. */
  private retryTime(fault: Refusal["fault"]): number | undefined {
    if (fault === "content") return undefined;
    if (fault === "host") return Number.POSITIVE_INFINITY;
    return performance.now() + looksBetweenTries * this.options.configuration.rescanInterval;
  }

  private decide(decision: Decision): void {
    this.buffered?.release();
    this.buffered = undefined;
    this.retried = undefined;
    this.decision = decision;
    this.show(decision.place);
  }

  private reconsider(fingerprint: Fingerprint, asked: boolean): void {
    if (this.busy) return;
    this.progress.askAgain();
    const retryAt = this.decision?.retryAt;
    if (retryAt === undefined || this.progress.isNews(fingerprint)) return;
    if (!asked && performance.now() < retryAt) return;
    const { path } = this;
    this.buffered = new BufferedJournal(this.options.journal);
    this.retried = { path, record: new StateRecord(path, this.buffered), snapshot: undefined };
    this.progress.undecide();
  }

  /** The content that is shown is the one that is tried again. */
  private isRetried(): boolean {
    return this.retried !== undefined && this.current === this.decision?.place && this.progress.isSettled();
  }

  /** `quietly`: it may be the content that there was before. */
  private expectContent(quietly: boolean, reason: string): void {
    const { journal } = this.options;
    this.retried = undefined;
    this.buffered = quietly ? new BufferedJournal(journal) : undefined;
    const record = new StateRecord(this.path, this.buffered ?? journal);
    record.transition("waiting", reason);
    this.show({ path: this.path, record, snapshot: undefined });
  }

  /** The first reason is an event; how it goes on is not. */
  private wait(reason: string): void {
    const { record } = this.retried ?? this.current;
    if (record.current.stage === "waiting") record.update({ reason });
    else record.transition("waiting", reason);
  }

  private complain(error: unknown): void {
    const isWaitedFor = !this.busy && this.current !== this.decision?.place;
    if (isWaitedFor) this.wait(`It cannot be read: ${describeProblem(error)}.`);
    const problem = String(error);
    if (problem === this.problem) return;
    this.problem = problem;
    this.options.log.warn("A plugin cannot be read; what is known of it stays.", { place: this.path, error });
  }

  private show(place: Place): void {
    if (place === this.current) return;
    this.current = place;
    if (!this.ended) this.options.changed();
  }

  private missingFor(): number {
    return this.missingSince === undefined ? 0 : performance.now() - this.missingSince;
  }

  private get settlingTime(): number {
    return this.options.configuration.settlingTime;
  }
}

/** The same content, said to come from the same hands. */
function isUnchanged(before: Snapshot, now: Snapshot): boolean {
  return isSame(before, now) && before.signedBy === now.signedBy && before.signingKey === now.signingKey;
}
