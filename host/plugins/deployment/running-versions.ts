/** The versions of one plugin that have a process; what they answer, and whether a new one does so as well as its predecessor. */
import { errorMessage } from "../../system/errors.js";
import { monotonicTime, wait } from "../../system/time.js";
import { type SupervisedOptions, SupervisedPlugin, type VersionObserver } from "../instances/instances.js";
import { type Candidate, keyOf, type PluginVersion } from "./selection.js";

/** What a version needs besides its content. */
export type VersionOptions = Omit<SupervisedOptions, "snapshot" | "record" | "observer">;

/** Learns of versions that turn out to be unfit to serve. */
export interface UnfitListener {
  /** Called synchronously, before a crashed instance is replaced. */
  unfit(version: RunningVersion, reason: string): void;
  /** The `explanation` of a crash has become known. */
  explained(version: RunningVersion): void;
}

/** In a fleet: what other hosts see of a version counts, too. */
export interface SharedJudgement {
  /** Reports how requests ended here. Resolves with the sums of all hosts; undefined while they are not known. */
  compare(version: Candidate, seen: Comparison): Promise<Comparison | undefined>;
  /**
   * A version without a trial crashes again and again here. Resolves with whether it is unfit for all hosts, not only here.
   * `memory`: milliseconds after which a crash no longer counts.
   */
  crashesOften(version: Candidate, memory: number): Promise<boolean>;
}

interface VersionsOptions extends VersionOptions {
  listener: UnfitListener;
  fleet?: SharedJudgement | undefined;
  /** The start failed. */
  failed(candidate: Candidate, reason: string): void;
  /** A retired version has ended. */
  retired(): void;
}

/** The versions of one plugin that have a process: running, starting or retiring. */
export class RunningVersions {
  private readonly running = new Map<string, RunningVersion>();
  private readonly starting = new Map<string, RunningVersion>();
  /** Keys of starting versions that keep starting when another version is chosen. */
  private readonly required = new Set<string>();
  private readonly retiring = new Map<RunningVersion, Promise<void>>();
  private readonly starts = new Map<string, Promise<string | undefined>>();

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
   * Starts a candidate unless it runs. `isRequired`: the start continues when another version is chosen. Returns the reason when
   * the start fails; undefined when it succeeds or is no longer wanted.
   */
  async start(candidate: Candidate, isRequired: boolean): Promise<string | undefined> {
    const key = keyOf(candidate);
    if (this.running.has(key)) return undefined;
    if (isRequired) this.required.add(key);
    const begun = this.starts.get(key) ?? this.begin(candidate, key);
    this.starts.set(key, begun);
    return await begun;
  }

  private async begin(candidate: Candidate, key: string): Promise<string | undefined> {
    const version = new RunningVersion(this.withOwnRecord(candidate), this.options);
    this.starting.set(key, version);
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
      this.starts.delete(key);
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
}

const didNotStop = "A version of a plugin did not stop cleanly";

/** Milliseconds after which a crash no longer counts. */
const crashMemory = 5 * 60_000;
const mostCrashes = 3;

/** Reason of a crash until its explanation is known. */
export const lost = "Its instance was lost.";

/** A running version with its request outcomes and crashes. */
export class RunningVersion implements PluginVersion, VersionObserver {
  readonly plugin: SupervisedPlugin;
  readonly outcomes: Outcomes = { answered: 0, failed: 0 };
  /** Why its last instance ended, if known. */
  explanation: string | undefined;
  private crashes: number[] = [];
  private trial: Trial | undefined;

  constructor(
    readonly candidate: Candidate,
    private readonly options: VersionOptions & Pick<VersionsOptions, "listener" | "fleet">,
  ) {
    const { snapshot, record } = candidate;
    this.plugin = new SupervisedPlugin({ ...options, snapshot, record, observer: this });
  }

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
    const { listener, fleet } = this.options;
    this.trial = new Trial({
      own: this.outcomes,
      before: before?.outcomes ?? { answered: 0, failed: 0 },
      duration: milliseconds,
      compare: fleet && ((seen) => fleet.compare(this.candidate, seen)),
      answers: () => this.plugin.answers(),
      unfit: (reason) => listener.unfit(this, reason),
      over,
    });
    this.candidate.record.update({ probationUntil: Date.now() + milliseconds });
  }

  endTrial(): void {
    if (this.trial === undefined) return;
    this.trial.end();
    this.trial = undefined;
    this.candidate.record.update({ probationUntil: undefined });
  }

  answered(failed: boolean): void {
    this.outcomes.answered += 1;
    if (failed) this.outcomes.failed += 1;
    if (failed) this.trial?.failed();
  }

