import { ThemeSwitch } from "../admin/theme.js";
import { Icon } from "../parts/icon.js";
import { Failure } from "../parts/notice.js";
import { StageBadge } from "../parts/stage-badge.js";
import { usePlugin } from "./plugin-context.js";
import { type Project, ProjectChoice } from "./project-choice.js";

/** Which plugin it is, how it stands, and the project that it is tried with. */
export function Head({ project }: { project: Project }) {
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
        <a href="../docs/">API</a>
        <a href="../admin/">Host</a>
      </nav>
      <ThemeSwitch />
      {project.failure !== undefined && (
        <div class="head-failure">
          <Failure error={project.failure} />
        </div>
      )}
      {project.isOver && (
        <div class="drop-hint" data-tone="good">
          <p>
            <Icon name="upload" />
            Drop the project to open it
          </p>
        </div>
      )}
    </header>
  );
}
