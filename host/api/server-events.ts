/** Reads server-sent events with `fetch`, for the command line and for the pages: an `EventSource` cannot send a key. */
import { createParser, type EventSourceMessage } from "eventsource-parser";

/**
 * The events of a stream. Gives undefined for every piece that ends no event, such as a heartbeat, and ends with the
 * stream. Rejects when the connection breaks.
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<EventSourceMessage | undefined> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (events.length === 0) yield undefined;
      yield* events;
      events = [];
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
