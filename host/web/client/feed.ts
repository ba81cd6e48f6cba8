import { useEffect, useState } from "preact/hooks";
import type { HostClient } from "./host-client.js";
import { useHost } from "./host-context.js";
import { useObserved } from "./observed.js";
import type { AnswerOf, EventOf, ListKey } from "./operations.js";
import { isAborted, RefusedRequest } from "./refusal.js";

const firstPause = 1000;
const longestPause = 15_000;

/** Milliseconds; events within this time are rendered together. */
const batchTime = 150;

export interface Feed<Entry> {
  /** Undefined until the host has answered; oldest first. */
  entries: readonly Entry[] | undefined;
  /** Why the list is missing or incomplete. */
  failure: Error | undefined;
}

type Entry<K extends ListKey> = EventOf<K> & { id: number };

/** A growing list of the host. */
export interface FeedSource<K extends ListKey> {
  key: K;
  entriesOf(answer: AnswerOf<K>): readonly Entry<K>[];
  /** Maximum length; the oldest entries are dropped. */
  capacity: number;
}

/** A list that updates itself while the page is visible. Does nothing unless wanted. */
export function useFeed<K extends ListKey>(source: FeedSource<K>, isWanted = true): Feed<Entry<K>> {
  const host = useHost();
  const isFollowing = useIsFollowing(isWanted);
  const [feed, setFeed] = useState<Feed<Entry<K>>>({ entries: undefined, failure: undefined });

  useEffect(() => {
    if (!isFollowing) return;
    const given = new AbortController();
    const follow = (connected: () => void): Promise<void> =>
      followList(host, source, given.signal, (entries) => {
        connected();
        setFeed({ entries, failure: undefined });
      });
    void keepFollowing(host, given.signal, follow, (failure) =>
      setFeed((before) => ({ ...before, failure })),
    );
    return () => given.abort();
  }, [host, source, isFollowing]);

  return feed;
}

/** Calls `happened` for each change of a template while the page is visible, and when it may have missed changes. */
export function useTemplateChanges(isWanted: boolean, happened: () => void): void {
  const host = useHost();
  const isFollowing = useIsFollowing(isWanted);
  useEffect(() => {
    if (!isFollowing) return;
    const given = new AbortController();
    void followTemplates(host, given.signal, { changed: happened, begun: happened });
    return () => given.abort();
  }, [host, isFollowing, happened]);
}

/** Follows changes of templates until `signal` aborts. Calls `begun` for each connection: earlier changes may be lost. */
export function followTemplates(
  host: HostClient,
  signal: AbortSignal,
  listener: { changed(event: EventOf<"GET /api/templates/events">): void; begun(): void },
): Promise<void> {
  const follow = async (connected: () => void): Promise<void> => {
    let isBegun = false;
    for await (const event of host.events("GET /api/templates/events", {}, signal)) {
      connected();
      // The first message marks the start of the stream.
      if (!isBegun) listener.begun();
      isBegun = true;
      if (event?.event === "template") listener.changed(JSON.parse(event.data));
    }
  };
  return keepFollowing(host, signal, follow, () => undefined);
}

/** A hidden tab keeps no connection: browsers allow only six per host for all tabs. */
function useIsFollowing(isWanted: boolean): boolean {
  const access = useObserved(useHost().access);
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setIsVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isWanted && isVisible && access !== undefined && access.roles.length > 0;
}

/** Loads the list again, then follows it until the connection ends. */
async function followList<K extends ListKey>(
  host: HostClient,
  { key, entriesOf, capacity }: FeedSource<K>,
  signal: AbortSignal,
  show: (entries: readonly Entry<K>[]) => void,
): Promise<void> {
  let entries = entriesOf(await host.list(key, capacity, signal));
  show(entries);
  let isDrawing = false;
  for await (const event of host.events(key, { after: entries.at(-1)?.id ?? 0 }, signal)) {
    if (event === undefined) continue;
    const entry: Entry<K> = JSON.parse(event.data);
    entries = [...entries.slice(-(capacity - 1)), entry];
    if (isDrawing) continue;
    isDrawing = true;
    setTimeout(() => {
      isDrawing = false;
      if (!signal.aborted) show(entries);
    }, batchTime);
  }
}

/**
 * Reconnects until `signal` aborts, with growing pauses, which `connected` resets. `refused` receives refusals of the host.
 */
async function keepFollowing(
  host: HostClient,
  signal: AbortSignal,
  follow: (connected: () => void) => Promise<void>,
  refused: (error: RefusedRequest) => void,
): Promise<void> {
  let pause = firstPause;
  while (!signal.aborted) {
    try {
      await host.connection.present();
      await follow(() => {
        pause = firstPause;
      });
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      if (error instanceof RefusedRequest && error.error.code !== 0) refused(error);
    }
    // When a host stops, its streams end first; the next request shows whether it has stopped.
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, longestPause);
  }
}
