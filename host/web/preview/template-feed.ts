import { serverEvents } from "../../api/server-events.js";
import type { TemplateEvent } from "./host-answers.js";
import type { HostClient } from "./host-client.js";

/** Milliseconds until the next try. */
const pause = 2000;

export interface FeedListeners {
  changed(event: TemplateEvent): void;
  /** Changes may have been missed before. */
  resumed(): void;
  /** Until it is resumed there are no events. */
  lost(): void;
}

/** Listens to what happens to templates, again and again when the host goes away; gives what ends that. */
export function followTemplates(host: HostClient, listeners: FeedListeners): () => void {
  const given = new AbortController();
  void follow(host, listeners, given.signal);
  return () => given.abort();
}

async function follow(host: HostClient, listeners: FeedListeners, signal: AbortSignal): Promise<void> {
  let isLost = false;
  while (!signal.aborted) {
    try {
      const stream = await host.templateEvents(signal);
      if (isLost) listeners.resumed();
      isLost = false;
      for await (const event of serverEvents(stream))
        if (event?.event === "template") listeners.changed(JSON.parse(event.data));
    } catch (error) {
      // A connection ends in many ways; all of them mean that there is none.
      if (!signal.aborted) console.info(error);
    }
    if (signal.aborted) return;
    if (!isLost) listeners.lost();
    isLost = true;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
