import { setTimeout as pause } from "node:timers/promises";
import { Command } from "commander";
import type { PluginState } from "../plugins/plugin-state.js";
import { configurationOf } from "./configuration-options.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { shownState } from "./shown-state.js";
import { print, printJson } from "./terminal-text.js";

interface AddOptions extends RunningHostOptions {
  json?: true;
}

const onTheWay = new Set(["discovered", "waiting", "verified", "staged", "starting", "probing"]);
const refused = new Set(["rejected", "failed", "quarantined"]);
const lookPause = 200;

/** For what lies there whole; longer, and something is missing. */
const longestWait = 60_000;

/** `slipway plugin add`: drops a plugin into the folder of a running host and says what became of it. */
export function pluginAddCommand(): Command {
  const command = new Command("add")
    .description("copy a plugin into the drop-in folder of a running host and wait for what becomes of it")
    .argument("<plugin>", "archive or folder")
    .option("--json", "print what the host says of it as JSON")
    .addHelpText(
      "after",
      `
It goes into the first of the configured drop-in folders, so host and command need the same --plugins or --config. It is
named after its package and version; what lies there already stays as it is, so that older versions can be gone back to.
Exits 1 when the host rejects it or when it does not come up; what answered before goes on answering then.

Examples:
  $ slipway plugin add oex-1.6.0.tgz
  $ slipway plugin add ./my-plugin --plugins ./plugins --url http://127.0.0.1:8080`,
    );
  return withRunningHostOptions(command, ["plugins"]).action(async (source: string, options: AddOptions) => {
    const configuration = configurationOf(options);
    const client = new PluginClient(runningHostOf(options));
    await client.states(); // nothing is copied when no host answers
    const { dropPlugin } = await import("./drop-plugin.js");
    const place = await dropPlugin(source, configuration);
    const state = await outcome(client, place.name);
    if (state === undefined) {
      await place.remove();
      throw new Error(
        `The host does not look into ${place.folder}, so the plugin was taken out again; name its drop-in folder with --plugins.`,
      );
    }
    if (options.json) printJson(state);
    else print([shownState(state)]);
    if (refused.has(state.stage) || onTheWay.has(state.stage)) process.exitCode = 1;
  });
}

/** Where a place stands when nothing more is to come, or after a while; undefined when the host does not know it. */
async function outcome(client: PluginClient, place: string): Promise<PluginState | undefined> {
  const end = Date.now() + longestWait;
  let told: string | undefined;
  while (true) {
    const { plugins } = await client.look();
    const state = plugins.find(({ folder }) => folder === place);
    if (state === undefined || !onTheWay.has(state.stage) || Date.now() > end) return state;
    if (process.stderr.isTTY && state.reason !== undefined && state.reason !== told)
      process.stderr.write(`${shownState(state)}\n`);
    told = state.reason;
    await pause(lookPause);
  }
}
