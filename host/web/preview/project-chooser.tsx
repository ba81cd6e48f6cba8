import { useAnswer } from "../client/use-answer.js";
import { Failure, Notice } from "../parts/notice.js";
import { OpenProject } from "../parts/project.js";
import type { PreviewedSession } from "./live-preview.js";

/** Asks which project the reports are to be of: one that is open, or a file. */
export function ProjectChooser(properties: {
  /** Why it is asked for again. */
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
