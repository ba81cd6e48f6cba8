import { setTimeout as pause } from "node:timers/promises";
import { monotonicClock } from "@slipway/sdk/runtime/host";

/** The longest timer, in milliseconds: stands for "no deadline" and "no expiry". */
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

/** The result of a promise; after some milliseconds instead what `late` returns or throws. */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([promise, overdue.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Milliseconds until the next multiple of an interval. Regular checks then run at the same moments, because waking up costs an
 * idle host more than the checks.
 */
export function untilNextMultiple(interval: number): number {
  return interval - (performance.now() % interval);
}

/**
 * A signal that aborts with `signal`, and with the reason `late` after some milliseconds. Not `AbortSignal.any`: the garbage
 * collector may remove its `AbortSignal.timeout` before that aborts. `end` releases the timer and the listener.
 */
export function deadlineSignal(
  signal: AbortSignal,
  milliseconds: number,
  late: () => Error,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late()), Math.min(milliseconds, longestTimer));
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, end };
}

/** Waits; ends early, without an error, when the signal aborts. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}

/**
 * Milliseconds since the epoch by a clock that never jumps: it counts from the time at which this process started, independent
 * of the machine's clock. For durations and deadlines within one process; times for people and other processes come from `Date`.
 */
export function monotonicTime(): number {
  return monotonicClock.now();
}

/** Milliseconds by which the machine's clock is ahead of the monotonic one. */
export function clockLead(): number {
  return Date.now() - monotonicTime();
}

/** Converts a time of the machine's clock, such as the end of a lifetime, to the monotonic clock. */
export function toMonotonic(time: number): number {
  return time - clockLead();
}
