import type { HostStatus } from "../../client/operations.js";
import { Empty } from "../../parts/panel.js";
import { addressOf } from "../../parts/route.js";
import { TablePanel } from "../../parts/table.js";

/** Which version of each plugin answers under each release. */
export function ReleaseTable({ status }: { status: HostStatus }) {
  const rows = Object.entries(status.releases);
  return (
    <TablePanel
      title="Releases"
      empty={<Empty icon="plugins" title="No release serves a plugin" />}
      caption="Releases with their plugin versions"
      rows={rows}
      keyOf={([release]) => release}
      columns={[
        {
          title: "Release",
          kind: "main",
          cell: ([release]) => (
            <>
              <code>/{release}</code>
              {release === status.defaultRelease && <span class="quiet"> default</span>}
            </>
          ),
        },
        {
          title: "Versions",
          cell: ([, plugins]) => <Versions plugins={plugins} />,
        },
      ]}
    />
  );
}

function Versions({ plugins }: { plugins: Record<string, string> }) {
  const entries = Object.entries(plugins).sort(([one], [other]) => one.localeCompare(other));
  if (entries.length === 0) return <span class="quiet">nothing</span>;
  return (
    <ul class="versions">
      {entries.map(([name, version]) => (
        <li key={name}>
          <a href={addressOf("plugins", name)}>{name}</a> <code>{version}</code>
        </li>
      ))}
    </ul>
  );
}
