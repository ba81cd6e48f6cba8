import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useHost, useMay } from "../client/host-context.js";
import type { ListedSession } from "../client/operations.js";
import { useAnswer } from "../client/use-answer.js";
import { Button } from "../parts/button.js";
import { Confirmation } from "../parts/dialog.js";
import { AccessNeeded, Failure, usePrevented } from "../parts/notice.js";
import { Empty, Panel, ViewHead } from "../parts/panel.js";
import { counted, shownBytes } from "../parts/shown-values.js";
import { type Column, Table } from "../parts/table.js";
import { Countdown, Time } from "../parts/time.js";
import { sayDone } from "../parts/toasts.js";

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

/** The beginning of a session's id: the whole would open the session to who looks over a shoulder. */
function shortId({ sessionId }: ListedSession): string {
  return `${sessionId.slice(0, 8)}…`;
}

/** Sessions, the one that lives longest, because it was used last, first. */
function SessionTable(properties: {
  sessions: readonly ListedSession[];
  action(session: ListedSession): ComponentChildren;
}) {
  const { sessions, action } = properties;
  const rows = [...sessions].sort((one, other) => other.expiresAt.localeCompare(one.expiresAt));
  const columns: Column<ListedSession>[] = [
    { title: "Project", kind: "main", cell: (session) => <Project session={session} /> },
    { title: "Session", cell: (session) => <code>{shortId(session)}</code> },
    { title: "Locale", cell: ({ locale }) => <code>{locale}</code> },
    { title: "Opened", cell: ({ opened }) => <Time at={opened} /> },
    {
      title: "Expires",
      cell: ({ expiresAt }) => (
        <>
          in <Countdown to={expiresAt} />
        </>
      ),
    },
    { title: "Size", kind: "number", cell: ({ bytes }) => shownBytes(bytes) },
    { title: "Action", kind: "action", cell: action },
  ];
  return <Table caption="Open sessions" rows={rows} keyOf={({ sessionId }) => sessionId} columns={columns} />;
}

function Project({ session: { project } }: { session: ListedSession }) {
  const { name, number, items, currency } = project;
  const rest = [number, counted(items, "item"), currency].filter((text) => text !== "").join(" · ");
  return (
    <>
      <strong>{name === "" ? "Without a name" : name}</strong>
      <p class="quiet">{rest}</p>
    </>
  );
}
