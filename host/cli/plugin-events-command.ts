import { Command, InvalidArgumentError } from "commander";
import { eventText } from "../plugins/events/event-text.js";
import type { PluginEvent } from "../plugins/events/plugin-event.js";
import { followEvents } from "./follow-events.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { fitted, jsonText, localTime, print, printable, printJson } from "./terminal-text.js";

interface EventsOptions extends RunningHostOptions {
  follow?: true;
  limit: number;
  plugin?: string;
  json?: true;
}

/** `slipway plugin events`: what happened to the plugins of a running host. */
export function pluginEventsCommand(): Command {
  const command = new Command("events")
    .description("show what happened to the plugins of a running host, the latest last")
    .option("--follow", "go on with what happens, also over restarts of the host; Ctrl+C ends it")
    .option("--limit <number>", "how many, at most 1000", count, 20)
    .option("--plugin <name>", "only those of one plugin, by its public name")
    .option("--json", "print the answer of the host as JSON; with --follow, one event on each line")
    .addHelpText(
      "after",
      `
Examples:
  $ slipway plugin events --limit 100 --plugin oex
  $ slipway plugin events --follow`,
    );
  return withRunningHostOptions(command).action(async (options: EventsOptions) => {
    const { limit, plugin } = options;
    const host = runningHostOf(options);
    const answer = await new PluginClient(host).events({ limit, plugin });
    if (options.json && !options.follow) return printJson(answer);
    const show = (event: PluginEvent): void =>
      print([options.json ? jsonText(event) : fitted(shownEvent(event))]);
    for (const event of answer.events) show(event);
    if (!options.follow) return;
    // Such as `head`, which has read enough.
    process.stdout.once("error", () => process.exit(0));
    const after = answer.events.at(-1)?.id ?? 0;
    const interrupted = (): void =>
      void process.stderr.write(`The connection to ${host.url} was lost; trying again…\n`);
    for await (const event of followEvents(host, { after, plugin }, interrupted)) show(event);
  });
}

/** One line for an event, with its time on this machine. */
export function shownEvent(event: PluginEvent): string {
  const { time, reason } = event;
  return `${localTime(time)}  ${printable(`${eventText(event)}${reason === undefined ? "" : `: ${reason}`}`)}`;
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError("Expected a whole number from 1 to 1000.");
}
