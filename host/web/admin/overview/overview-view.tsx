import { AccessNeeded } from "../../parts/access-needed.js";
import { Icon } from "../../parts/icon.js";
import { Failure } from "../../parts/notice.js";
import { Panel } from "../../parts/panel.js";
import { counted } from "../../parts/shown-values.js";
import { Ago } from "../../parts/time.js";
import { ViewHead } from "../../parts/view-head.js";
import type { HostStatus } from "../host/answers.js";
import { useHostView } from "../host-view.js";
import { EventList } from "../plugins/event-list.js";
import { addressOf } from "../route.js";
import { useAttention } from "./attention.js";
import { HostNumbers } from "./host-numbers.js";
import { InstanceTable } from "./instance-table.js";
import { ReleaseTable } from "./release-table.js";
import { RequestTile } from "./request-tile.js";

/** Is all well? */
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
            <ReleaseTable status={status.value} />
            <InstanceTable status={status.value} />
          </div>
        )}
        <Panel title="What happened last" aside={<a href={addressOf("plugins")}>All plugins</a>} isFlush>
          <EventList feed={events} most={12} />
        </Panel>
      </div>
    </AccessNeeded>
  );
}

function Uptime({ status }: { status: HostStatus | undefined }) {
  if (status === undefined) return <>Asking the host …</>;
  const { version, sdkVersion, started, releases, process } = status;
  return (
    <>
      Slipway {version}, SDK {sdkVersion}, process {process.id},{" "}
      {counted(Object.keys(releases).length, "release")}; started <Ago at={started} />
    </>
  );
}

/** One clear word about everything, and what is not well in full. */
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
          <p class="quiet">{isReady ? "The host takes requests." : "The host cannot serve everything."}</p>
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
