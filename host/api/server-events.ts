/** Reads server-sent events with `fetch`, for the command line and the pages: an `EventSource` cannot send a key. */
import { createParser, type EventSourceMessage } from "eventsource-parser";

/**
 * Yields the events of a stream, and undefined for every chunk without a complete event, such as a heartbeat. Ends with
 * the stream; throws when the connection breaks.
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
