import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { useHost } from "./host-context.js";
import { useObserved } from "./observed.js";
import { type AnswerOf, type Given, type InputOf, type OperationKey, requestLine } from "./operations.js";
import { isAborted } from "./refusal.js";

/** The last response of the host; it stays during the next request, and if that fails. */
export interface Answered<Answer> {
  value: Answer | undefined;
  /** Why the last request failed. */
  failure: Error | undefined;
  /** Repeats the request now. */
  refresh(): void;
}

/**
 * The response of an operation, repeated after the host was unreachable, and every so many milliseconds while the page is
 * visible. Requests nothing without an operation.
 */
export function useAnswer<K extends OperationKey>(
  key: K | undefined,
  input: InputOf<K> & Given,
  every?: number,
): Answered<AnswerOf<K>> {
  const host = useHost();
  const access = useObserved(host.access);
  const returns = useObserved(host.connection.returns);
  const [asked, setAsked] = useState(0);
  const path = key === undefined ? undefined : requestLine(key, input)[1];
  const [answer, setAnswer] = useState<{ path: string; value?: AnswerOf<K>; failure?: Error }>();
  const refresh = useCallback(() => setAsked((before) => before + 1), []);
  const isAsking = useRef(false);
  const mayAsk = access !== undefined && access.roles.length > 0;

  useEffect(() => {
    if (key === undefined || path === undefined || !mayAsk) return;
    const given = new AbortController();
    isAsking.current = true;
    host
      .call(key, input, given.signal)
      .then((value) => setAnswer({ path, value }))
      .catch((error: unknown) => {
        if (isAborted(error)) return;
        const failure = asError(error);
        setAnswer((before) => ({ ...(before?.path === path ? before : { path }), failure }));
      })
      .finally(() => {
        if (!given.signal.aborted) isAsking.current = false;
      });
    return () => given.abort();
  }, [host, path, mayAsk, access, returns, asked]);

  useEffect(() => {
    if (every === undefined) return;
    const look = () => {
      const isBusy = isAsking.current || host.connection.away.value !== undefined;
      if (!document.hidden && !isBusy) refresh();
    };
    const timer = setInterval(look, every);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [host, every, refresh]);

  const current = answer?.path === path ? answer : undefined;
  return { value: current?.value, failure: current?.failure, refresh };
}
