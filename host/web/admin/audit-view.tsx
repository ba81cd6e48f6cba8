import { type FeedSource, useFeed } from "../client/feed.js";
import { useMay } from "../client/host-context.js";
import type { AuditEntry } from "../client/operations.js";
import { Badge } from "../parts/badge.js";
import { CopyButton } from "../parts/button.js";
import { AccessNeeded, Failure } from "../parts/notice.js";
import { Empty, ViewHead } from "../parts/panel.js";
import { TablePanel } from "../parts/table.js";
import { Time } from "../parts/time.js";

const source: FeedSource<"GET /api/audit"> = {
  key: "GET /api/audit",
  entriesOf: ({ entries }) => entries,
  capacity: 500,
};

/** The audit trail. */
export function AuditView() {
  const { entries, failure } = useFeed(source, useMay("read"));
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead
        title="Audit"
        text="Changes, newest first. The file audit.jsonl of the host, or the engine of several, has the complete trail."
      />
      {failure !== undefined && <Failure error={failure} />}
      {entries !== undefined && <AuditTable entries={[...entries].reverse()} />}
    </AccessNeeded>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <TablePanel
      title="Changes"
      empty={
        <Empty icon="audit" title="No changes yet">
          Roll-backs, installations and closed sessions will stand here.
        </Empty>
      }
      caption="Changes, newest first"
      rows={entries}
      keyOf={({ id }) => id}
      toneOf={({ outcome }) => (outcome === "done" ? undefined : "wrong")}
      columns={[
        { title: "Time", cell: ({ time }) => <Time at={time} /> },
        { title: "What", kind: "main", cell: (entry) => <Action entry={entry} /> },
        { title: "Outcome", cell: (entry) => <Outcome entry={entry} /> },
        { title: "Who", cell: (entry) => <Who entry={entry} /> },
        { title: "Request", cell: (entry) => <RequestId entry={entry} /> },
      ]}
    />
  );
}

function Action({ entry: { action, target, details, message } }: { entry: AuditEntry }) {
  return (
    <>
      <code>{action}</code> {target !== undefined && <strong>{target}</strong>}
      {details !== undefined && <p class="quiet">{shownDetails(details)}</p>}
      {message !== undefined && <p class="pre-line">{message}</p>}
    </>
  );
}

/** Such as "release 1.0 · version 1.1.0". */
function shownDetails(details: unknown): string {
  if (typeof details !== "object" || details === null) return String(details);
  return Object.entries(details)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(" · ");
}

function Outcome({ entry: { outcome } }: { entry: AuditEntry }) {
  if (outcome === "done") return <Badge tone="good" icon="good" text="Done" />;
  if (outcome === "refused") return <Badge tone="warning" icon="warning" text="Refused" />;
  return <Badge tone="wrong" icon="wrong" text="Failed" />;
}

function Who({ entry: { actor, key, address, host } }: { entry: AuditEntry }) {
  const more = [key === undefined ? "" : `key ${key}`, address ?? ""].filter(
    (text) => text !== "" && !actor.includes(text),
  );
  if (host !== undefined) more.push(`on ${host}`);
  return (
    <>
      {actor}
      {more.length > 0 && <p class="quiet">{more.join(" · ")}</p>}
    </>
  );
}

function RequestId({ entry: { requestId } }: { entry: AuditEntry }) {
  if (requestId === undefined) return null;
  return (
    <span class="with-copy">
      <code title={requestId}>{requestId.slice(0, 8)}</code>
      <CopyButton text={requestId} what="request id" />
    </span>
  );
}
