import { useEffect, useState } from "preact/hooks";
import { AwayBanner } from "../admin/away-banner.js";
import { host } from "../admin/host/host-context.js";
import { useObserved } from "../admin/host/observed.js";
import { Failure, Notice } from "../parts/notice.js";
import { Empty, Panel } from "../parts/panel.js";
import { Time } from "../parts/time.js";
import { Head } from "./head.js";
import { LogPanel } from "./log-panel.js";
import { PluginProvider, usePlugin, usePluginNews } from "./plugin-context.js";
import { useProject } from "./project-choice.js";
import { useRemembered } from "./remembered.js";
import { RouteList } from "./route-list.js";
import { RoutePanel } from "./route-panel.js";
import { SourceExcerpt } from "./source-excerpt.js";

/** The whole page. */
export function App() {
  const plugin = usePluginNews();
  const { routes, state, development } = plugin;
  const problem = useObserved(host.startProblem);
  const project = useProject(development.value?.session);
  const place = development.value?.place ?? "";
  const [chosen, choose] = useRemembered(`${place} route`, (kept) => (typeof kept === "string" ? kept : ""));
  const route = routes?.find(({ id }) => id === chosen) ?? routes?.[0];
  const [isFollowing, setIsFollowing] = useState(false);

  useEffect(() => {
    const mark = plugin.reload?.level === "error" ? "✗ " : "";
    document.title = `${mark}${state?.name ?? place} – Slipway`;
  }, [state?.name, place, plugin.reload]);

  return (
    <PluginProvider value={plugin}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        To the content
      </button>
      <Head project={project} />
      <AwayBanner />
      <main id="main" tabIndex={-1}>
        {problem !== undefined && development.value === undefined && <Failure error={problem} />}
        <ReloadNotice />
        <div class="workbench">
          <RouteList routes={routes} chosen={route} choose={choose} />
          {route === undefined ? (
            <Panel title="Request">
              <Empty icon="requests" title="There is nothing to ask yet">
                {routes === undefined ? "The plugin does not answer." : "Its setup gives no routes."}
              </Empty>
            </Panel>
          ) : (
            <RoutePanel
              key={route.id}
              route={route}
              place={place}
              session={project.session?.sessionId}
              isFollowing={isFollowing}
              follow={setIsFollowing}
            />
          )}
        </div>
        <LogPanel />
      </main>
    </PluginProvider>
  );
}

/** What came of the last save. */
function ReloadNotice() {
  const { reload, state } = usePlugin();
  if (reload === undefined) return null;
  const tone = reload.level === "error" ? "wrong" : reload.level === "warn" ? "warning" : "good";
  return (
    <Notice tone={tone}>
      <p class="pre-line">
        {reload.text}{" "}
        <span class="quiet">
          <Time at={reload.time} />
        </span>
      </p>
      {reload.place !== undefined && <SourceExcerpt place={reload.place} />}
      {state?.warnings.map((text) => (
        <p key={text} class="pre-line quiet">
          {text}
        </p>
      ))}
    </Notice>
  );
}
