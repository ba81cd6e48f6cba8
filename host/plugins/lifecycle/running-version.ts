import type { Candidate } from "./candidate.js";
import { failsMoreOften, type Outcomes } from "./probation.js";
import type { SupervisedPlugin } from "./supervised-plugin.js";

/** Crashes that are long ago say nothing of today. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** A version that runs, and how it does. */
export class RunningVersion {
  readonly outcomes: Outcomes = { answered: 0, failed: 0 };
  private crashes: number[] = [];
  private trial: { predecessor: RunningVersion; timer: NodeJS.Timeout } | undefined;

  constructor(
    readonly candidate: Candidate,
    readonly plugin: SupervisedPlugin,
  ) {}

  /** The version that stands by for this one. */
  get predecessor(): RunningVersion | undefined {
    return this.trial?.predecessor;
  }

  /** From now on `predecessor` stands by, until `over` is called after some milliseconds or the trial ends otherwise. */
  beginTrial(predecessor: RunningVersion, milliseconds: number, over: () => void): void {
    this.endTrial();
    const timer = setTimeout(over, milliseconds);
    timer.unref();
    this.trial = { predecessor, timer };
    this.candidate.record.learn({ probationUntil: Date.now() + milliseconds });
  }

  /** Gives the version that stood by; undefined when there was no trial. */
  endTrial(): RunningVersion | undefined {
    const { trial } = this;
    if (trial === undefined) return undefined;
    clearTimeout(trial.timer);
    this.trial = undefined;
    this.candidate.record.learn({ probationUntil: undefined });
    return trial.predecessor;
  }

  /** Takes an answer into account. Gives why the version is not fit, when it is on trial and turns out not to be. */
  answered(failed: boolean): string | undefined {
    this.outcomes.answered += 1;
    if (failed) this.outcomes.failed += 1;
    if (this.trial === undefined || !failed) return undefined;
    return failsMoreOften(this.outcomes, this.trial.predecessor.outcomes);
  }

  /** Takes a crash into account. Gives whether it is one too many for a version that could be replaced by another. */
  crashed(now = Date.now()): boolean {
    this.crashes = [...this.crashes.filter((moment) => now - moment < crashMemory), now];
    return this.trial !== undefined || this.crashes.length >= mostCrashes;
  }
}
