import { useEffect, useState } from "preact/hooks";
import { errorMessage } from "../../system/errors.js";
import type { ListedSession } from "../client/answers.js";
import { useHost } from "../client/host-context.js";
import { openSession } from "../client/sessions.js";
import { ProjectFileButton } from "../parts/project-file-button.js";
import type { PreviewedSession } from "./live-preview.js";

/** Asks which project the reports are to be of: one that is open, or a file. */
export function ProjectChooser(properties: {
  /** Why it is asked for again. */
  reason: string | undefined;
  choose(session: PreviewedSession): void;
}) {
  const { reason, choose } = properties;
  const host = useHost();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState(reason ?? "");
  const [sessions, setSessions] = useState<readonly ListedSession[]>();
  useEffect(() => {
    host.call("GET /api/sessions", {}).then(
      (answer) => setSessions(answer.sessions),
      (error: unknown) => setMessage(errorMessage(error)),
    );
  }, [host]);
  const open = (file: File): void => {
    setIsBusy(true);
    openSession(host, file)
      .then(choose, (error: unknown) => setMessage(errorMessage(error)))
      .finally(() => setIsBusy(false));
  };
  return (
    <main id="main" class="chooser" tabIndex={-1}>
      <h1>Preview of templates</h1>
      <p role="alert" class="message">
        {message}
      </p>
      <ProjectFileButton text="Open a project (OBK, OBX or JSON) …" isBusy={isBusy} open={open} />
      {sessions !== undefined && sessions.length > 0 && (
        <>
          <h2>Or one that is open</h2>
          <ul>
            {sessions.map((session) => (
              <li key={session.sessionId}>
                <button type="button" onClick={() => choose(session)}>
                  {session.project.name || session.sessionId}
                </button>{" "}
                <small>{session.locale}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}
