import type { Member } from "../../client/operations.js";
import { Badge } from "../../parts/badge.js";
import { counted } from "../../parts/shown-values.js";
import { TablePanel } from "../../parts/table.js";
import { Ago, Countdown } from "../../parts/time.js";

/** The hosts that share the engine. */
export function MemberTable({ members }: { members: readonly Member[] }) {
  return (
    <TablePanel
      title="Hosts"
      caption="Hosts that share the engine, with their versions, load and leases"
      rows={members}
      keyOf={({ id }) => id}
      toneOf={({ state }) => (state === "lost" ? "wrong" : undefined)}
      columns={[
        {
          title: "Host",
          kind: "main",
          cell: ({ name, version, current }) => (
            <>
              {name} <code>{version}</code>
              {current && <span class="quiet"> this one</span>}
            </>
          ),
        },
        { title: "State", cell: (member) => <State member={member} /> },
        { title: "Requests", kind: "number", cell: load },
        { title: "Lease", cell: (member) => <Lease member={member} /> },
      ]}
    />
  );
}

function State({ member: { state, ready, releases } }: { member: Member }) {
  if (state === "lost")
    return <Badge tone="wrong" icon="wrong" text="Lost" title="It ended, or cannot reach the engine." />;
  const versions = Object.entries(releases).map(
    ([release, plugins]) =>
      `/${release}: ${Object.entries(plugins)
        .map(([plugin, version]) => `${plugin} ${version}`)
        .join(", ")}`,
  );
  return ready ? (
    <Badge tone="good" icon="live" text="Ready" title={versions.join("\n")} />
  ) : (
    <Badge tone="warning" icon="warning" text="Not ready" title="Its own status says why." />
  );
}

function load({ state, running, waiting }: Member): string {
  if (state === "lost") return "";
  return waiting === 0 ? `${running}` : `${running}, ${counted(waiting, "waits", "wait")}`;
}

function Lease({ member: { state, leaseUntil } }: { member: Member }) {
  if (state === "alive")
    return (
      <>
        ends in <Countdown to={leaseUntil} />
      </>
    );
  return (
    <>
      ended <Ago at={leaseUntil} />
    </>
  );
}
