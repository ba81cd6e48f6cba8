/** Runs long work in steps: all at once, or yielding to the event loop. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work before the event loop gets a turn. */
const turn = 20;

/** Runs all steps at once and returns the result. */
export function allSteps<T>(steps: Iterator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Runs all steps and returns the result, yielding to the event loop regularly so that the process keeps serving.
 * Rejects with the error of a step, or with the signal's reason, after which no step runs.
 */
export async function stepsInTurns<T>(steps: Iterator<unknown, T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  let begun = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - begun < turn) continue;
    await setImmediate();
    signal?.throwIfAborted();
    begun = performance.now();
  }
}

/** Yields the values in order, with regular turns of the event loop. Throws the signal's reason. */
export async function* inTurns<T>(values: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  signal?.throwIfAborted();
  let begun = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - begun < turn) continue;
    await setImmediate();
    signal?.throwIfAborted();
    begun = performance.now();
  }
}
