import { useEffect, useState } from "preact/hooks";
import type { HostClient } from "./host-client.js";
import { useHost } from "./host-context.js";
import { useObserved } from "./observed.js";
import type { AnswerOf, EventOf, ListKey } from "./operations.js";
import { isAborted, RefusedRequest } from "./refusal.js";

const firstPause = 1000;
const longestPause = 15_000;

/** Milliseconds; what comes within is drawn together. */
const together = 150;

export interface Feed<Entry> {
  /** Undefined until the host has answered; oldest first. */
  entries: readonly Entry[] | undefined;
  /** Why there are none, or no more. */
  failure: Error | undefined;
}

type Entry<K extends ListKey> = EventOf<K> & { id: number };

/** A list of the host that grows. */
export interface FeedSource<K extends ListKey> {
  key: K;
  entriesOf(answer: AnswerOf<K>): readonly Entry<K>[];
  /** The list has at most so many; older ones go. */
  capacity: number;
}

/** A list that grows by itself while the page is visible: what there is, then what comes. Nothing unless it is wanted. */
export function useFeed<K extends ListKey>(source: FeedSource<K>, isWanted = true): Feed<Entry<K>> {
  const host = useHost();
  const isFollowing = useIsFollowing(isWanted);
  const [feed, setFeed] = useState<Feed<Entry<K>>>({ entries: undefined, failure: undefined });

  useEffect(() => {
    if (!isFollowing) return;
    const given = new AbortController();
    const follow = (isWell: () => void): Promise<void> =>
      followList(host, source, given.signal, (entries) => {
        isWell();
        setFeed({ entries, failure: undefined });
      });
    void keepFollowing(host, given.signal, follow, (failure) =>
      setFeed((before) => ({ ...before, failure })),
    );
    return () => given.abort();
  }, [host, source, isFollowing]);

  return feed;
}

/** Calls `happened` for each change of a template while the page is visible, and each time that some may have been missed. */
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

/** Follows what happens to templates until `signal` aborts; `begun` is called with each connection: before it some may be missed. */
export function followTemplates(
  host: HostClient,
  signal: AbortSignal,
  listener: { changed(event: EventOf<"GET /api/templates/events">): void; begun(): void },
): Promise<void> {
  const follow = async (isWell: () => void): Promise<void> => {
    let isBegun = false;
    for await (const event of host.events("GET /api/templates/events", {}, signal)) {
      isWell();
      // The first thing that comes is the beginning of the stream.
      if (!isBegun) listener.begun();
      isBegun = true;
      if (event?.event === "template") listener.changed(JSON.parse(event.data));
    }
  };
  return keepFollowing(host, signal, follow, () => undefined);
}

/** A tab that nobody sees keeps no connection: browsers have only six of them for all tabs of a host. */
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

/** The list anew, and what comes after it, until the connection ends. */
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
    }, together);
  }
}

/**
 * Does something that lasts as long as a connection, again and again until `signal` aborts, with pauses that grow until it
 * calls `isWell`. `refused` hears what the host has against it.
 */
async function keepFollowing(
  host: HostClient,
  signal: AbortSignal,
  follow: (isWell: () => void) => Promise<void>,
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
    // Where a host goes, its streams go first; whether it has gone, the next request says.
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, longestPause);
  }
}
