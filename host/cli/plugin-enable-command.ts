import { Command } from "commander";
import { print, printable, printJson } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { shownState } from "./shown-state.js";

interface EnableOptions extends RunningHostOptions {
  version?: string;
  json?: true;
}

/** `slipway plugin enable`: ends `disable`, and gives what failed another chance. Exits 1 when nothing comes up. */
export function pluginEnableCommand(): Command {
  const command = new Command("enable")
    .description("bring a disabled plugin of a running host back, or give failed versions another chance")
    .argument("<name>", "public name or alias of the plugin")
    .option("--version <version>", "only this version, also when it is in quarantine")
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
What failed stays out until an admin says that its reason is mended; this does. A version in quarantine, which was taken back
for serving badly, stays out until it is named with --version; then it is on probation again. Ends with 1 when no release
answers with the plugin afterwards.

Examples:
  $ slipway plugin enable oex
  $ slipway plugin enable oex --version 1.6.0     after what made it fail is mended`,
    );
  return withRunningHostOptions(command).action(async (name: string, options: EnableOptions) => {
    const { version } = options;
    const client = new PluginClient(runningHostOf(options));
    const answer = await client.enable(name, version === undefined ? {} : { version });
    const { plugin } = answer;
    const releases = Object.entries(plugin.releases);
    if (releases.length === 0) process.exitCode = 1;
    if (options.json) return printJson(answer);
    print([
      `${printable(plugin.name)} is enabled${releases.length === 0 ? ", and no release answers with it" : ""}.`,
      ...releases.map(([release, to]) => printable(`Release ${release} answers with ${plugin.name}@${to}.`)),
      ...plugin.versions.filter(({ releases }) => releases.length === 0).map(shownState),
    ]);
  });
}
