import { useState } from "preact/hooks";
import type { ListedSession } from "../../client/answers.js";
import { useHost, useMay } from "../../client/host-context.js";
import { useAnswer } from "../../client/use-answer.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { AccessNeeded, Failure, usePrevented } from "../../parts/notice.js";
import { Empty, Panel, ViewHead } from "../../parts/panel.js";
import { counted, shownBytes } from "../../parts/shown-values.js";
import { sayDone } from "../../parts/toasts.js";
import { SessionTable, shortId } from "./session-table.js";

const betweenLooks = 5000;

/** Open sessions: what they are, never what is in them. */
export function SessionsView() {
  const maySee = [useMay("read"), useMay("sessions")].includes(true);
  const prevented = usePrevented("sessions");
  const { value, failure, refresh } = useAnswer(maySee ? "GET /api/sessions" : undefined, {}, betweenLooks);
  const [closing, setClosing] = useState<ListedSession>();
  const sessions = value?.sessions;
  return (
    <AccessNeeded roles={["read", "sessions"]}>
      <ViewHead
        title="Sessions"
        text={sessions === undefined ? "Loading …" : summary(sessions)}
        actions={prevented === undefined ? undefined : <p class="prevented quiet">{prevented}</p>}
      />
      {failure !== undefined && sessions === undefined && <Failure error={failure} />}
      {sessions !== undefined && (
        <Panel title="Open" isFlush>
          {sessions.length === 0 ? (
            <Empty icon="sessions" title="No session is open">
              Clients open one with <code>POST /api/sessions</code> and a project.
            </Empty>
          ) : (
            <SessionTable
              sessions={sessions}
              action={(session) => (
                <Button
                  kind="quiet"
                  prevented={prevented}
                  label={`Close session ${shortId(session)}`}
                  act={() => setClosing(session)}
                >
                  Close …
                </Button>
              )}
            />
          )}
        </Panel>
      )}
      {closing !== undefined && (
        <CloseDialog
          session={closing}
          close={() => {
            setClosing(undefined);
            refresh();
          }}
        />
      )}
    </AccessNeeded>
  );
}

function summary(sessions: readonly ListedSession[]): string {
  const bytes = sessions.reduce((sum, { bytes: each = 0 }) => sum + each, 0);
  return `${counted(sessions.length, "session")} open${bytes === 0 ? "" : `, ${shownBytes(bytes)}`}`;
}

function CloseDialog({ session, close }: { session: ListedSession; close(): void }) {
  const host = useHost();
  const act = async (): Promise<void> => {
    const { sessionId } = session;
    await host.call("DELETE /api/sessions/:sessionId", { params: { sessionId } });
    sayDone(`Session ${shortId(session)} is closed.`);
  };
  const { name } = session.project;
  return (
    <Confirmation
      title={`Close session ${shortId(session)}?`}
      action="Close session"
      kind="danger"
      act={act}
      close={close}
    >
      <p>
        Whoever works with {name === "" ? "its project" : <strong>{name}</strong>} gets “session not found” at
        the next request and has to open the project again. What was changed in the session and not saved
        elsewhere is lost.
      </p>
      <p class="quiet">Generated files stay until they expire.</p>
    </Confirmation>
  );
}
