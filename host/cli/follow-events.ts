import { setTimeout as pause } from "node:timers/promises";
import { serverEvents } from "../api/server-events.js";
import type { HostClient } from "./host-client.js";

const retryPause = 1000;

/** What numbers its entries, lists them, and tells new ones as server-sent events. */
export interface CheckedFeed<T extends { id: number }> {
  /** Of the host API, without a query. */
  path: string;
  query: URLSearchParams;
  /** Those of a list, as the host answers. Throws when it is none. */
  entries(answer: unknown): readonly T[];
  /** One of a stream. Throws when it is none. */
  entry(data: unknown): T;
}

/**
 * Entries after an id as they come, without an end: also while the host is restarted. `interrupted` is called when a
 * connection is lost. Rejects when the host answers and refuses.
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

/** The data of server-sent events; ends with the connection, even if that fails. */
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
