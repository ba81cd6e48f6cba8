import type { Log } from "../../plugin/handler-context.js";

/**
 * Attributes of a step, named after the semantic conventions or with the prefix `slipway.`; never secrets.
 */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Details given at the start of a step. */
export interface StepDetails {
  facts?: Facts;
  /** It calls another server. */
  isOutgoing?: true;
}

/**
 * A unit of work: carries its log and its trace. It is passed explicitly from call to call, because async
 * context is lost in queues, pools and channels between processes.
 */
export interface Work {
  /** Adds the ids of the request and the trace, if any. */
  readonly log: Log;
  /** Runs a step; `run` gets the step's own `Work`. Settles like `run`. */
  step<T>(name: string, run: (step: Work) => Promise<T>, details?: StepDetails): Promise<T>;
  /** Adds attributes that became known during the work. */
  note(facts: Facts): void;
  /** Trace context headers for outgoing requests; empty without a trace. */
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

/** A monotonic clock for durations and deadlines. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs a function once after the delay; returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/**
 * Continues from the start time of this process, independent of changes to the system clock. Times shown to
 * people or other processes come from `Date`.
 */
export const monotonicClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
