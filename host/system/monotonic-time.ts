import { monotonicClock } from "@slipway/sdk/runtime/host";

/**
 * Milliseconds since the epoch by a clock that never jumps, whatever becomes of the machine's own: it goes on from the
 * time at which this process started. For durations and deadlines inside of one process; what people and other
 * processes are told comes from `Date`.
 */
export function monotonicTime(): number {
  return monotonicClock.now();
}

/** Milliseconds by which the machine's clock is ahead of the monotonic one. */
export function clockLead(): number {
  return Date.now() - monotonicTime();
}

/** A time of the machine's clock, such as the end of a lifetime that was just read or set, by the monotonic one. */
export function toMonotonic(time: number): number {
  return time - clockLead();
}
