/** A server-sent event with its data as it came. */
export interface ServerEvent {
  name: string;
  data: string;
}

/**
 * The events of a stream, for `fetch`: an `EventSource` cannot send a key. Gives undefined for every piece that ends no
 * event, such as a heartbeat, and ends with the stream.
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = `${rest}${value}`.split("\n\n");
      rest = frames.pop() ?? "";
      const events = frames.flatMap((frame) => eventOf(frame) ?? []);
      if (events.length === 0) yield undefined;
      yield* events;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(frame: string): ServerEvent | undefined {
  let name = "message";
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    const [, field, value = ""] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { name, data: data.join("\n") };
}
