import { useTemplateChanges } from "../../client/feed.js";
import { useMay } from "../../client/host-context.js";
import type { StoreState, TemplateState } from "../../client/operations.js";
import { useAnswer } from "../../client/use-answer.js";
import { Badge } from "../../parts/badge.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, ViewHead } from "../../parts/panel.js";
import { counted, shownNumber } from "../../parts/shown-values.js";
import { TablePanel } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { TemplateTable } from "./template-table.js";

/** All templates with their mistakes, and the template stores. */
export function TemplatesView() {
  const mayRead = useMay("read");
  const { value, failure, refresh } = useAnswer(mayRead ? "GET /api/templates" : undefined, {}, 30_000);
  useTemplateChanges(mayRead, refresh);
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead title="Templates" text={value === undefined ? "Loading …" : summary(value.templates)} />
      {failure !== undefined && value === undefined && <Failure error={failure} />}
      {value !== undefined && (
        <>
          <TemplateTable templates={value.templates} />
          <StoreTable stores={value.stores} />
        </>
      )}
    </AccessNeeded>
  );
}

function summary(templates: readonly TemplateState[]): string {
  const serving = templates.filter(({ version }) => version !== undefined).length;
  const broken = templates.filter(({ problems }) => problems.length > 0).length;
  return `${counted(serving, "template")} serving${broken === 0 ? "" : `, ${broken} with mistakes`}`;
}

/** Template stores with the result of the last request to each. */
function StoreTable({ stores }: { stores: readonly StoreState[] }) {
  return (
    <TablePanel
      title="Stores"
      empty={
        <Empty icon="templates" title="No store was contacted so far">
          Stores are contacted when a client lists their templates or generates a report with one.
        </Empty>
      }
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
