import type { EventSourceMessage } from "eventsource-parser";
import { useEffect, useState } from "preact/hooks";
import { serverEvents } from "../../../api/server-events.js";
import { isAborted, RefusedRequest } from "../../preview/failure.js";
import type { HostClient } from "./host-client.js";
import { useHost } from "./host-context.js";
import { useObserved } from "./observed.js";

const firstPause = 1000;

const longestPause = 15_000;

/** Milliseconds; the host says something every 15 seconds, and be it nothing. */
const longestSilence = 40_000;

export interface Feed<Entry> {
  /** Undefined until the host has answered; oldest first. */
  entries: readonly Entry[] | undefined;
  /** Why there are none, or no more. */
  failure: Error | undefined;
}

/** A list of the host that grows. */
export interface FeedSource {
  /** Of the list, and of its stream. */
  path: string;
  /** Of the list in its answer. */
  member: string;
  /** The list has at most so many; older ones go. */
  capacity: number;
}

/** Milliseconds; what comes within is drawn together. */
const together = 150;

/** A list that grows by itself while somebody can see the page: what there is, then what comes. Without a source nothing. */
export function useFeed<Entry extends { id: number }>(source: FeedSource | undefined): Feed<Entry> {
  const host = useHost();
  const isFollowing = useIsFollowing(source?.path);
  const [feed, setFeed] = useState<Feed<Entry>>({ entries: undefined, failure: undefined });

  useEffect(() => {
    if (source === undefined || !isFollowing) return;
    const given = new AbortController();
    void keepFollowing(
      host,
      given.signal,
      (isWell) =>
        followList<Entry>(host, source, given.signal, (entries) => {
          isWell();
          setFeed({ entries, failure: undefined });
        }),
      (failure) => setFeed((before) => ({ ...before, failure })),
    );
    return () => given.abort();
  }, [host, source, isFollowing]);

  return feed;
}

/** Calls for each event of a stream while somebody can see the page, and each time that some may have been missed. */
export function useStream(path: string | undefined, happened: () => void): void {
  const host = useHost();
  const isFollowing = useIsFollowing(path);

  useEffect(() => {
    if (path === undefined || !isFollowing) return;
    const given = new AbortController();
    const follow = async (isWell: () => void): Promise<void> => {
      // The first thing that comes is the beginning of the stream.
      let isNews = true;
      for await (const event of streamOf(host, path, given.signal)) {
        isWell();
        if (isNews || event !== undefined) happened();
        isNews = false;
      }
    };
    void keepFollowing(host, given.signal, follow, () => undefined);
    return () => given.abort();
  }, [host, path, isFollowing, happened]);
}

/** A tab that nobody sees keeps no connection: browsers have only six of them for all tabs of a host. */
function useIsFollowing(path: string | undefined): boolean {
  const access = useObserved(useHost().access);
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setIsVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return path !== undefined && isVisible && access !== undefined && access.roles.length > 0;
}

/** The list anew, and what comes after it, until the connection ends. */
async function followList<Entry extends { id: number }>(
  host: HostClient,
  { path, member, capacity }: FeedSource,
  signal: AbortSignal,
  show: (entries: readonly Entry[]) => void,
): Promise<void> {
  const answer = await host.get<Record<string, Entry[]>>(`${path}?limit=${capacity}`, signal);
  let entries: readonly Entry[] = answer[member] ?? [];
  show(entries);
  let isDrawing = false;
  for await (const event of streamOf(host, `${path}?after=${entries.at(-1)?.id ?? 0}`, signal)) {
    if (event === undefined) continue;
    const entry: Entry = JSON.parse(event.data);
    entries = [...entries.slice(-(capacity - 1)), entry];
    if (isDrawing) continue;
    isDrawing = true;
    setTimeout(() => {
      isDrawing = false;
      if (!signal.aborted) show(entries);
    }, together);
  }
}

/** The events of a path as they come, and undefined for what is none, until the connection ends or nothing comes any more. */
async function* streamOf(
  host: HostClient,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage | undefined> {
  const silence = new AbortController();
  const body = await host.stream(path, AbortSignal.any([signal, silence.signal]));
  let watch: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const event of serverEvents(body)) {
      clearTimeout(watch);
      watch = setTimeout(() => silence.abort(new Error("The host is silent.")), longestSilence);
      yield event;
    }
  } finally {
    clearTimeout(watch);
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
