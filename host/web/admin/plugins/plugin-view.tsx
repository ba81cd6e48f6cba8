import { useEffect, useState } from "preact/hooks";
import type { PluginOverview } from "../../client/operations.js";
import { RefusedRequest } from "../../client/refusal.js";
import { useAnswer } from "../../client/use-answer.js";
import { Badge, inOrder } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { AccessNeeded, Failure, Notice, usePrevented } from "../../parts/notice.js";
import { Empty, ViewHead } from "../../parts/panel.js";
import { addressOf } from "../../parts/route.js";
import { listed } from "../../parts/shown-values.js";
import { TablePanel } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { useHostView } from "../host-view.js";
import { ConfigurationPanel } from "./configuration-panel.js";
import { EventPanel } from "./event-list.js";
import { GrantsPanel } from "./grants-panel.js";
import { DisableDialog, EnableDialog, RollbackDialog } from "./plugin-dialogs.js";
import { ServicePanel } from "./service-panel.js";
import { ShortHash, VersionPanel } from "./version-panel.js";

/** All details of a plugin, and its actions. */
export function PluginView({ name }: { name: string }) {
  const { events } = useHostView();
  const overview = useAnswer("GET /api/plugins/:plugin", { params: { plugin: name } }, 15_000);
  // Plugins that do not serve have no services.
  const serves = Object.keys(overview.value?.releases ?? {}).length > 0;
  // Services of all plugins: for a plugin that has just stopped serving, its own request would fail, which browsers log.
  const services = useAnswer(serves ? "GET /api/services" : undefined, {});
  const lastEvent = events.entries?.findLast(({ plugin }) => plugin === name)?.id;
  useEffect(() => {
    if (lastEvent === undefined) return;
    overview.refresh();
    services.refresh();
  }, [lastEvent]);

  const { value, failure } = overview;
  const isGone = failure instanceof RefusedRequest && failure.error.code === 404;
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead
        title={name}
        above={
          <p>
            <a href={addressOf("plugins")}>Plugins</a>
          </p>
        }
        text={value === undefined ? undefined : <Serving overview={value} />}
        actions={
          value === undefined || isGone ? undefined : <Actions overview={value} changed={overview.refresh} />
        }
      />
      {isGone ? (
        <Empty icon="plugins" title="Unknown plugin">
          It may have been removed from the folder. <a href={addressOf("plugins")}>All plugins</a>
        </Empty>
      ) : (
        failure !== undefined && value === undefined && <Failure error={failure} />
      )}
      {value !== undefined && !isGone && <Content overview={value} changed={overview.refresh} />}
      {value !== undefined && !isGone && <GrantsPanel overview={value} changed={overview.refresh} />}
      {value !== undefined && !isGone && (
        <ConfigurationPanel key={value.name} overview={value} event={lastEvent} />
      )}
      {serves && !isGone && <ServicePanel plugin={value?.name ?? name} answer={services} />}
      <EventPanel plugin={name} />
    </AccessNeeded>
  );
}

function Serving({ overview }: { overview: PluginOverview }) {
  const { releases, aliases, disabled } = overview;
  const versions = [...new Set(Object.values(releases))];
  const served = versions.map((version) => {
    const names = Object.keys(releases).filter((release) => releases[release] === version);
    return `${version} in ${names.length === 1 ? "release" : "releases"} ${listed(names)}`;
  });
  return (
    <>
      {disabled && <Badge tone="idle" icon="off" text="Disabled" />}{" "}
      {served.length > 0 ? `Serves ${served.join(" · ")}` : "Not in any release"}
      {aliases.length > 0 && ` · also called ${listed(aliases)}`}
    </>
  );
}

function Content({ overview, changed }: { overview: PluginOverview; changed(): void }) {
  return (
    <>
      {Object.entries(overview.pins).map(([release, pin]) => (
        <Notice key={release} tone="warning">
          Release {release} was rolled back to {pin.version} ({pin.actor}); it stays there until a newer
          version is dropped.
        </Notice>
      ))}
      <div class="cards">
        {[...overview.versions].sort(inOrder).map((state) => (
          <VersionPanel
            key={`${state.version} ${state.folder} ${state.hash}`}
            state={state}
            changed={changed}
          />
        ))}
      </div>
      <RolloutPanels overview={overview} />
    </>
  );
}

function Actions({ overview, changed }: { overview: PluginOverview; changed(): void }) {
  const [asking, setAsking] = useState<"rollback" | "disable" | "enable">();
  const prevented = usePrevented("operate");
  const close = (): void => {
    setAsking(undefined);
    changed();
  };
  const nowhere = Object.keys(overview.releases).length === 0 ? "No release serves it." : undefined;
  return (
    <>
      <Button icon="back" prevented={prevented ?? nowhere} act={() => setAsking("rollback")}>
        Roll back …
      </Button>
      {overview.disabled ? (
        <Button icon="play" kind="main" prevented={prevented} act={() => setAsking("enable")}>
          Enable …
        </Button>
      ) : (
        <Button icon="off" kind="danger" prevented={prevented} act={() => setAsking("disable")}>
          Disable …
        </Button>
      )}
      {prevented !== undefined && <p class="prevented quiet">{prevented}</p>}
      {asking === "rollback" && <RollbackDialog overview={overview} close={close} />}
      {asking === "disable" && <DisableDialog overview={overview} close={close} />}
      {asking === "enable" && <EnableDialog name={overview.name} close={close} />}
    </>
  );
}

/** What the host stores of a plugin: versions kept for a rollback, quarantined versions, rollbacks in force. */
function RolloutPanels({ overview }: { overview: PluginOverview }) {
  const { kept, quarantined } = overview;
  const pins = Object.entries(overview.pins);
  return (
    <div class="columns">
      {kept.length > 0 && (
        <TablePanel
          title="Kept for a rollback"
          caption="Kept versions, most recently live first"
          rows={kept}
          keyOf={({ version, hash }) => `${version} ${hash}`}
          columns={[
            { title: "Version", kind: "main", cell: ({ version }) => <code>{version}</code> },
            { title: "Served well", cell: ({ at }) => <Time at={at} /> },
            { title: "Hash", cell: ({ hash }) => <ShortHash hash={hash} /> },
          ]}
        />
      )}
      {quarantined.length > 0 && (
        <TablePanel
          title="Quarantine"
          caption="Quarantined versions"
          rows={quarantined}
          keyOf={({ version, hash }) => `${version} ${hash}`}
          toneOf={() => "wrong"}
          columns={[
            { title: "Version", kind: "main", cell: ({ version }) => <code>{version}</code> },
            { title: "Since", cell: ({ at }) => <Time at={at} /> },
            { title: "Reason", cell: ({ reason }) => <span class="pre-line">{reason}</span> },
          ]}
        />
      )}
      {pins.length > 0 && (
        <TablePanel
          title="Rollbacks in force"
          caption="Rolled-back releases"
          rows={pins}
          keyOf={([release]) => release}
          columns={[
            { title: "Release", kind: "main", cell: ([release]) => <code>{release}</code> },
            { title: "Holds", cell: ([, { version }]) => <code>{version}</code> },
            { title: "Since", cell: ([, { at }]) => <Time at={at} /> },
            { title: "By", cell: ([, { actor }]) => actor },
          ]}
        />
      )}
    </div>
  );
}
