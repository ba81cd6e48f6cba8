/** Compares a version with its predecessor while that stands by. */
import { wait } from "../../system/time.js";

/** Counts of answered requests. */
export interface Outcomes {
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

export class Trial {
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
