import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { checked, Validator } from "@slipway/sdk";
import { PluginEvent } from "../plugins/events/plugin-event.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const checkEvent = new Validator().compile(PluginEvent, "event");
const retryPause = 1000;

/**
 * Events after an id as they happen, without an end: also while the host is restarted. `interrupted` is called when a
 * connection is lost. Rejects when the host answers and refuses.
 */
export async function* followEvents(
  host: HostClient,
  { after, plugin }: { after: number; plugin: string | undefined },
  interrupted: () => void,
): AsyncGenerator<PluginEvent> {
  const query = plugin === undefined ? "" : `?plugin=${encodeURIComponent(plugin)}`;
  let last = after;
  for (let isFirst = true; ; isFirst = false) {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
    const response = await host.request(`/api/events${query}`, { headers }).catch((error: unknown) => {
      if (isFirst) throw error;
      return undefined;
    });
    if (response?.ok === false && (isFirst || response.status !== 503))
      throw new Error(`The host answered with ${response.status}`);
    if (response?.ok) {
      for await (const data of serverEvents(response.body)) {
        const event = checked(checkEvent(data), unknownAnswer);
        last = event.id;
        yield event;
      }
      interrupted();
    }
    await pause(retryPause);
  }
}

/** The data of server-sent events; ends with the connection, in whatever way that ends. */
export async function* serverEvents(body: Response["body"]): AsyncGenerator<unknown> {
  if (body === null) return;
  const input = Readable.fromWeb(body).on("error", () => undefined);
  for await (const line of createInterface({ input })) {
    // Each event has one line of data.
    if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
  }
}
