import type { HostStatus } from "../../client/operations.js";
import { Badge } from "../../parts/badge.js";
import { Icon } from "../../parts/button.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, Meter, Panel, ViewHead } from "../../parts/panel.js";
import { addressOf } from "../../parts/route.js";
import { counted, shownBytes, shownDuration, shownNumber } from "../../parts/shown-values.js";
import { TablePanel } from "../../parts/table.js";
import { Ago } from "../../parts/time.js";
import { useHostView } from "../host-view.js";
import { EventList } from "../plugins/event-list.js";
import { useAttention } from "./attention.js";
import { MemberTable } from "./member-table.js";
import { ReleaseTable } from "./release-table.js";
import { RequestTile, Tile } from "./request-tile.js";
import { SwitchTable } from "./switch-table.js";

/** The state of the host on one screen. */
export function OverviewView() {
  const { status, events } = useHostView();
  return (
    <AccessNeeded roles={["read"]}>
      <ViewHead title="Overview" text={<Uptime status={status.value} />} />
      {status.failure !== undefined && status.value === undefined && <Failure error={status.failure} />}
      <AttentionList />
      <div class="tiles">
        <RequestTile />
        {status.value !== undefined && <HostNumbers status={status.value} />}
      </div>
      <div class="columns">
        {status.value !== undefined && (
          <div>
            {status.value.members !== undefined && <MemberTable members={status.value.members} />}
            {(status.value.switches ?? []).length > 0 && (
              <SwitchTable switches={status.value.switches ?? []} />
            )}
            <ReleaseTable status={status.value} />
            <InstanceTable status={status.value} />
          </div>
        )}
        <Panel title="Recent events" aside={<a href={addressOf("plugins")}>All plugins</a>} isFlush>
          <EventList feed={events} limit={12} />
        </Panel>
      </div>
    </AccessNeeded>
  );
}

function Uptime({ status }: { status: HostStatus | undefined }) {
  if (status === undefined) return <>Loading …</>;
  const { version, sdkVersion, started, releases, process } = status;
  return (
    <>
      Slipway {version}, SDK {sdkVersion}, process {process.id},{" "}
      {counted(Object.keys(releases).length, "release")}; started <Ago at={started} />
    </>
  );
}

/** The overall state, with a list of problems. */
function AttentionList() {
  const { status } = useHostView();
  const attention = useAttention();
  if (status.value === undefined) return null;
  const isReady = status.value.ready;
  const tone = !isReady ? "wrong" : attention.length > 0 ? "warning" : "good";
  const needs = counted(attention.length, "thing needs a look", "things need a look");
  const verdict = !isReady ? "Not ready" : attention.length === 0 ? "All is well" : needs;
  return (
    <section class="verdict" data-tone={tone} aria-labelledby="verdict">
      <div class="verdict-head">
        <Icon name={tone} />
        <div>
          <h2 id="verdict">{verdict}</h2>
          <p class="quiet">{isReady ? "The host accepts requests." : "The host cannot serve everything."}</p>
        </div>
      </div>
      {attention.length > 0 && (
        <ul class="attention">
          {attention.map(({ tone: kind, title, text, address }) => (
            <li key={`${title} ${text}`} data-tone={kind}>
              <Icon name={kind} />
              <div>
                <a href={address}>{title}</a>
                {text !== undefined && <p class="pre-line">{text}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Browser, sessions, files and memory. */
function HostNumbers({ status }: { status: HostStatus }) {
  const { browser, sessions, files, process, instances } = status;
  const ofInstances = instances.reduce((sum, { memory = 0 }) => sum + memory, 0);
  return (
    <>
      <BrowserTile browser={browser} />
      {sessions !== undefined && (
        <Tile title="Sessions" value={shownNumber(sessions.open)} unit="open">
          <p>{shownBytes(sessions.bytes)} on disk</p>
        </Tile>
      )}
      {files !== undefined && (
        <Tile title="Generated files" value={shownBytes(files.bytes)}>
          <Meter
            value={files.bytes}
            maximum={files.maximumBytes}
            label={`${shownBytes(files.bytes)} of ${shownBytes(files.maximumBytes)} in use`}
          />
          <p>
            {counted(files.count, "file")}, room for {shownBytes(files.maximumBytes)}
          </p>
        </Tile>
      )}
      <Tile title="Memory" value={shownBytes(process.memory + ofInstances)}>
        <p>
          Host {shownBytes(process.memory)}, {counted(instances.length, "plugin process", "plugin processes")}{" "}
          {shownBytes(ofInstances)}
        </p>
        <p title="Delay of the host's event loop: mean and 99th percentile.">
          Delay {shownDuration(process.eventLoopDelay.mean)}, p99 {shownDuration(process.eventLoopDelay.p99)}
        </p>
      </Tile>
    </>
  );
}

function BrowserTile({ browser }: { browser: HostStatus["browser"] }) {
  const { state, detail, pages, busy, waiting, restarts, version } = browser;
  const isGood = state === "ready";
  return (
    <Tile title="Printing" value={`${busy} / ${pages}`} unit="pages busy">
      <p>
        <Badge
          tone={isGood ? "good" : state === "starting" ? "busy" : "wrong"}
          icon={isGood ? "live" : "warning"}
          text={state}
          title={detail}
        />
      </p>
      <p>{waiting === 0 ? "Queue empty" : counted(waiting, "document waits", "documents wait")}</p>
      <p class="cut" title={version ?? detail}>
        {version ?? detail}
        {restarts > 0 && `, replaced ${counted(restarts, "time")}`}
      </p>
    </Tile>
  );
}

/** The plugin processes with memory and load. */
function InstanceTable({ status }: { status: HostStatus }) {
  const { instances, requests } = status;
  return (
    <TablePanel
      title="Plugin processes"
      empty={<Empty icon="plugins" title="No plugin runs" />}
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
  );
}

/** Such as "2 of 8, 3 wait". All versions of a plugin share its concurrency. */
function work({ plugins }: HostStatus["requests"], name: string): string {
  const found = plugins.find(({ plugin }) => plugin === name);
  if (found === undefined) return "";
  const { working, waiting, concurrency } = found;
  return `${working} of ${concurrency}${waiting === 0 ? "" : `, ${waiting} wait`}`;
}
