/**
 * A signal that aborts with a `TimeoutError` after some milliseconds; it keeps no process alive. For `AbortSignal.any`: of
 * `AbortSignal.timeout`, Node.js 20 lets the garbage collector take the signal that was joined with others, and then none aborts.
 */
export function timeLimit(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const late = (): void =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  setTimeout(late, milliseconds).unref();
  return controller.signal;
}
