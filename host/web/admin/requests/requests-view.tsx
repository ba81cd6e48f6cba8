import { useState } from "preact/hooks";
import type { RecentRequest } from "../../client/operations.js";
import { Button } from "../../parts/button.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, Panel, ViewHead } from "../../parts/panel.js";
import { counted } from "../../parts/shown-values.js";
import { isWanted, noFilter, type RequestFilter, RequestFilters } from "./request-filters.js";
import { isFailure, useRequests } from "./request-kinds.js";
import { RequestTable } from "./request-table.js";

const shownAtOnce = 200;

/** The latest requests, live. */
export function RequestsView() {
  const feed = useRequests();
  const [filter, setFilter] = useState<RequestFilter>(noFilter);
  /** The requests of the paused view. */
  const [held, setHeld] = useState<readonly RecentRequest[]>();
  const entries = held ?? feed.entries;
  const found = (entries ?? []).filter((request) => isWanted(request, filter)).reverse();
  const last = held?.at(-1)?.id ?? 0;
  const isMissed = (request: RecentRequest): boolean => request.id > last && isWanted(request, filter);
  const missed = held === undefined ? 0 : (feed.entries ?? []).filter(isMissed).length;
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead
        title="Requests"
        text={entries === undefined ? "Loading …" : <Summary requests={found} all={entries.length} />}
        actions={
          <Button
            icon={held === undefined ? "pause" : "play"}
            isPressed={held !== undefined}
            act={() => setHeld(held === undefined ? (feed.entries ?? []) : undefined)}
          >
            {held === undefined ? "Pause" : `Go on${missed > 0 ? `, ${missed} more` : ""}`}
          </Button>
        }
      />
      <RequestFilters filter={filter} requests={entries ?? []} change={setFilter} />
      {feed.failure !== undefined && <Failure error={feed.failure} />}
      {entries !== undefined && (
        <Panel title={held === undefined ? "As they end" : "Paused"} isFlush>
          {found.length === 0 ? (
            <Empty icon="requests" title="No matching requests">
              {entries.length === 0
                ? "None has ended since the host started."
                : "The filters above hide all of them."}
            </Empty>
          ) : (
            <RequestTable requests={found.slice(0, shownAtOnce)} />
          )}
          {found.length > shownAtOnce && (
            <p class="rest quiet">
              {counted(found.length - shownAtOnce, "older request")} not shown; the filters find them.
            </p>
          )}
        </Panel>
      )}
    </AccessNeeded>
  );
}

function Summary({ requests, all }: { requests: readonly RecentRequest[]; all: number }) {
  const failed = requests.filter(isFailure).length;
  return (
    <>
      {counted(requests.length, "request")} of the last {counted(all, "request")}, {counted(failed, "error")}
    </>
  );
}
