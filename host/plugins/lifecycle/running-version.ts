import { steadyTime } from "../../steady-time.js";
import type { Candidate } from "./candidate.js";
import { failsMoreOften, type Outcomes } from "./probation.js";
import type { SupervisedPlugin } from "./supervised-plugin.js";

/** Crashes that are long ago say nothing of today. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** By release: the versions that stand by for their successor. */
export type Predecessors = ReadonlyMap<string, RunningVersion>;

/** A version that runs, and how it does. */
export class RunningVersion {
  readonly outcomes: Outcomes = { answered: 0, failed: 0 };
  /** Why its instance ended last, when that is known. */
  explanation: string | undefined;
  private crashes: number[] = [];
  private trial: { predecessors: Predecessors; timer: NodeJS.Timeout } | undefined;

  constructor(
    readonly candidate: Candidate,
    readonly plugin: SupervisedPlugin,
  ) {}

  /** The versions that stand by for this one; none when it is not on trial. */
  get predecessors(): RunningVersion[] {
    return [...(this.trial?.predecessors.values() ?? [])];
  }

  /**
   * From now on `predecessors` stand by, until the trial ends otherwise, or `over` is called: after some milliseconds,
   * when what was asked by then is answered.
   */
  beginTrial(predecessors: Predecessors, milliseconds: number, over: () => void): void {
    this.endTrial();
    // What it has not answered by then may be what it fails at.
    const end = (): void =>
      void this.plugin.answers().then(() => {
        if (this.trial === trial) over();
      });
    const trial = { predecessors, timer: setTimeout(end, milliseconds).unref() };
    this.trial = trial;
    this.candidate.record.learn({ probationUntil: Date.now() + milliseconds });
  }

  /** Gives the versions that stood by; undefined when there was no trial. */
  endTrial(): Predecessors | undefined {
    const { trial } = this;
    if (trial === undefined) return undefined;
    clearTimeout(trial.timer);
    this.trial = undefined;
    this.candidate.record.learn({ probationUntil: undefined });
    return trial.predecessors;
  }

  /** Takes an answer into account. Gives why the version is not fit, when it is on trial and turns out not to be. */
  answered(failed: boolean): string | undefined {
    this.outcomes.answered += 1;
    if (failed) this.outcomes.failed += 1;
    if (this.trial === undefined || !failed) return undefined;
    const [predecessor] = this.predecessors;
    return failsMoreOften(this.outcomes, predecessor?.outcomes ?? { answered: 0, failed: 0 });
  }

  /** Takes a crash into account. Gives whether it is one too many for a version that could be replaced by another. */
  crashed(now = steadyTime()): boolean {
    this.explanation = undefined;
    this.crashes = [...this.crashes.filter((moment) => now - moment < crashMemory), now];
    return this.trial !== undefined || this.crashes.length >= mostCrashes;
  }
}
