import { useTemplateChanges } from "../../client/feed.js";
import { useMay } from "../../client/host-context.js";
import type { StoreState, TemplateState } from "../../client/operations.js";
import { useAnswer } from "../../client/use-answer.js";
import { Badge } from "../../parts/badge.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, Panel, ViewHead } from "../../parts/panel.js";
import { counted, shownNumber } from "../../parts/shown-values.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { TemplateTable } from "./template-table.js";

/** All templates, what is wrong with them, and the stores that were asked for more. */
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
          <Panel title="In the folders" isFlush>
            {value.templates.length === 0 ? (
              <Empty icon="templates" title="No templates yet">
                Make one with <code>slipway template new KEY</code>, or copy one into the host's folder of
                templates.
              </Empty>
            ) : (
              <TemplateTable templates={value.templates} />
            )}
          </Panel>
          <Panel title="Stores" isFlush>
            {value.stores.length === 0 ? (
              <Empty icon="templates" title="No store was contacted so far">
                Stores are contacted when a client lists their templates or generates a report with one.
              </Empty>
            ) : (
              <StoreTable stores={value.stores} />
            )}
          </Panel>
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

/** Stores with what came of asking them the last time. */
function StoreTable({ stores }: { stores: readonly StoreState[] }) {
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
