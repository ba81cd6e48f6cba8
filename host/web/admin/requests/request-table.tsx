import type { RecentRequest } from "../../client/operations.js";
import { CopyButton } from "../../parts/button.js";
import { addressOf } from "../../parts/route.js";
import { shownDuration } from "../../parts/shown-values.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { isFailure } from "./request-kinds.js";

/** A table of requests in the given order. */
export function RequestTable({ requests }: { requests: readonly RecentRequest[] }) {
  const longest = Math.max(1, ...requests.map(({ milliseconds }) => milliseconds));
  return (
    <Table
      caption="Requests, newest first"
      rows={requests}
      keyOf={({ id }) => id}
      toneOf={(request) => (isFailure(request) ? "wrong" : undefined)}
      columns={[
        { title: "Time", cell: ({ time }) => <Time at={time} /> },
        { title: "Status", cell: (request) => <Status request={request} /> },
        { title: "Operation", kind: "main", cell: (request) => <Operation request={request} /> },
        {
          title: "Duration",
          kind: "number",
          cell: (request) => <DurationBar request={request} longest={longest} />,
        },
        { title: "Waited", kind: "number", cell: ({ waited }) => (waited < 1 ? "" : shownDuration(waited)) },
        { title: "Client", cell: (request) => <Client request={request} /> },
        {
          title: "Request",
          cell: ({ requestId }) => (
            <span class="with-copy">
              <code title={requestId}>{requestId.slice(0, 8)}</code>
              <CopyButton text={requestId} what="request id" />
            </span>
          ),
        },
      ]}
    />
  );
}

function Status({ request }: { request: RecentRequest }) {
  const { status, isComplete } = request;
  const isCut = !isComplete || status === 499;
  const tone = isFailure(request) ? (status >= 500 ? "wrong" : "warning") : isCut ? "idle" : "good";
  return (
    <>
      <span class="status" data-tone={tone}>
        {status}
      </span>
      {isCut && (
        <span class="quiet" title="The client disconnected before the response was complete">
          {" "}
          cut
        </span>
      )}
    </>
  );
}

function Operation({ request }: { request: RecentRequest }) {
  const { method, path, target, errorId } = request;
  return (
    <>
      <span class="method">{method}</span> <Path path={path} />
      {(target !== undefined || errorId !== undefined) && (
        <p class="quiet">
          {target !== undefined && <a href={addressOf("plugins", target.plugin)}>{target.plugin}</a>}
          {target !== undefined && ` ${target.version} in release ${target.release}`}{" "}
          {errorId !== undefined && <code class="error-id">{errorId}</code>}
        </p>
      )}
    </>
  );
}

/** Lines may break behind each slash. */
function Path({ path }: { path: string }) {
  const [first, ...parts] = path.split("/");
  return (
    <span class="any-break">
      {first}
      {parts.map((part, place) => [<wbr key={place} />, `/${part}`])}
    </span>
  );
}

function Client({ request: { client, key, session } }: { request: RecentRequest }) {
  return (
    <>
      <span class="no-break">{client}</span>
      {key !== undefined && <p class="quiet no-break">key {key}</p>}
      {session !== undefined && <p class="quiet no-break">session {session}</p>}
    </>
  );
}

/** Duration of a request including its waiting time, relative to the longest one in the table. */
function DurationBar({ request, longest }: { request: RecentRequest; longest: number }) {
  const { milliseconds, waited } = request;
  // Square roots keep short durations distinguishable beside a long one.
  const width = (value: number): number => Math.sqrt(Math.max(0, value) / longest) * 100;
  return (
    <span class="duration">
      {shownDuration(milliseconds)}
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-rest" width="100" height="4" />
        <rect class="meter-value" width={width(milliseconds)} height="4" />
        <rect class="meter-waited" width={width(Math.min(waited, milliseconds))} height="4" />
      </svg>
    </span>
  );
}
