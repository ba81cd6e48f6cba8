import type { PluginSwitch } from "../../client/operations.js";
import { Badge } from "../../parts/badge.js";
import { TablePanel } from "../../parts/table.js";
import { Ago } from "../../parts/time.js";

/** The last switch of each plugin in the fleet: which hosts are prepared, which refused and why. */
export function SwitchTable({ switches }: { switches: readonly PluginSwitch[] }) {
  return (
    <TablePanel
      title="Switches"
      caption="The last switch of each plugin by all hosts that share the engine"
      rows={switches}
      keyOf={({ plugin }) => plugin}
      toneOf={({ state }) => (state === "aborted" ? "wrong" : undefined)}
      columns={[
        {
          title: "Plugin",
          kind: "main",
          cell: ({ plugin, generation }) => (
            <>
              {plugin} <span class="quiet">generation {generation}</span>
            </>
          ),
        },
        { title: "State", cell: (each) => <State of={each} /> },
        { title: "Hosts", cell: (each) => <Hosts of={each} /> },
        { title: "Begun", cell: ({ begun }) => <Ago at={begun} /> },
      ]}
    />
  );
}

function State({ of: { state, host } }: { of: PluginSwitch }) {
  const title = `Asked for at ${host}.`;
  if (state === "preparing") return <Badge tone="busy" icon="working" text="Preparing" title={title} />;
  if (state === "aborted") return <Badge tone="wrong" icon="wrong" text="Aborted" title={title} />;
  return <Badge tone="good" icon="good" text="In force" title={title} />;
}

function Hosts({ of: { state, prepared, waiting, refused, serving, reason } }: { of: PluginSwitch }) {
  if (state === "aborted") return <>{reason}</>;
  const parts =
    state === "committed"
      ? [["served by", serving] as const]
      : [["prepared:", prepared] as const, ["waiting for", waiting] as const];
  return (
    <>
      {parts.map(([text, hosts]) => hosts.length > 0 && <p key={text}>{`${text} ${hosts.join(", ")}`}</p>)}
      {refused.map((each) => (
        <p key={each.host}>{`${each.host} cannot take it: ${each.reason}`}</p>
      ))}
    </>
  );
}
