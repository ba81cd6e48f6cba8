import { Panel } from "../../parts/panel.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import type { PluginOverview } from "../host/answers.js";
import { ShortHash } from "./short-hash.js";

/** What the host remembers of a plugin: what it can go back to, what is quarantined, what it was rolled back to. */
export function StandingPanels({ overview }: { overview: PluginOverview }) {
  const { kept, quarantined } = overview;
  const pins = Object.entries(overview.pins);
  return (
    <div class="columns">
      {kept.length > 0 && (
        <Panel title="Kept for a rollback" isFlush>
          <Table
            caption="Versions that are kept, the one that served last first"
            rows={kept}
            keyOf={({ version, hash }) => `${version} ${hash}`}
            columns={[
              { title: "Version", kind: "main", cell: ({ version }) => <code>{version}</code> },
              { title: "Served well", cell: ({ at }) => <Time at={at} /> },
              { title: "Hash", cell: ({ hash }) => <ShortHash hash={hash} /> },
            ]}
          />
        </Panel>
      )}
      {quarantined.length > 0 && (
        <Panel title="Quarantine" isFlush>
          <Table
            caption="Versions that served badly"
            rows={quarantined}
            keyOf={({ version, hash }) => `${version} ${hash}`}
            toneOf={() => "wrong"}
            columns={[
              { title: "Version", kind: "main", cell: ({ version }) => <code>{version}</code> },
              { title: "Since", cell: ({ at }) => <Time at={at} /> },
              { title: "Reason", cell: ({ reason }) => <span class="pre-line">{reason}</span> },
            ]}
          />
        </Panel>
      )}
      {pins.length > 0 && (
        <Panel title="Rollbacks in force" isFlush>
          <Table
            caption="Releases that were rolled back"
            rows={pins}
            keyOf={([release]) => release}
            columns={[
              { title: "Release", kind: "main", cell: ([release]) => <code>{release}</code> },
              { title: "Holds", cell: ([, { version }]) => <code>{version}</code> },
              { title: "Since", cell: ([, { at }]) => <Time at={at} /> },
              { title: "By", cell: ([, { actor }]) => actor },
            ]}
          />
        </Panel>
      )}
    </div>
  );
}