  crashed(): void {
    const now = monotonicTime();
    this.explanation = undefined;
    this.crashes = [...this.crashes.filter((moment) => now - moment < crashMemory), now];
    const { listener, fleet } = this.options;
    if (this.trial !== undefined) listener.unfit(this, lost);
    else if (this.crashes.length >= mostCrashes)
      if (fleet === undefined) listener.unfit(this, lost);
      else void this.crashesOften(fleet);
  }

  /** The host may be the reason. */
  private async crashesOften(fleet: SharedJudgement): Promise<void> {
    if (await fleet.crashesOften(this.candidate, crashMemory)) this.options.listener.unfit(this, lost);
  }

  explained(reason: string): void {
    this.explanation = reason;
    this.options.listener.explained(this);
  }
}

/** Counts of answered requests. */
interface Outcomes {
  answered: number;
  /** Failures caused by the version. */
  failed: number;
}

/** A version beside its predecessor. */
export interface Comparison {
  own: Readonly<Outcomes>;
  before: Readonly<Outcomes>;
}

interface TrialOptions extends Comparison {
  /** Milliseconds. */
  duration: number;
  /**
   * In a fleet: reports the counts of this host; resolves with the sums of all hosts, or with undefined while they are
   * not known.
   */
  compare?: ((seen: Comparison) => Promise<Comparison | undefined>) | undefined;
  /** Resolves when the requests received by then are answered. */
  answers(): Promise<void>;
  unfit(reason: string): void;
  /** The version has proven itself. */
  over(): void;
}

/** Fewer failures are not significant. */
const fewest = 5;

/** Share of failures below which a version is not rolled back. */
const lowestRate = 0.1;

/** Minimum ratio of the failure rate to that of the predecessor. */
const factor = 3;

/** Milliseconds between comparisons with what other hosts have seen. */
const interval = 1000;

/** Milliseconds until all hosts have reported their counts after a failure on one of them. */
const patience = 1.5 * interval;

/** Compares a version with its predecessor while that stands by. */
class Trial {
  private readonly ending = new AbortController();

  constructor(private readonly options: TrialOptions) {
    void this.run();
  }

  end(): void {
    this.ending.abort();
  }

  /** Called when a request has failed. In a fleet, only the sums of all hosts count. */
  failed(): void {
    if (this.options.compare !== undefined) return;
    const reason = verdict(this.options);
    if (reason !== undefined) this.options.unfit(reason);
  }

  private async run(): Promise<void> {
    const { duration, compare, over, answers } = this.options;
    const { signal } = this.ending;
    // A request still unanswered by then may be the one that fails.
    const due = wait(duration, signal).then(() => answers());
    if (compare === undefined) await due;
    else await this.judgeTogether(compare, due);
    if (!signal.aborted) over();
  }

  /** Judges by the sums of all hosts until the trial is due and all requests until then have counted. */
  private async judgeTogether(
    compare: NonNullable<TrialOptions["compare"]>,
    due: Promise<void>,
  ): Promise<void> {
    const { signal } = this.ending;
    let isDue = false;
    const noted = due.then(() => {
      isDue = true;
    });
    let reported = "";
    let isDoubtful = false;
    while (!signal.aborted) {
      const isLast = isDue;
      const { own, before } = this.options;
      const seen = { own: { ...own }, before: { ...before } };
      const text = JSON.stringify(seen);
      const all: Comparison | undefined =
        isLast || isDoubtful || text !== reported ? await compare(seen) : undefined;
      if (signal.aborted) return;
      if (all !== undefined) {
        reported = text;
        const reason = verdict(all);
        // The failures are all from this host; the others may not have reported their successes yet.
        isDoubtful = reason !== undefined && !isDoubtful && all.own.failed === seen.own.failed;
        if (reason !== undefined && !isDoubtful) this.options.unfit(reason);
        if (isLast && !isDoubtful) return;
      }
      if (isDoubtful) await wait(patience, signal);
      else await (isLast ? wait(interval, signal) : Promise.race([noted, wait(interval, signal)]));
    }
  }
}

/** Why the version is unfit; undefined if it is not. */
function verdict({ own, before }: Comparison): string | undefined {
  const rate = rateOf(own);
  if (own.failed < fewest || rate < lowestRate || rate < factor * rateOf(before)) return undefined;
  return (
    `${own.failed} of its first ${own.answered} requests failed; of the previous version, ` +
    `${before.failed} of ${before.answered}.`
  );
}

function rateOf({ answered, failed }: Outcomes): number {
  return answered === 0 ? 0 : failed / answered;
}
