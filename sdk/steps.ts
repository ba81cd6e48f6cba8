/** Long work in steps: at once, or in turns with whatever else the process has to do. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds of one turn. */
const turn = 20;

/** Takes all steps at once and gives the result of the work. */
export function allSteps<T>(steps: Iterator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Takes all steps and gives the result of the work; every now and then the event loop has its turn, so that a process
 * goes on answering. Rejects with the error of a step, or with the signal's reason, after which no step is taken.
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

/** The values one after the other; every now and then the event loop has its turn. Ends with the signal's reason. */
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
