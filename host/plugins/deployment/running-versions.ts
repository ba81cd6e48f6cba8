import type { Log } from "@slipway/sdk";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import type { SupervisedPlugin, VersionObserver } from "../instances/supervised-plugin.js";
import { type Candidate, type Content, keyOf } from "./candidates.js";

export interface VersionsOptions {
  /** Creates a version that is ready to start. */
  supervise(candidate: Candidate, observer: VersionObserver): SupervisedPlugin;
  observer(version: RunningVersion): VersionObserver;
  /** The start failed. */
  failed(candidate: Candidate, reason: string): void;
  /** A retired version has ended. */
  retired(): void;
  log: Log;
}

/** The versions of one plugin that have a process: running, starting or retiring. */
export class RunningVersions {
  private readonly running = new Map<string, RunningVersion>();
  private readonly starting = new Map<string, RunningVersion>();
  /** Keys of starting versions that keep starting when another version is chosen. */
  private readonly required = new Set<string>();
  private readonly retiring = new Map<RunningVersion, Promise<void>>();

  constructor(private readonly options: VersionsOptions) {}

  /** Versions that have a process or are about to get one. */
  get all(): RunningVersion[] {
    return [...this.running.values(), ...this.starting.values(), ...this.retiring.keys()];
  }

  /** Versions that can serve. */
  get fit(): RunningVersion[] {
    return [...this.running.values()];
  }

  /** The running version of a candidate. */
  find(candidate: Candidate): RunningVersion | undefined {
    return this.running.get(keyOf(candidate));
  }

  /**
   * Starts a candidate unless it runs; the caller never starts the same one twice at a time. `isRequired`: the start
   * continues when another version is chosen. Returns the reason when the start fails; undefined when it succeeds or is
   * no longer wanted.
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

  /** Stops starting versions that are no longer wanted. */
  stopUnwantedStarts(wanted: Iterable<Candidate>): void {
    if (this.starting.size === 0) return;
    const keys = new Set([...wanted].map(keyOf));
    for (const [key, { plugin }] of this.starting) {
      if (keys.has(key) || this.required.has(key)) continue;
      plugin.stop().catch((error: unknown) => this.options.log.error(didNotStop, { error }));
    }
  }

  /** Lets a version finish its requests. */
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

  async stop(): Promise<void> {
    for (const version of this.running.values()) version.endTrial();
    await Promise.all(this.all.map(({ plugin }) => plugin.stop()));
    await Promise.all(this.retiring.values());
  }

  /** A version that still finishes requests keeps updating its own record. */
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

/** Counts of answered requests. */
interface Outcomes {
  answered: number;
  /** Failures caused by the version. */
  failed: number;
}

/** Fewer failures are not significant. */
const fewest = 5;

/** Share of failures below which a version is not rolled back. */
const lowestRate = 0.1;

/** Minimum ratio of the failure rate to that of the predecessor. */
const factor = 3;

/** Milliseconds after which a crash no longer counts. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** A running version with its request outcomes and crashes. */
export class RunningVersion implements Content {
  readonly outcomes: Outcomes = { answered: 0, failed: 0 };
  /** Why its last instance ended, if known. */
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
   * Compares the version with its predecessor until the trial ends. Calls `over` after the given milliseconds, once all
   * requests received by then are answered.
   */
  beginTrial(before: RunningVersion | undefined, milliseconds: number, over: () => void): void {
    this.endTrial();
    // A request still unanswered by then may be the one that fails.
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

  /** Counts an answer. Returns the reason when a version on trial turns out to be unfit. */
  answered(failed: boolean): string | undefined {
    this.outcomes.answered += 1;
    if (failed) this.outcomes.failed += 1;
    if (this.trial === undefined || !failed) return undefined;
    return failsMoreOften(this.outcomes, this.trial.against);
  }

  /** Counts a crash. Returns whether the version should be replaced if another one is available. */
  crashed(now = monotonicTime()): boolean {
    this.explanation = undefined;
    this.crashes = [...this.crashes.filter((moment) => now - moment < crashMemory), now];
    return this.trial !== undefined || this.crashes.length >= mostCrashes;
  }
}

/** Why a version failed clearly more often than its predecessor; undefined when it did not. */
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
