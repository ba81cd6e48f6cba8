import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useHost, useMay, useWasSignedIn } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { AwayBanner } from "../parts/away-banner.js";
import { Button, Icon } from "../parts/button.js";
import { LanguageSwitch } from "../parts/language.js";
import { lazy } from "../parts/lazy.js";
import { AccessNeeded, StartProblem } from "../parts/notice.js";
import { Empty } from "../parts/panel.js";
import { DropHint, useFileDrop } from "../parts/project.js";
import { pageAddress } from "../parts/route.js";
import { ThemeSwitch } from "../parts/theme.js";
import { toastSuccess } from "../parts/toasts.js";
import { goTo, place, placeAddress, projectViews } from "./parts/address.js";
import { FailureNotice, Loading } from "./parts/outcome.js";
import { isEnded, type OpenProject } from "./projects/open-project.js";
import { useWorkbench } from "./projects/workbench-context.js";
import { FileChooser, Openings, StartView } from "./start-view.js";
import { useWorkbenchWords } from "./words/words.js";

/** Loaded on demand: the report needs the PDF library. */
const ProjectView = lazy(() => import("./project/project-view.js"));
const ReportView = lazy(() => import("./report/report-view.js"));
const ExportView = lazy(() => import("./export/export-view.js"));

type Open = (files: readonly File[]) => void;

/** The page that makes a quote, an order or a workbook from a project file. */
export default function WorkbenchPage() {
  const wasSignedIn = useWasSignedIn();
  const may = useMay("sessions");
  const workbench = useWorkbench();
  const { sessionId } = useObserved(place);
  const words = useWorkbenchWords();
  const open = useCallback<Open>((files) => {
    for (const file of files)
      void workbench.open(file).then((project) => {
        if (project !== undefined) goTo(project.facts.sessionId);
      });
  }, []);
  const isOver = useFileDrop(may, open);
  const current = useObserved(workbench.projects).find(({ facts }) => facts.sessionId === sessionId);
  useEffect(() => {
    document.title = `${current?.facts.name || words.title} – Slipway`;
  }, [current, words]);
  return (
    <div class="workbench-page">
      <Head open={open} current={current} />
      <AwayBanner />
      <main id="main" class="workbench-main" tabIndex={-1}>
        {wasSignedIn ? (
          <AccessNeeded roles={["sessions"]}>
            {sessionId === undefined ? (
              <StartView open={open} />
            ) : (
              <>
                <Openings open={open} />
                <ShownProject key={sessionId} sessionId={sessionId} open={open} />
              </>
            )}
          </AccessNeeded>
        ) : (
          <StartProblem />
        )}
      </main>
      {isOver && <DropHint text={words.open.release} />}
    </div>
  );
}

/** The tabs of open projects, and the settings of the page. */
function Head({ open, current }: { open: Open; current: OpenProject | undefined }) {
  const workbench = useWorkbench();
  const words = useWorkbenchWords();
  const projects = useObserved(workbench.projects);
  const currentTab = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const tab = currentTab.current?.getBoundingClientRect();
    const list = currentTab.current?.parentElement;
    if (tab === undefined || list == null) return;
    // Centers the tab if not all fit.
    list.scrollLeft += tab.left - list.getBoundingClientRect().left - (list.clientWidth - tab.width) / 2;
  }, [current]);
  const close = (project: OpenProject): void => {
    const index = projects.indexOf(project);
    workbench.close(project);
    toastSuccess(words.closed(project.facts.name || words.unnamed));
    if (project !== current) return;
    const next = projects[index + 1] ?? projects[index - 1];
    goTo(next?.facts.sessionId);
    // The button that had the focus is gone.
    document.getElementById("main")?.focus();
  };
  return (
    <header class="workbench-head">
      <a class="brand" href={placeAddress()} aria-label="Slipway">
        <img src="icon.svg" alt="" width="28" height="28" />
        <strong>Slipway</strong>
      </a>
      {projects.length > 0 && (
        <nav class="project-tabs" aria-label={words.projects}>
          <ul>
            {projects.map((project) => {
              const { sessionId, name } = project.facts;
              const shown = name || words.unnamed;
              return (
                <li
                  key={sessionId}
                  ref={project === current ? currentTab : null}
                  data-current={project === current || undefined}
                >
                  <a
                    href={placeAddress(sessionId, project === current ? place.value.view : "project")}
                    aria-current={project === current ? "page" : undefined}
                    title={shown}
                  >
                    {shown}
                  </a>
                  <button
                    type="button"
                    class="copy"
                    aria-label={words.closeProject(shown)}
                    title={words.closeProject(shown)}
                    onClick={() => close(project)}
                  >
                    <Icon name="close" />
                  </button>
                </li>
              );
            })}
          </ul>
          <FileChooser text={words.open.another} label={words.open.anotherLabel} open={open} />
        </nav>
      )}
      <div class="page-links">
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
        <a class="admin-link" href={pageAddress("admin")}>
          {words.admin}
        </a>
      </div>
    </header>
  );
}

/** The owner of the key, and a button that forgets the key. */
function Account() {
  const host = useHost();
  const access = useObserved(host.access);
  const words = useWorkbenchWords();
  if (access?.required !== true || access.roles.length === 0) return null;
  return (
    <Button
      kind="quiet"
      icon="key"
      label={`${access.key ?? ""}: ${words.forgetKey}`}
      act={() => host.signOut()}
    >
      {words.forgetKey}
    </Button>
  );
}

/** The project and view that the address names. */
function ShownProject({ sessionId, open }: { sessionId: string; open: Open }) {
  const workbench = useWorkbench();
  const project = useObserved(workbench.projects).find(({ facts }) => facts.sessionId === sessionId);
  const [failure, setFailure] = useState<unknown>();
  const join = (): void => {
    setFailure(undefined);
    if (project === undefined) workbench.join(sessionId).catch(setFailure);
  };
  useEffect(join, [sessionId]);
  if (isEnded(failure)) return <Ended open={open} />;
  if (failure !== undefined) return <FailureNotice failure={failure} again={join} />;
  if (project === undefined) return <Loading />;
  return <ProjectFrame project={project} open={open} />;
}

function ProjectFrame({ project, open }: { project: OpenProject; open: Open }) {
  const { view } = useObserved(place);
  const words = useWorkbenchWords();
  const { sessionId, name } = project.facts;
  const content = useObserved(project.content);
  if (isEnded(content.failure)) return <Ended open={open} />;
  return (
    <>
      <nav class="view-tabs" aria-label={words.views.label}>
        <h1 class="cut" title={name}>
          {name || words.unnamed}
        </h1>
        <ul>
          {projectViews.map((each) => (
            <li key={each}>
              <a href={placeAddress(sessionId, each)} aria-current={view === each ? "page" : undefined}>
                {words.views[each]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="view-place">
        {view === "project" && <ProjectView key={sessionId} project={project} />}
        {view === "report" && <ReportView key={sessionId} project={project} />}
        {(view === "order" || view === "workbook") && (
          <ExportView key={`${sessionId} ${view}`} project={project} name={view} />
        )}
      </div>
    </>
  );
}

/** Shown when the session has ended. */
function Ended({ open }: { open: Open }) {
  const words = useWorkbenchWords();
  return (
    <Empty icon="sessions" title={words.ended.title}>
      <p>{words.ended.text}</p>
      <FileChooser isMain text={words.open.choose} open={open} />
    </Empty>
  );
}
