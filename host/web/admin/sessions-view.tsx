import type { ComponentChildren } from "preact";
import type { HostClient } from "../client/host-client.js";
import { useHost, useMay } from "../client/host-context.js";
import type { ListedSession } from "../client/operations.js";
import { useAnswer } from "../client/use-answer.js";
import { Empty } from "../parts/panel.js";
import { counted, shownBytes } from "../parts/shown-values.js";
import { type Column, TablePanel } from "../parts/table.js";
import { Countdown, Time } from "../parts/time.js";
import { toastSuccess } from "../parts/toasts.js";
import { EntriesView, shortId } from "./entries-view.js";

const pollInterval = 5000;

/** Open sessions, without the contents of their projects. */
export function SessionsView() {
  const host = useHost();
  const canRead = useMay("read", "sessions");
  const { value, ...answer } = useAnswer(canRead ? "GET /api/sessions" : undefined, {}, pollInterval);
  return (
    <EntriesView
      {...answer}
      title="Sessions"
      entries={value?.sessions}
      summary={summary}
      verb="Close"
      noun="session"
      idOf={({ sessionId }) => sessionId}
      table={(sessions, action) => <SessionTable sessions={sessions} action={action} />}
      end={(session) => close(host, session)}
      consequences={({ project: { name } }) => (
        <>
          <p>
            Whoever works with {name === "" ? "its project" : <strong>{name}</strong>} gets “session not
            found” at the next request and has to open the project again. What was changed in the session and
            not saved elsewhere is lost.
          </p>
          <p class="quiet">Generated files stay until they expire.</p>
        </>
      )}
    />
  );
}

function summary(sessions: readonly ListedSession[]): string {
  const bytes = sessions.reduce((sum, { bytes: each = 0 }) => sum + each, 0);
  return `${counted(sessions.length, "session")} open${bytes === 0 ? "" : `, ${shownBytes(bytes)}`}`;
}

async function close(host: HostClient, session: ListedSession): Promise<void> {
  const { sessionId } = session;
  await host.call("DELETE /api/sessions/:sessionId", { params: { sessionId } });
  toastSuccess(`Session ${shortId(session.sessionId)} is closed.`);
}

/** Sessions, the most recently used first. */
function SessionTable(properties: {
  sessions: readonly ListedSession[];
  action(session: ListedSession): ComponentChildren;
}) {
  const { sessions, action } = properties;
  const rows = [...sessions].sort((one, other) => other.expiresAt.localeCompare(one.expiresAt));
  const columns: Column<ListedSession>[] = [
    { title: "Project", kind: "main", cell: (session) => <Project session={session} /> },
    { title: "Session", cell: (session) => <code>{shortId(session.sessionId)}</code> },
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
  return (
    <TablePanel
      title="Open"
      empty={
        <Empty icon="sessions" title="No session is open">
          Clients open one with <code>POST /api/sessions</code> and a project.
        </Empty>
      }
      caption="Open sessions"
      rows={rows}
      keyOf={({ sessionId }) => sessionId}
      columns={columns}
    />
  );
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
