import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../../system/errors.js";
import { isAborted } from "../../preview/failure.js";
import { useHost } from "./host-context.js";
import { useObserved } from "./observed.js";

/** What the host answered last; what it said before stays while it is asked again, and when that fails. */
export interface Answered<Answer> {
  value: Answer | undefined;
  /** Why the last request failed. */
  failure: Error | undefined;
  /** Asks again now. */
  refresh(): void;
}

/**
 * Asks for something, again when the host was away, and every so many milliseconds while somebody can see the page.
 * Without a path it asks for nothing.
 */
export function useAnswer<Answer>(path: string | undefined, every?: number): Answered<Answer> {
  const host = useHost();
  const access = useObserved(host.access);
  const returns = useObserved(host.connection.returns);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ path: string; value?: Answer; failure?: Error }>();
  const refresh = useCallback(() => setAsked((before) => before + 1), []);
  const isAsking = useRef(false);
  const mayAsk = path !== undefined && access !== undefined && access.roles.length > 0;

  useEffect(() => {
    if (!mayAsk) return;
    const given = new AbortController();
    isAsking.current = true;
    host
      .get<Answer>(path, given.signal)
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
