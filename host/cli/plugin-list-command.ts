import { Command } from "commander";
import type { PluginState } from "../plugins/plugin-state.js";
import { fitted, localTime, print, printJson, table } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { shownEvent } from "./plugin-events-command.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";

const shownEvents = 5;

/** Number of events to select the news from. */
const lastEvents = 100;

/** Intermediate stages, shown only by the events command. */
const steps = new Set(["discovered", "verified", "staged", "starting", "probing", "draining", "stopped"]);

/** `slipway plugin list`: the plugins of a running host and the latest events. */
export function pluginListCommand(): Command {
  const command = new Command("list")
    .description(
      "list the plugins of a running host: versions, where they serve, and what is wrong with them",
    )
    .addHelpText(
      "after",
      `
For the questions "which version answers?" and "what is wrong with the one that I dropped?". Nothing is changed.
The mark in front of a line: ! is rejected, failed or quarantined, ~ is on probation, - is disabled, ? waits for grants.

Examples:
  $ slipway plugin list
  $ slipway plugin list --url http://127.0.0.1:8080 --json`,
    );
  return withAnswerOptions(command).action(async (options: RunningHostOptions) => {
    const client = new PluginClient(runningHostOf(options));
    const states = await client.states();
    if (options.json) return printJson(states);
    const { events } = await client.events({ limit: lastEvents });
    if (states.plugins.length === 0) print(["There is no plugin in the folders of this host."]);
    else print(table(titles, states.plugins.map(row)));
    const news = events.filter(({ kind, to = "" }) => kind !== "stage" || !steps.has(to)).slice(-shownEvents);
    if (news.length > 0)
      print(["", "What happened last:", ...news.map((event) => fitted(shownEvent(event)))]);
  });
}

const titles = ["", "NAME", "VERSION", "STAGE", "RELEASES", "SINCE", "REASON"];

function row(state: PluginState): string[] {
  const { name, folder, version = "", releases, since, reason = "", probationUntil } = state;
  return [
    markOf(state),
    name ?? `(${folder})`,
    version,
    probationUntil === undefined ? state.stage : `${state.stage}, probation`,
    releases.join(", "),
    localTime(since),
    probationUntil === undefined ? reason : `${reason} On probation until ${localTime(probationUntil)}.`,
  ];
}

const marks: Readonly<Record<string, string>> = {
  rejected: "!",
  failed: "!",
  quarantined: "!",
  disabled: "-",
  "needs-grant": "?",
};

function markOf({ stage, probationUntil }: PluginState): string {
  return marks[stage] ?? (probationUntil === undefined ? "" : "~");
}
