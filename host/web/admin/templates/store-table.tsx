import { Badge } from "../../parts/badge.js";
import { shownNumber } from "../../parts/shown-values.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import type { StoreState } from "../host/answers.js";

/** Stores with what came of asking them the last time. */
export function StoreTable({ stores }: { stores: readonly StoreState[] }) {
  return (
    <Table
      caption="Template stores"
      rows={stores}
      keyOf={({ url }) => url}
      toneOf={({ state }) => (state === "ok" ? undefined : "wrong")}
      columns={[
        { title: "Store", kind: "main", cell: ({ url }) => <span class="any-break">{url}</span> },
        { title: "State", cell: ({ state }) => <StoreBadge state={state} /> },
        { title: "Templates", kind: "number", cell: ({ templates }) => shownNumber(templates) },
        { title: "Asked", cell: ({ checked }) => <Time at={checked} /> },
        { title: "Remarks", cell: ({ error }) => <span class="pre-line">{error ?? ""}</span> },
      ]}
    />
  );
}

function StoreBadge({ state }: Pick<StoreState, "state">) {
  return state === "ok" ? (
    <Badge tone="good" icon="live" text="Answers" />
  ) : (
    <Badge tone="wrong" icon="wrong" text="Failed" />
  );
}
