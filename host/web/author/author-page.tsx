import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ListedSession } from "../client/operations.js";
import { useAnswer } from "../client/use-answer.js";
import { AwayBanner } from "../parts/away-banner.js";
import { StageBadge } from "../parts/badge.js";
import { Button } from "../parts/button.js";
import { Failure, Notice, StartProblem } from "../parts/notice.js";
import { Empty, Panel } from "../parts/panel.js";
import { ProjectDrop, ProjectFileButton, ProjectSelect, useOpenProject } from "../parts/project.js";
import { useRemembered } from "../parts/remembered.js";
import { pageAddress } from "../parts/route.js";
import { ThemeSwitch } from "../parts/theme.js";
import { Time } from "../parts/time.js";
import type { Action } from "../parts/use-action.js";
import { LineList, SourceExcerpt } from "./line-list.js";
import { PluginProvider, usePlugin, usePluginNews } from "./plugin-context.js";
import { RouteList, RoutePanel } from "./route-panel.js";

/** CSS pixels from the end that still count as the end. */
const nearEnd = 40;

/** The page of the author of a plugin. */
export default function AuthorPage() {
  const plugin = usePluginNews();
  const { routes, state, development } = plugin;
  const project = useProject(development.value?.session);
  const place = development.value?.place ?? "";
  const [chosen, choose] = useRemembered(`dev ${place} route`, (kept) =>
    typeof kept === "string" ? kept : "",
  );
  const route = routes?.find(({ id }) => id === chosen) ?? routes?.[0];
  const [isFollowing, setIsFollowing] = useState(false);

  useEffect(() => {
    const mark = plugin.reload?.level === "error" ? "✗ " : "";
    document.title = `${mark}${state?.name ?? place} – Slipway`;
  }, [state?.name, place, plugin.reload]);

  return (
    <PluginProvider value={plugin}>
      <div class="author">
        <Head project={project} />
        <AwayBanner />
        <main id="main" class="content" tabIndex={-1}>
          <StartProblem />
          <WaitNotice />
          <ReloadNotice />
          <div class="workbench">
            <RouteList routes={routes} chosen={route} choose={choose} />
            {route === undefined ? (
              <Panel title="Request">
                <Empty icon="requests" title="No routes yet">
                  {routes === undefined ? "The plugin does not respond." : "The plugin has no routes."}
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
      </div>
    </PluginProvider>
  );
}

/** States why the last save is not live yet. */
function WaitNotice() {
  const { wait } = usePlugin();
  return wait === undefined ? null : <Notice tone="warning">{wait.text}</Notice>;
}

/** Result of the last save. */
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

/** The plugin, its stage, and the project for its requests. */
function Head({ project }: { project: Project }) {
  const { development, state } = usePlugin();
  const { directory, place } = development.value ?? {};
  return (
    <header class="head">
      <img src="icon.svg" alt="" width="28" height="28" />
      <div class="head-title">
        <h1>
          {state?.name ?? place ?? "Plugin"} {state?.version !== undefined && <code>{state.version}</code>}{" "}
          {state !== undefined && <StageBadge state={state} />}
        </h1>
        <p class="quiet cut" title={directory}>
          {directory}
        </p>
      </div>
      <ProjectChoice project={project} />
      <nav class="head-links" aria-label="Other pages">
        <a href={pageAddress("docs")}>API</a>
        <a href={pageAddress("admin")}>Host</a>
      </nav>
      <ThemeSwitch />
      {project.opening.failure !== undefined && (
        <div class="head-failure">
          <Failure error={project.opening.failure} />
        </div>
      )}
      <ProjectDrop open={project.opening.run} />
    </header>
  );
}

/** Live log lines, responses and stages of the plugin. */
function LogPanel() {
  const { lines } = usePlugin();
  const [after, setAfter] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const shown = (lines.entries ?? []).filter(({ id }) => id > after);
  const last = shown.at(-1)?.id ?? 0;

  useLayoutEffect(() => {
    const list = place.current;
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight;
  }, [last]);

  return (
    <Panel
      title="Log"
      aside={
        <Button kind="quiet" act={() => setAfter(last)}>
          Empty
        </Button>
      }
      isFlush
    >
      {lines.failure !== undefined && <Failure error={lines.failure} />}
      {shown.length === 0 ? (
        <Empty icon="audit" title="No log lines yet" />
      ) : (
        <section
          ref={place}
          class="log"
          aria-label="Lines of the log"
          onScroll={({ currentTarget: list }) => {
            isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
          }}
        >
          <LineList lines={shown} />
        </section>
      )}
    </Panel>
  );
}

/** The open projects, and the chosen one. */
interface Project {
  sessions: readonly ListedSession[];
  session: ListedSession | undefined;
  choose(id: string): void;
  /** Opens a project file and chooses it. */
  opening: Action<[File]>;
}

/** Follows the sessions; `sample` is chosen at first. */
function useProject(sample: string | undefined): Project {
  const { value, refresh } = useAnswer("GET /api/sessions", {});
  const [chosen, choose] = useState<string>();
  const sessions = value?.sessions ?? [];
  const session = sessions.find(({ sessionId }) => sessionId === (chosen ?? sample)) ?? sessions.at(-1);
  const opening = useOpenProject(({ sessionId }) => {
    choose(sessionId);
    refresh();
  });
  return { sessions, session, choose, opening };
}

/** Choice of an open project, and a button that opens another. */
function ProjectChoice({ project }: { project: Project }) {
  const { sessions, session, choose, opening } = project;
  return (
    <div class="project">
      <ProjectSelect sessions={sessions} chosen={session} choose={choose} />
      <ProjectFileButton
        text="Open …"
        label="Open a project file"
        isBusy={opening.isBusy}
        open={opening.run}
      />
    </div>
  );
}
