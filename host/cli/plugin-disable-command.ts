import { Command } from "commander";
import { print, printable, printJson } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

interface DisableOptions extends RunningHostOptions {
  json?: true;
}

/** `slipway plugin disable`: a plugin answers no more; its folder stays. */
export function pluginDisableCommand(): Command {
  const command = new Command("disable")
    .description("take a plugin of a running host out of service; its folder stays where it is")
    .argument("<name>", "public name or alias of the plugin")
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
Requests that run are finished. The plugin stays disabled over restarts and new versions, until it is enabled.

Examples:
  $ slipway plugin disable oex
  $ slipway plugin disable oex --url https://reports.example.com --json`,
    );
  return withRunningHostOptions(command).action(async (name: string, options: DisableOptions) => {
    const answer = await new PluginClient(runningHostOf(options)).disable(name);
    if (options.json) return printJson(answer);
    const shown = printable(answer.plugin.name);
    print([`${shown} is disabled; "slipway plugin enable ${shown}" brings it back.`]);
  });
}
