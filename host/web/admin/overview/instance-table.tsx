import { Empty, Panel } from "../../parts/panel.js";
import { shownBytes } from "../../parts/shown-values.js";
import { Table } from "../../parts/table.js";
import type { HostStatus } from "../host/answers.js";
import { addressOf } from "../route.js";

/** The processes of plugins: what they hold, and what they have to do. */
export function InstanceTable({ status }: { status: HostStatus }) {
  const { instances, requests } = status;
  return (
    <Panel title="Plugin processes" isFlush>
      {instances.length === 0 ? (
        <Empty icon="plugins" title="No plugin runs" />
      ) : (
        <Table
          caption="Plugin processes with their memory and work"
          rows={instances}
          keyOf={({ processId }) => processId}
          columns={[
            {
              title: "Plugin",
              kind: "main",
              cell: ({ plugin, version }) => (
                <>
                  <a href={addressOf("plugins", plugin)}>{plugin}</a> <code>{version}</code>
                </>
              ),
            },
            { title: "Process", kind: "number", cell: ({ processId }) => <code>{processId}</code> },
            {
              title: "Memory",
              kind: "number",
              cell: ({ memory }) => (memory === undefined ? "" : shownBytes(memory)),
            },
            { title: "Working", kind: "number", cell: ({ plugin }) => work(requests, plugin) },
          ]}
        />
      )}
    </Panel>
  );
}

/** Such as "2 of 8, 3 wait". All versions of a plugin share its places. */
function work({ plugins }: HostStatus["requests"], name: string): string {
  const found = plugins.find(({ plugin }) => plugin === name);
  if (found === undefined) return "";
  const { working, waiting, concurrency } = found;
  return `${working} of ${concurrency}${waiting === 0 ? "" : `, ${waiting} wait`}`;
}
