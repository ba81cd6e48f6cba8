import { setTimeout as pause } from "node:timers/promises";
import { monotonicClock } from "@slipway/sdk/runtime/host";

/** The longest timer, in milliseconds: instead of a deadline or an expiry where nothing should end. */
export const longestTimer = 2_147_483_647;

/**
 * Whether a promise settles, either way, within some milliseconds. A pause of this process does not count: pending
 * input is read before the answer is no.
 */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const controller = new AbortController();
  const { signal } = controller;
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = pause(milliseconds, undefined, { signal })
    .then(() => pause(50, undefined, { signal }))
    .then(
      () => false,
      () => false,
    );
  try {
    return await Promise.race([settled, late]);
  } finally {
    controller.abort();
  }
}

/**
 * Milliseconds until the next multiple of an interval. What looks regularly looks at the same moments then: to wake up costs a
 * host without work more than the looks.
 */
export function untilNextMultiple(interval: number): number {
  return interval - (performance.now() % interval);
}

/** Waits; ends early, without an error, when the signal aborts. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}

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
