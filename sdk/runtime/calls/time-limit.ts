/**
 * A signal that aborts with a `TimeoutError` after some milliseconds; it keeps no process alive. Replaces
 * `AbortSignal.timeout`, because in Node.js 20 such a signal within `AbortSignal.any` may be garbage-collected and never abort.
 */
export function timeLimit(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const late = (): void =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  setTimeout(late, milliseconds).unref();
  return controller.signal;
}
