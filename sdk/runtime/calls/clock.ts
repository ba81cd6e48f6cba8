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
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
