import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import { type Feed, type FeedSource, useFeed } from "../client/feed.js";
import { useMay } from "../client/host-context.js";
import type { HostStatus, PluginEvent, PluginState } from "../client/operations.js";
import { type Answered, useAnswer } from "../client/use-answer.js";

/** Data that every view needs: status of the host, plugins, events. */
export interface HostView {
  status: Answered<HostStatus>;
  plugins: Answered<{ plugins: PluginState[] }>;
  events: Feed<PluginEvent>;
}

const Context = createContext<HostView | undefined>(undefined);

const pollInterval = 5000;
const eventSource: FeedSource<"GET /api/events"> = {
  key: "GET /api/events",
  entriesOf: ({ events }) => events,
  capacity: 500,
};

/** Requests this data once for all views. */
export function HostViewProvider({ children }: { children: ComponentChildren }) {
  const mayRead = useMay("read");
  const status = useAnswer(mayRead ? "GET /api/status" : undefined, {}, pollInterval);
  const plugins = useAnswer(mayRead ? "GET /api/plugins" : undefined, {}, pollInterval);
  const events = useFeed(eventSource, mayRead);
  const lastEvent = events.entries?.at(-1)?.id;

  useEffect(() => {
    if (lastEvent === undefined) return;
    plugins.refresh();
    status.refresh();
  }, [lastEvent]);

  const view = useMemo(() => ({ status, plugins, events }), [status, plugins, events]);
  return <Context.Provider value={view}>{children}</Context.Provider>;
}

export function useHostView(): HostView {
  const view = useContext(Context);
  if (view === undefined) throw new Error("There is no HostViewProvider around this.");
  return view;
}
