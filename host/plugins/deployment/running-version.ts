import { steadyTime } from "../../system/monotonic-time.js";
import type { SupervisedPlugin } from "../instances/supervised-plugin.js";
import type { Candidate, Content } from "./candidate.js";

/** Requests that a version has answered. */
interface Outcomes {
  answered: number;
  /** Of these, how many failed by its fault. */
  failed: number;
}

/** Fewer failures say nothing. */
const fewest = 5;

/** Of a version's own answers; below, nobody is rolled back. */
const lowestRate = 0.1;

/** How much more often than its predecessor a version has to fail. */
const factor = 3;

/** Crashes that are long ago say nothing of today. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** A version that runs, and how it does. */
export class RunningVersion implements Content {
  readonly outcomes: Outcomes = { answered: 0, failed: 0 };
  /** Why its instance ended last, when that is known. */
  explanation: string | undefined;
  private crashes: number[] = [];
  private trial: { against: Outcomes; timer: NodeJS.Timeout } | undefined;

  constructor(
    readonly candidate: Candidate,
    readonly plugin: SupervisedPlugin,
  ) {}

  get snapshot(): Candidate["snapshot"] {
    return this.candidate.snapshot;
  }

  get place(): string {
    return this.candidate.place;
  }

  /**
   * From now on it is measured against how the version before did, until the trial ends otherwise, or `over` is called:
   * after some milliseconds, when what was asked by then is answered.
   */
  beginTrial(before: RunningVersion | undefined, milliseconds: number, over: () => void): void {
    this.endTrial();
    // What it has not answered by then may be what it fails at.
    const end = (): void =>
      void this.plugin.answers().then(() => {
        if (this.trial === trial) over();
      });
    const against = before?.outcomes ?? { answered: 0, failed: 0 };
    const trial = { against, timer: setTimeout(end, milliseconds).unref() };
    this.trial = trial;
    this.candidate.record.update({ probationUntil: Date.now() + milliseconds });
  }

  endTrial(): void {
    if (this.trial === undefined) return;
    clearTimeout(this.trial.timer);
    this.trial = undefined;
    this.candidate.record.update({ probationUntil: undefined });
  }

  /** Takes an answer into account. Gives why the version is not fit, when it is on trial and turns out not to be. */
  answered(failed: boolean): string | undefined {
    this.outcomes.answered += 1;
    if (failed) this.outcomes.failed += 1;
    if (this.trial === undefined || !failed) return undefined;
    return failsMoreOften(this.outcomes, this.trial.against);
  }

  /** Takes a crash into account. Gives whether it is one too many for a version that could be replaced by another. */
  crashed(now = steadyTime()): boolean {
    this.explanation = undefined;
    this.crashes = [...this.crashes.filter((moment) => now - moment < crashMemory), now];
    return this.trial !== undefined || this.crashes.length >= mostCrashes;
  }
}

/** Why a version failed clearly more often than the one that it replaced; undefined when it did not. */
function failsMoreOften(own: Outcomes, predecessor: Outcomes): string | undefined {
  const rate = rateOf(own);
  if (own.failed < fewest || rate < lowestRate || rate < factor * rateOf(predecessor)) return undefined;
  return (
    `${own.failed} of its first ${own.answered} requests failed, of the version before ` +
    `${predecessor.failed} of ${predecessor.answered}.`
  );
}

function rateOf({ answered, failed }: Outcomes): number {
  return answered === 0 ? 0 : failed / answered;
}
