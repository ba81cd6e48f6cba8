import { StateRecord } from "../plugin-state.js";
import { isSame, type Snapshot } from "../snapshots/snapshot.js";
import { attemptContent } from "./content-attempt.js";
import type { FoundPlace } from "./discovery.js";
import { type Fingerprint, takeFingerprint } from "./fingerprint.js";
import { HeldJournal } from "./held-journal.js";
import type { IntakeOptions } from "./intake-options.js";
import type { Place } from "./place.js";
import { describeProblem, isSystemError } from "./place-problem.js";
import { Rejection } from "./rejection.js";
import { Settling } from "./settling.js";

/** What a content came to. */
interface Decision {
  fingerprint: string;
  /** Files and folders of the content. */
  count: number;
  place: Place;
  /** The host was at fault, not the content: it is tried again when somebody asks. */
  failed: boolean;
}

const beingCopied = "It is still being copied.";

/**
 * Follows one place from look to look: waits until its content is complete, has it staged, and decides. What it shows is
 * either what was decided last, or a content that is being waited for. Times are those of `performance.now()`.
 */
export class KeptPlace {
  private kind: FoundPlace["kind"] = "lost";
  private current: Place;
  private decision: Decision | undefined;
  /** Undefined as long as nobody knows what lies there. */
  private latest: Fingerprint | undefined;
  /** When the last look began that has seen it. */
  private seenAt = 0;
  private settling: Settling;
  /** Holds the events of a content that may turn out to be the one that there was. */
  private held: HeldJournal | undefined;
  /** The fingerprint of which it is known whether it has a list of files. */
  private asked: string | undefined;
  /** The fingerprint that lacks files of its list. */
  private incomplete: string | undefined;
  private restless = false;
  private missingSince: number | undefined;
  private problem: string | undefined;
  /** While it is taken in, looks only note what they see. */
  private busy = false;
  private ended = false;

  constructor(
    readonly path: string,
    private readonly options: IntakeOptions,
  ) {
    this.settling = new Settling(this.settlingTime);
    this.current = { path, record: new StateRecord(path, options.journal), snapshot: undefined };
  }

  get place(): Place {
    return this.current;
  }

  /** Of the last look: undefined when it could not be read. */
  get fingerprint(): Fingerprint | undefined {
    return this.latest;
  }

  get isFolder(): boolean {
    return this.kind === "folder";
  }

