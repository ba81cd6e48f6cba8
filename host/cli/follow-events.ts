import { setTimeout as pause } from "node:timers/promises";
import { serverEvents } from "../api/server-events.js";
import type { HostClient } from "./host-client.js";

const retryPause = 1000;

/** A list of numbered entries that is also available as server-sent events. */
export interface CheckedFeed<T extends { id: number }> {
  /** Path in the host API, without a query. */
  path: string;
  query: URLSearchParams;
  /** Validates a list. Throws when invalid. */
  entries(answer: unknown): readonly T[];
  /** Validates a streamed entry. Throws when invalid. */
  entry(data: unknown): T;
}

/**
 * Yields entries after an id endlessly, even across restarts of the host. Calls `interrupted` when a connection is
 * lost. Throws when the host refuses the request.
 */
export async function* followEvents<T extends { id: number }>(
  host: HostClient,
  { path, query, entry }: CheckedFeed<T>,
  after: number,
  interrupted: () => void,
): AsyncGenerator<T> {
  let last = after;
  for (let isFirst = true; ; isFirst = false) {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
    const response = await host.request(`${path}?${query}`, { headers }).catch((error: unknown) => {
      if (isFirst) throw error;
      return undefined;
    });
    if (response?.ok === false && (isFirst || response.status !== 503)) throw await host.refusal(response);
    if (response?.ok) {
      for await (const data of serverData(response.body)) {
        const next = entry(data);
        last = next.id;
        yield next;
      }
      interrupted();
    }
    await pause(retryPause);
  }
}

/** Yields the data of server-sent events; ends with the connection, even if it fails. */
export async function* serverData(body: Response["body"]): AsyncGenerator<unknown> {
  if (body === null) return;
  const events = serverEvents(body);
  try {
    for (;;) {
      const next = await events.next().catch(() => undefined);
      if (next === undefined || next.done) return;
      if (next.value !== undefined) yield JSON.parse(next.value.data);
    }
  } finally {
    await events.return(undefined);
  }
}
