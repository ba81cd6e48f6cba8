import { eventText } from "../../../observability/events/event-text.js";
import type { PluginEvent } from "../../client/answers.js";
import type { Feed } from "../../client/feed.js";
import type { Tone } from "../../parts/badge.js";
import { Icon, type IconName } from "../../parts/button.js";
import { Failure } from "../../parts/notice.js";
import { Empty } from "../../parts/panel.js";
import { wordsOf } from "../../parts/stage-badge.js";
import { Time } from "../../parts/time.js";

/** Steps on the way, of which nobody needs to hear who does not want to know all. */
const steps = new Set(["discovered", "verified", "staged", "starting", "probing", "draining", "stopped"]);

/** What happened, the newest first, at most so many. With `all` every step. */
export function EventList({
  feed,
  most,
  all = false,
}: {
  feed: Feed<PluginEvent>;
  most: number;
  all?: boolean;
}) {
  if (feed.failure !== undefined) return <Failure error={feed.failure} />;
  if (feed.entries === undefined) return <p class="empty-text">Loading …</p>;
  const shown = feed.entries
    .filter((event) => all || event.kind !== "stage" || !steps.has(event.to ?? ""))
    .slice(-most)
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
      return ["good", "play"];
    case "restart":
      return ["warning", "look"];
    case "releases":
    case "configuration":
      return to === "in force" ? ["good", "good"] : ["warning", "warning"];
  }
}
