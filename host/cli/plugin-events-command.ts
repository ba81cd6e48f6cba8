import { Command } from "commander";
import { PluginEvents } from "../api/answers.js";
import { eventText } from "../observability/events/event-text.js";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { localTime, printable } from "../system/terminal-text.js";
import { feedCommand, shownHost } from "./feeds.js";
import { answerReader } from "./host-client.js";

const readEvent = answerReader(PluginEvent, "event");
const readEvents = answerReader(PluginEvents);

/** `slipway plugin events`: plugin events of a running host. */
export function pluginEventsCommand(): Command {
  const command = new Command("events")
    .description("show what happened to the plugins of a running host, the latest last")
    .option("--plugin <name>", "only those of one plugin, by its name or an alias");
  return feedCommand(command, {
    path: "/api/events",
    query: ({ plugin }: { plugin?: string }) => (plugin === undefined ? {} : { plugin }),
    entries: (answer) => readEvents(answer).events,
    entry: readEvent,
    line: shownEvent,
    follow: "follow new events, also across restarts of the host",
    help: `
For the questions "since when?" and "who did that?": every change of stage, every switch of a release to another version,
every order of an admin, with its reason. Nothing is changed.

Examples:
  $ slipway plugin events --limit 100 --plugin oex
  $ slipway plugin events --follow`,
  });
}

/** Formats an event as one line, with local time. */
export function shownEvent(event: PluginEvent): string {
  const { time, reason, host } = event;
  const text = `${eventText(event)}${shownHost(host)}${reason === undefined ? "" : `: ${reason}`}`;
  return `${localTime(time)}  ${printable(text)}`;
}
