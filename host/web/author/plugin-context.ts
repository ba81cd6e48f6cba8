import { createContext } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import { type Feed, type FeedSource, useFeed } from "../client/feed.js";
import type { Development, DevelopmentLine, PluginState } from "../client/operations.js";
import { type Answered, useAnswer } from "../client/use-answer.js";
import { type Route, routesOf, serviceRoute } from "../parts/routes.js";

/** The plugin under development. */
export interface DevelopedPlugin {
  development: Answered<Development>;
  lines: Feed<DevelopmentLine>;
  /** The serving version, or else the last one that was tried. */
  state: PluginState | undefined;
  /** Result of the last save. */
  reload: DevelopmentLine | undefined;
  /** Why the last save is not live yet, if that takes long. */
  wait: DevelopmentLine | undefined;
  /** Routes, then service methods. Undefined until a version serves. */
  routes: readonly Route[] | undefined;
}

const source: FeedSource<"GET /api/development/lines"> = {
  key: "GET /api/development/lines",
  entriesOf: ({ lines }) => lines,
  capacity: 1000,
};

/** Follows the plugin; once for the page. */
export function usePluginNews(): DevelopedPlugin {
  const development = useAnswer("GET /api/development", {});
  const lines = useFeed(source);
  const reload = lines.entries?.findLast(({ kind }) => kind === "reload");
  const last = lines.entries?.findLast(({ kind }) => kind === "reload" || kind === "wait");
  const wait = last?.kind === "wait" ? last : undefined;
  const state = shownState(development.value?.versions ?? []);
  const name = state?.stage === "live" ? state.name : undefined;
  const document = useAnswer(name === undefined ? undefined : "GET /openapi.json", {
    query: { plugin: name ?? "" },
  });
  const offered = useAnswer(name === undefined ? undefined : "GET /api/services", {
    query: { plugin: name ?? "" },
  });

  useEffect(() => {
    development.refresh();
    document.refresh();
    offered.refresh();
  }, [reload?.id]);

  const routes = useMemo(
    () =>
      document.value === undefined
        ? undefined
        : [...routesOf(document.value), ...(offered.value?.services ?? []).map(serviceRoute)],
    [document.value, offered.value],
  );
  return { development, lines, state, reload, wait, routes };
}

function shownState(versions: readonly PluginState[]): PluginState | undefined {
  const lastFirst = [...versions].sort((one, other) => other.since - one.since);
  return lastFirst.find(({ stage }) => stage === "live") ?? lastFirst[0];
}

const Context = createContext<DevelopedPlugin | undefined>(undefined);

/** Context of the page. */
export const PluginProvider = Context.Provider;

/** The plugin that the page is for. */
export function usePlugin(): DevelopedPlugin {
  const plugin = useContext(Context);
  if (plugin === undefined) throw new Error("There is no PluginProvider around this.");
  return plugin;
}
