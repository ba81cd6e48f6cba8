import type { ComponentChildren } from "preact";
import type { ListedSession } from "../../client/answers.js";
import { counted, shownBytes } from "../../parts/shown-values.js";
import { type Column, Table } from "../../parts/table.js";
import { Countdown, Time } from "../../parts/time.js";

/** The beginning of a session's id: the whole would open the session to who looks over a shoulder. */
export function shortId({ sessionId }: ListedSession): string {
  return `${sessionId.slice(0, 8)}…`;
}

/** Sessions, the one that lives longest, because it was used last, first. */
export function SessionTable(properties: {
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
