import { useEffect, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import type { HostClient } from "../client/host-client.js";
import { useHost, useWasSignedIn } from "../client/host-context.js";
import { RefusedRequest } from "../client/refusal.js";
import { useAnswer } from "../client/use-answer.js";
import { AccessNeeded, Failure, Notice, StartProblem } from "../parts/notice.js";
import { OpenProject } from "../parts/project.js";
import { readAddress, type Shown, writeAddress } from "./address.js";
import Preview from "./preview.js";
import type { PreviewedSession } from "./preview-state.js";
import { Reporter } from "./reporter.js";

/** A preview in the whole window, whose state is in the address. */
export default function PreviewPage() {
  const wasSignedIn = useWasSignedIn();
  useEffect(() => {
    document.title = "Preview – Slipway";
  }, []);
  return (
    <main id="main" class="preview-page" tabIndex={-1}>
      {wasSignedIn ? (
        <AccessNeeded roles={["sessions"]}>
          <Opening />
        </AccessNeeded>
      ) : (
        <StartProblem />
      )}
    </main>
  );
}

/** Determines the session, and then the template. */
function Opening() {
  const host = useHost();
  const [shown] = useState(() => readAddress(location.search));
  const [asked, setAsked] = useState<{ reason: string | undefined }>();
  const [opened, setOpened] = useState<{ session: PreviewedSession; template: string }>();
  const [failure, setFailure] = useState<Error>();

  const open = (session: PreviewedSession): void => {
    templateOf(host, shown.template, session.sessionId).then(
      (template) => {
        remember({ ...shown, session: session.sessionId, template });
        setOpened({ session, template });
      },
      (error: unknown) => setFailure(asError(error)),
    );
  };
  useEffect(() => {
    const { session: sessionId } = shown;
    if (sessionId === undefined) return setAsked({ reason: undefined });
    host.call("GET /api/sessions/:sessionId", { params: { sessionId } }).then(open, (error: unknown) => {
      if (error instanceof RefusedRequest) setAsked({ reason: error.message });
      else setFailure(asError(error));
    });
  }, []);

  if (failure !== undefined) return <Failure error={failure} />;
  if (opened !== undefined) {
    const { session, template } = opened;
    const first = { ...shown, session: session.sessionId, template };
    return <Preview session={session} shown={first} remember={remember} isWholePage />;
  }
  return asked === undefined ? null : <ProjectChooser reason={asked.reason} choose={open} />;
}

/** Asks for the project of the reports: an open one, or a file. */
function ProjectChooser(properties: {
  /** Why the page asks again. */
  reason: string | undefined;
  choose(session: PreviewedSession): void;
}) {
  const { reason, choose } = properties;
  const { value, failure } = useAnswer("GET /api/sessions", {});
  const sessions = value?.sessions ?? [];
  return (
    <section class="chooser">
      <h1>Preview of templates</h1>
      {reason !== undefined && <Notice tone="warning">{reason}</Notice>}
      {failure !== undefined && <Failure error={failure} />}
      <OpenProject text="Open a project (OBK, OBX or JSON) …" takesDrops opened={choose} />
      {sessions.length > 0 && (
        <>
          <h2>Or one that is open</h2>
          <ul>
            {sessions.map((session) => (
              <li key={session.sessionId}>
                <button type="button" class="link" onClick={() => choose(session)}>
                  {session.project.name || session.sessionId}
                </button>{" "}
                <small>{session.locale}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function remember(shown: Shown): void {
  document.title = `${shown.template ?? "Preview"} – Slipway`;
  history.replaceState(null, "", writeAddress(shown));
}

/** The key of the template that the address names by key or alias, else of the first template. */
async function templateOf(host: HostClient, name: string | undefined, sessionId: string): Promise<string> {
  if (name !== undefined) {
    const { templates } = await host.call("GET /api/templates", {});
    return templates.find(({ aliases }) => aliases.includes(name))?.key ?? name;
  }
  const [template] = await new Reporter(host).templates(sessionId);
  if (template === undefined) throw new Error("The host has no templates.");
  return template.key;
}
