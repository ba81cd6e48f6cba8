import type { Log } from "@slipway/sdk";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import type { SupervisedPlugin, VersionObserver } from "../instances/supervised-plugin.js";
import { type Candidate, type Content, keyOf } from "./candidates.js";

export interface VersionsOptions {
  /** A version that is ready to be started. */
  supervise(candidate: Candidate, observer: VersionObserver): SupervisedPlugin;
  /** Observer of a version. */
  observer(version: RunningVersion): VersionObserver;
  /** It did not come up. */
  failed(candidate: Candidate, reason: string): void;
  /** The last of a version is gone. */
  retired(): void;
  log: Log;
}

/** The versions of one plugin that have a process: those that run, those that are being started, those that finish. */
export class RunningVersions {
  private readonly running = new Map<string, RunningVersion>();
  private readonly starting = new Map<string, RunningVersion>();
  /** Of those that are being started: those that are not stopped when another version is chosen. */
  private readonly required = new Set<string>();
  private readonly retiring = new Map<RunningVersion, Promise<void>>();

  constructor(private readonly options: VersionsOptions) {}

  /** Everything that has a process, or is about to get one. */
  get all(): RunningVersion[] {
    return [...this.running.values(), ...this.starting.values(), ...this.retiring.keys()];
  }

  /** Fit to serve. */
  get fit(): RunningVersion[] {
    return [...this.running.values()];
  }

  /** The version of a candidate, when it is fit to serve. */
  find(candidate: Candidate): RunningVersion | undefined {
    return this.running.get(keyOf(candidate));
  }

  /**
   * Starts a candidate unless it runs; never the same one twice at a time. `isRequired`: also when another one is chosen meanwhile.
   * Gives why it did not come up; undefined when it did, or is not wanted any more.
   */
  async bringUp(candidate: Candidate, isRequired: boolean): Promise<string | undefined> {
    const key = keyOf(candidate);
    if (this.running.has(key)) return undefined;
    const version = this.newVersion(this.withOwnRecord(candidate));
    this.starting.set(key, version);
    if (isRequired) this.required.add(key);
    try {
      await version.plugin.start();
      if (!version.plugin.isStopped) this.running.set(key, version);
      return undefined;
    } catch (error) {
      if (version.plugin.isStopped) return undefined;
      const reason = errorMessage(error);
      this.options.failed(version.candidate, reason);
      return reason;
    } finally {
      this.starting.delete(key);
      this.required.delete(key);
    }
  }

  /** Stops versions that are being started and not wanted any more. */
  stopUnwantedStarts(wanted: Iterable<Candidate>): void {
    if (this.starting.size === 0) return;
    const keys = new Set([...wanted].map(keyOf));
    for (const [key, { plugin }] of this.starting) {
      if (keys.has(key) || this.required.has(key)) continue;
      plugin.stop().catch((error: unknown) => this.options.log.error(didNotStop, { error }));
    }
  }

  /** Lets a version finish what it has begun. */
  retire(version: RunningVersion): void {
    this.running.delete(keyOf(version.candidate));
    version.endTrial();
    version.candidate.record.update({ releases: [] });
    const retired = version.plugin
      .retire()
      .catch((error: unknown) => this.options.log.error(didNotStop, { error }))
      .then(() => {
        this.retiring.delete(version);
        this.options.retired();
      });
    this.retiring.set(version, retired);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    for (const version of this.running.values()) version.endTrial();
    await Promise.all(this.all.map(({ plugin }) => plugin.stop()));
    await Promise.all(this.retiring.values());
  }

  /** One that still finishes requests goes on to tell of itself. */
  private withOwnRecord(candidate: Candidate): Candidate {
    const { record } = candidate;
    const isTaken = [...this.retiring.keys()].some((version) => version.candidate.record === record);
    return isTaken ? { ...candidate, record: record.another() } : candidate;
  }

  private newVersion(candidate: Candidate): RunningVersion {
    const version: RunningVersion = new RunningVersion(
      candidate,
      this.options.supervise(candidate, {
        crashed: () => this.options.observer(version).crashed(),
        explained: (reason) => this.options.observer(version).explained(reason),
        answered: (failed) => this.options.observer(version).answered(failed),
      }),
    );
    return version;
  }
}

const didNotStop = "A version of a plugin did not stop cleanly";

/** Requests that a version has answered. */
interface Outcomes {
  answered: number;
  /** Of these, how many failed by its fault. */
  failed: number;
}

/** Fewer failures say nothing. */
const fewest = 5;

/** Share of failed answers below which a version is not rolled back. */
const lowestRate = 0.1;

/** How much more often than its predecessor a version has to fail. */
const factor = 3;

/** Crashes that are long ago say nothing of today. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** A running version with its request outcomes and crashes. */
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

  get source(): string {
    return this.candidate.source;
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
  crashed(now = monotonicTime()): boolean {
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
    `${own.failed} of its first ${own.answered} requests failed; of the previous version, ` +
    `${predecessor.failed} of ${predecessor.answered}.`
  );
}

function rateOf({ answered, failed }: Outcomes): number {
  return answered === 0 ? 0 : failed / answered;
}
