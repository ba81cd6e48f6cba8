import { useHost } from "../../client/host-context.js";
import type { PluginState } from "../../client/operations.js";
import { inOrder, isTroubled, StageBadge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { FileButton } from "../../parts/file-button.js";
import { AccessNeeded, Failure, usePrevented } from "../../parts/notice.js";
import { Empty, ViewHead } from "../../parts/panel.js";
import { addressOf } from "../../parts/route.js";
import { counted, listed } from "../../parts/shown-values.js";
import { TablePanel } from "../../parts/table.js";
import { Countdown, Time } from "../../parts/time.js";
import { toastSuccess } from "../../parts/toasts.js";
import { useAction } from "../../parts/use-action.js";
import { useHostView } from "../host-view.js";
import { chosenArchives } from "../install/upload.js";
import { EventPanel } from "./event-list.js";

/** All plugins with all their versions. */
export function PluginsView() {
  const { plugins } = useHostView();
  const states = plugins.value?.plugins;
  const names = new Set(states?.flatMap(({ name }) => name ?? []));
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead
        title="Plugins"
        text={
          states === undefined
            ? "Loading …"
            : `${counted(names.size, "plugin")} in ${counted(states.length, "version")}`
        }
        actions={
          <>
            <RescanButton />
            <InstallButton />
          </>
        }
      />
      {plugins.failure !== undefined && states === undefined && <Failure error={plugins.failure} />}
      {states !== undefined && <StateTable states={states} />}
      <EventPanel />
    </AccessNeeded>
  );
}

/** Makes the host scan its folders now. */
function RescanButton() {
  const host = useHost();
  const { plugins } = useHostView();
  const prevented = usePrevented("operate");
  const { run, isBusy, failure } = useAction(async () => {
    await host.call("POST /api/plugins/look", {});
    plugins.refresh();
    toastSuccess("The host has scanned its folders.");
  });
  return (
    <>
      <Button icon="look" prevented={prevented ?? (isBusy ? "The host is scanning" : undefined)} act={run}>
        {isBusy ? "Looking …" : "Look now"}
      </Button>
      {failure !== undefined && <Failure error={failure} />}
    </>
  );
}

function StateTable({ states }: { states: readonly PluginState[] }) {
  return (
    <TablePanel
      title="Versions"
      empty={
        <Empty icon="plugins" title="No plugins yet">
          Drop a <code>.tgz</code>, <code>.tar</code> or <code>.zip</code> anywhere on this page, or copy it
          into the host's folder of plugins.
        </Empty>
      }
      caption="Plugin versions"
      rows={[...states].sort(inOrder)}
      keyOf={({ name, version, folder, hash }) => `${name} ${version} ${folder} ${hash}`}
      toneOf={(state) => (isTroubled(state) ? "wrong" : undefined)}
      columns={[
        { title: "Plugin", kind: "main", cell: (state) => <PluginName state={state} /> },
        { title: "Stage", cell: (state) => <StageBadge state={state} /> },
        {
          title: "Releases",
          cell: ({ releases }) =>
            releases.length === 0 ? <span class="quiet">none</span> : <code>{releases.join(", ")}</code>,
        },
        { title: "Since", cell: ({ since }) => <Time at={since} /> },
        { title: "Remarks", cell: (state) => <Remarks state={state} /> },
      ]}
    />
  );
}

function PluginName({ state }: { state: PluginState }) {
  const { name, version, folder } = state;
  if (name === undefined)
    return (
      <>
        <code>{folder}</code> <span class="quiet">no readable manifest</span>
      </>
    );
  return (
    <>
      <a href={addressOf("plugins", name)}>{name}</a> <code>{version}</code>
    </>
  );
}

function Remarks({ state }: { state: PluginState }) {
  const { reason, warnings, probationUntil, requirements } = state;
  const unmet = requirements
    .filter(({ met }) => !met)
    .map(({ plugin, service }) => `${service} of ${plugin}`);
  return (
    <div class="remarks">
      {reason !== undefined && <p class="pre-line">{reason}</p>}
      {probationUntil !== undefined && (
        <p>
          On probation for <Countdown to={probationUntil} />
        </p>
      )}
      {warnings.map((text) => (
        <p key={text} class="pre-line">
          {text}
        </p>
      ))}
      {unmet.length > 0 && <p>Asks for {listed(unmet)}, which nobody offers</p>}
    </div>
  );
}

/** Chooses the archive of a plugin. */
function InstallButton() {
  const prevented = usePrevented("operate");
  return (
    <>
      <FileButton
        icon="upload"
        kind="main"
        prevented={prevented}
        accept=".tgz,.gz,.tar,.zip,application/gzip,application/x-tar,application/zip"
        isMultiple
        take={(files) => chosenArchives.set([...files])}
      >
        Install …
      </FileButton>
      {prevented !== undefined && <p class="prevented quiet">{prevented}</p>}
    </>
  );
}
