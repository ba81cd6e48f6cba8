import type { Log } from "../../plugin/log.js";

/** What is known of a step, by names of the semantic conventions or below `slipway.`; nothing that opens something. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is told of a step when it begins. */
export interface StepDetails {
  facts?: Facts;
  /** It asks another server. */
  isOutgoing?: true;
}

/**
 * Something that is done for somebody: where its lines go, and into which steps its time. It is handed on from call to call,
 * because queues, pools and channels between processes lose what belongs to whom.
 */
export interface Work {
  /** Names the request, if it is done for one, and the trace, if there is one. */
  readonly log: Log;
  /** Does a part of it; `run` gets the part as work of its own. Ends as `run` does. */
  step<T>(name: string, run: (step: Work) => Promise<T>, details?: StepDetails): Promise<T>;
  /** What came to be known meanwhile. */
  note(facts: Facts): void;
  /** Headers that tell another server which trace it is a part of; none where there is no trace. */
  readonly traceHeaders: Readonly<Record<string, string>>;
}

/** Work without tracing. */
export function untraced(log: Log): Work {
  return new UntracedWork(log);
}

class UntracedWork implements Work {
  readonly traceHeaders = {};

  constructor(readonly log: Log) {}

  step<T>(_name: string, run: (step: Work) => Promise<T>): Promise<T> {
    return run(this);
  }

  note(): void {}
}

/** A clock for durations and deadlines, which never jumps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs something once after so many milliseconds; gives what keeps it from running. */
  after(milliseconds: number, run: () => void): () => void;
}

/**
 * Goes on from the time at which this process started, whatever becomes of the machine's own clock. What people and other
 * processes are told comes from `Date`.
 */
export const monotonicClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
