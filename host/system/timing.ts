import { setTimeout as pause } from "node:timers/promises";

/**
 * Whether a promise settles, either way, within some milliseconds. When this process itself was held up, what came in
 * meanwhile is read before the answer is no.
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

/** Waits; ends early, without an error, when the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined);
}