  /** Sees what lies there. `asked`: what the host failed to do is tried again; `starting`: the host starts. */
  async look(kind: FoundPlace["kind"], { asked = false, starting = false } = {}): Promise<void> {
    const began = performance.now();
    try {
      const fingerprint = await takeFingerprint(this.path, this.options.configuration.archives.files);
      // A link that leads somewhere by now is for the next look.
      if (kind === "lost") return this.lose();
      this.kind = kind;
      this.missingSince = undefined;
      this.problem = undefined;
      if (asked) this.reconsider();
      this.note(fingerprint, began);
      if (starting && Date.now() - fingerprint.changed > this.settlingTime) this.settling.skip(began);
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
    this.latest = undefined;
  }

  /** Whether it has been away for so long that nobody is replacing it. */
  isGone(): boolean {
    return !this.busy && this.missingFor() >= this.settlingTime;
  }

  /** Nobody can know whether it is there. */
  lose(): void {
    this.missingSince = undefined;
    this.latest = undefined;
  }

  /** Nothing of it is taken in any more. */
  end(): void {
    this.ended = true;
  }

  /** Milliseconds until a look at it may come to something new without anything having changed. */
  nextLook(): number {
    if (this.busy) return Number.POSITIVE_INFINITY;
    if (this.missingSince !== undefined) return Math.max(0, this.settlingTime - this.missingFor());
    if (!this.isOpen()) return Number.POSITIVE_INFINITY;
    const remaining = this.settling.remaining(performance.now());
    if (remaining === 0 && this.incomplete === this.latest?.value) return Number.POSITIVE_INFINITY;
    // Seen rarely, steady copying would look as if it made pauses.
    return Math.min(remaining, this.settlingTime / 2);
  }

  /** Whether there is something to take in now; then `takeIn` has to follow. */
  claim(): boolean {
    if (this.busy || !this.isDue()) return false;
    this.busy = true;
    return true;
  }

  /** Decides about what lies there, or finds it incomplete. */
  async takeIn(): Promise<void> {
    try {
      while (this.latest !== undefined && this.isDue()) await this.attempt(this.latest);
    } finally {
      this.busy = false;
      if (!this.ended) this.judge();
    }
  }

  private note(fingerprint: Fingerprint, began: number): void {
    this.latest = fingerprint;
    this.seenAt = began;
    if (this.current === this.decision?.place && this.isOpen()) this.beginSettling(fingerprint.count);
    this.settling.see(fingerprint.value, performance.now());
  }

  /** A copying that only made a longer pause goes on; an edit does not come with more files. */
  private beginSettling(count: number): void {
    const goesOn = this.settling.mayGoOn(performance.now()) && count > (this.decision?.count ?? 0);
    if (!goesOn) this.settling = new Settling(this.settlingTime);
  }

  /** Shows what was seen: what was decided already, or something to wait for. */
  private judge(): void {
    if (this.busy || this.latest === undefined) return;
    const { decision } = this;
    if (decision !== undefined && !this.isOpen()) {
      this.held = undefined;
      this.show(decision.place);
    } else if (this.current === decision?.place) {
      this.restless = false;
      this.expectContent(decision.place.snapshot !== undefined, beingCopied);
    } else if (this.kind === "archive" && !this.isSettled()) this.wait(beingCopied);
  }

  private async attempt(fingerprint: Fingerprint): Promise<void> {
    this.asked = fingerprint.value;
    const { path, kind, restless } = this;
    const { record } = this.current;
    const settled = this.isSettled();
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

  private lack({ value }: Fingerprint, lacking: string | undefined): void {
    if (lacking === undefined) {
      this.wait(beingCopied);
      return;
    }
    this.incomplete = value;
    this.held?.release();
    this.wait(`${lacking} are there.`);
  }

  private startOver(fingerprint: Fingerprint | undefined, began: number): void {
    this.restless = true;
    this.expectContent(this.held !== undefined, "It has changed while it was being staged.");
    if (fingerprint === undefined) this.latest = undefined;
    else this.note(fingerprint, began);
  }

  private accept({ value, count }: Fingerprint, snapshot: Snapshot): void {
    const before = this.decision;
    if (before !== undefined && isUnchanged(before.place.snapshot, snapshot)) {
      this.decision = { ...before, fingerprint: value, count };
      return;
    }
    const { path } = this;
    const { record } = this.current;
    record.enter("staged");
    this.decide({ fingerprint: value, count, place: { path, record, snapshot }, failed: false });
  }

  private refuse({ value, count }: Fingerprint, error: unknown): void {
    const { path } = this;
    const { record } = this.current;
    const failed = !(error instanceof Rejection);
    if (failed) this.options.log.error("A plugin could not be staged", { place: path, error });
    record.enter("rejected", failed ? `it could not be staged: ${describeProblem(error)}` : error.message);
    this.decide({ fingerprint: value, count, place: { path, record, snapshot: undefined }, failed });
  }

  private decide(decision: Decision): void {
    this.held?.release();
    this.held = undefined;
    this.decision = decision;
    this.show(decision.place);
  }

  private reconsider(): void {
    if (this.busy) return;
    this.asked = undefined;
    this.incomplete = undefined;
    if (this.decision?.failed === true && this.current === this.decision.place) this.decision = undefined;
  }

  /** `quietly`: it may be the content that there was before. */
  private expectContent(quietly: boolean, reason: string): void {
    const { journal } = this.options;
    this.held = quietly ? new HeldJournal(journal) : undefined;
    const record = new StateRecord(this.path, this.held ?? journal);
    record.enter("waiting", reason);
    this.show({ path: this.path, record, snapshot: undefined });
  }

  /** The first reason is an event; how it goes on is not. */
  private wait(reason: string): void {
    const { record } = this.current;
    if (record.current.stage === "waiting") record.learn({ reason });
    else record.enter("waiting", reason);
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

  /** There is a content that nobody has decided about. */
  private isOpen(): boolean {
    return this.latest !== undefined && this.latest.value !== this.decision?.fingerprint;
  }

  private isDue(): boolean {
    if (this.ended || !this.isOpen() || this.incomplete === this.latest?.value) return false;
    return (
      this.isSettled() || (this.kind === "folder" && !this.restless && this.asked !== this.latest?.value)
    );
  }

  private isSettled(): boolean {
    return this.settling.remaining(this.seenAt) === 0;
  }

  private missingFor(): number {
    return this.missingSince === undefined ? 0 : performance.now() - this.missingSince;
  }

  private get settlingTime(): number {
    return this.options.configuration.settlingTime;
  }
}

/** The same content, said to come from the same hands. */
function isUnchanged(before: Snapshot | undefined, now: Snapshot): boolean {
  return before !== undefined && isSame(before, now) && before.signedBy === now.signedBy;
}
