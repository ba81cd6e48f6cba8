import type { ComponentChildren } from "preact";
import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { counted } from "../parts/shown-values.js";
import type { PreviewState, ShownReport } from "./preview-state.js";

/** The status of the preview, its durations, and notes about the report. */
export function StatusBar(properties: {
  state: PreviewState;
  isBroken: boolean;
  project: string | undefined;
}) {
  const { state, isBroken, project } = properties;
  const { report, pages, isBusy } = state;
  const isAway = useObserved(useHost().connection.away) !== undefined;
  const kind = isAway ? "lost" : isBusy ? "busy" : isBroken ? "broken" : "done";
  const text = isAway
    ? "The host is unreachable; waiting for it"
    : isBroken
      ? "Not up to date"
      : report === undefined
        ? "Opening …"
        : counted(pages.count, "page");
  const isPlain = !isAway && !isBroken && report !== undefined;
  return (
    <footer class="status-bar">
      <p
        class="status-line"
        role="status"
        data-state={kind}
        title={report === undefined ? undefined : stepsOf(report)}
      >
        <span class="lamp" aria-hidden="true" />
        <span>{text}</span>
        {isPlain && <span class="time">{totalOf(report)}</span>}
      </p>
      <NoteList state={state} />
      {project !== undefined && <span class="project-name">{project}</span>}
    </footer>
  );
}

function totalOf({ times, served }: ShownReport): string {
  const total = Object.values(times).reduce((sum, each) => sum + each, served ?? 0);
  return `${Math.round(total)} ms${served === undefined ? "" : " after the save"}`;
}

function stepsOf({ times: { generated, fetched, drawn } }: ShownReport): string {
  const shown = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
  return `Made in ${shown(generated)}, fetched in ${shown(fetched)}, drawn in ${shown(drawn)}`;
}

/** Suppressed errors of the report and warnings of its template, behind a button with their number. */
function NoteList({ state: { report, templateStates, shown } }: { state: PreviewState }) {
  const errors = report?.errors ?? [];
  const { warnings = [], notes = [] } = templateStates.find(({ key }) => key === shown.template) ?? {};
  const count = errors.length + warnings.length + notes.length;
  return (
    <details class="notes" hidden={count === 0}>
      <summary>{counted(count, "note")}</summary>
      <ul>
        {notes.map(({ file, line, message }) => (
          <Note key={`${file}:${line}:${message}`} kind="error" source="template">
            {`${file}${line === undefined ? "" : `:${line}`}: ${message}`}
          </Note>
        ))}
        {errors.map(({ scopes, message, id }, index) => (
          <Note key={index} kind={scopes.includes("ERROR") ? "error" : "warn"} source={id}>
            {message}
          </Note>
        ))}
        {warnings.map((warning) => (
          <Note key={warning} kind="warn" source="template">
            {warning}
          </Note>
        ))}
      </ul>
    </details>
  );
}

function Note({
  kind,
  source,
  children,
}: {
  kind: "error" | "warn";
  source: string;
  children: ComponentChildren;
}) {
  return (
    <li data-kind={kind}>
      {children} <code>{source}</code>
    </li>
  );
}
