import { Command } from "commander";
import { PluginEvents } from "../api/answers.js";
import { eventText } from "../observability/events/event-text.js";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { localTime, printable } from "../system/terminal-text.js";
import { type FeedOptions, showFeed, shownHost, withFeedOptions } from "./feeds.js";
import { answerReader } from "./host-client.js";
import { runningHostOf, withRunningHostOptions } from "./running-host-options.js";

const readEvent = answerReader(PluginEvent, "event");
const readEvents = answerReader(PluginEvents);

interface EventsOptions extends FeedOptions {
  plugin?: string;
}

/** `slipway plugin events`: plugin events of a running host. */
export function pluginEventsCommand(): Command {
  const command = new Command("events")
    .description("show what happened to the plugins of a running host, the latest last")
    .option("--plugin <name>", "only those of one plugin, by its name or an alias");
  withFeedOptions(command, "follow new events, also across restarts of the host").addHelpText(
    "after",
    `
For the questions "since when?" and "who did that?": every change of stage, every switch of a release to another version,
every order of an admin, with its reason. Nothing is changed.

Examples:
  $ slipway plugin events --limit 100 --plugin oex
  $ slipway plugin events --follow`,
  );
  return withRunningHostOptions(command).action(async (options: EventsOptions) => {
    const { plugin } = options;
    const feed = {
      path: "/api/events",
      query: new URLSearchParams(plugin === undefined ? {} : { plugin }),
      entries: (answer: unknown) => readEvents(answer).events,
      entry: (data: unknown) => readEvent(data),
    };
    await showFeed(runningHostOf(options), feed, options, shownEvent);
  });
}

/** Formats an event as one line, with local time. */
export function shownEvent(event: PluginEvent): string {
  const { time, reason, host } = event;
  const text = `${eventText(event)}${shownHost(host)}${reason === undefined ? "" : `: ${reason}`}`;
  return `${localTime(time)}  ${printable(text)}`;
}
