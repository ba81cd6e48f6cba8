import { useId, useState } from "preact/hooks";
import { eventText } from "../../../observability/events/event-text.js";
import type { Feed } from "../../client/feed.js";
import type { PluginEvent } from "../../client/operations.js";
import { type Tone, wordsOf } from "../../parts/badge.js";
import { Icon, type IconName } from "../../parts/button.js";
import { Failure } from "../../parts/notice.js";
import { Options } from "../../parts/options.js";
import { Empty, Panel } from "../../parts/panel.js";
import { Time } from "../../parts/time.js";
import { useHostView } from "../host-view.js";

/** Intermediate stages, which the list omits by default. */
const steps = new Set(["discovered", "verified", "staged", "starting", "probing", "draining", "stopped"]);

/** Events, the newest first, at most `limit`. `all` includes intermediate stages. */
export function EventList({
  feed,
  limit,
  all = false,
}: {
  feed: Feed<PluginEvent>;
  limit: number;
  all?: boolean;
}) {
  if (feed.failure !== undefined) return <Failure error={feed.failure} />;
  if (feed.entries === undefined) return <p class="empty-text">Loading …</p>;
  const shown = feed.entries
    .filter((event) => all || event.kind !== "stage" || !steps.has(event.to ?? ""))
    .slice(-limit)
    .reverse();
  if (shown.length === 0)
    return (
      <Empty icon="waiting" title="No events yet">
        Drop a plugin into the folder of the host, or onto this page.
      </Empty>
    );
  return (
    <ol class="events">
      {shown.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ol>
  );
}

function EventLine({ event }: { event: PluginEvent }) {
  const [tone, icon] = look(event);
  return (
    <li data-tone={tone}>
      <Icon name={icon} />
      <div>
        <p>{eventText(event)}</p>
        {event.host !== undefined && <p class="quiet">on {event.host}</p>}
        {event.reason !== undefined && <p class="quiet pre-line">{event.reason}</p>}
      </div>
      <Time at={event.time} />
    </li>
  );
}

function look({ kind, to }: PluginEvent): [Tone, IconName] {
  switch (kind) {
    case "stage": {
      const words = wordsOf(to);
      return [words?.tone ?? "idle", words?.icon ?? "working"];
    }
    case "switch":
      return to === undefined ? ["warning", "off"] : ["good", "play"];
    case "rollback":
      return ["warning", "back"];
    case "disable":
      return ["idle", "off"];
    case "enable":
    case "grant":
      return ["good", "play"];
    case "restart":
      return ["warning", "look"];
    case "generation":
      return to === "committed" ? ["good", "good"] : ["warning", "warning"];
    case "releases":
    case "configuration":
      return to === "in force" ? ["good", "good"] : ["warning", "warning"];
  }
}

const mostEvents = 200;

/** Live events of all plugins, or of one plugin. */
export function EventPanel({ plugin }: { plugin?: string }) {
  const { events } = useHostView();
  const [chosen, setChosen] = useState("");
  const [all, setAll] = useState(false);
  const id = useId();
  const names = [...new Set(events.entries?.flatMap((event) => event.plugin ?? []))].sort();
  const wanted = plugin ?? chosen;
  const entries = events.entries?.filter((event) => wanted === "" || event.plugin === wanted);
  const aside = (
    <div class="filters">
      <label class="check">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        Every step
      </label>
      {plugin === undefined && (
        <label for={id}>
          <span class="unseen">Plugin</span>
          <select id={id} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">All plugins</option>
            <Options of={names.map((name) => [name, name])} />
          </select>
        </label>
      )}
    </div>
  );
  return (
    <Panel title="Events" aside={aside} isFlush>
      <EventList feed={{ ...events, entries }} limit={mostEvents} all={all} />
    </Panel>
  );
}
