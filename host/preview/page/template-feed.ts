import type { TemplateEvent } from "./host-answers.js";
import type { HostClient } from "./host-client.js";

/** Milliseconds until the next try where the host refused. */
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
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isLost = false;
  const open = () => {
    source = host.templateEvents();
    source.addEventListener("template", ({ data }) => listeners.changed(JSON.parse(data)));
    source.addEventListener("open", () => {
      if (isLost) listeners.resumed();
      isLost = false;
    });
    source.addEventListener("error", () => {
      if (!isLost) listeners.lost();
      isLost = true;
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, pause);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
