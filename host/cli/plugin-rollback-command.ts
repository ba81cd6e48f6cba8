import { Command } from "commander";
import { print, printable, printJson } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";
import { shownAgreement } from "./shown-results.js";

interface RollbackOptions extends RunningHostOptions {
  release?: string;
  to?: string;
}

/** `slipway plugin rollback`: restores an earlier version of a plugin without a lost request. */
export function pluginRollbackCommand(): Command {
  const command = new Command("rollback")
    .description("have a running host answer with an earlier version of a plugin, until a new one is dropped")
    .argument("<name>", "public name or alias of the plugin")
    .option("--release <release>", "only under this release; default: all that serve the plugin")
    .option("--to <version>", "version to go back to; default: the one that served before")
    .addHelpText(
      "after",
      `
Requests that run are finished by the version that they began with. When the wanted version does not start, or is in
quarantine, everything stays as it is, and the command exits 1 with the reason. "plugin enable --version" lifts a quarantine.
A rollback survives a restart.

Examples:
  $ slipway plugin rollback oex
  $ slipway plugin rollback oex --release 1.0 --to 1.5.2`,
    );
  return withAnswerOptions(command).action(async (name: string, options: RollbackOptions) => {
    const { release, to: version } = options;
    const answer = await new PluginClient(runningHostOf(options)).rollback(name, {
      ...(release === undefined ? {} : { release }),
      ...(version === undefined ? {} : { version }),
    });
    if (options.json) return printJson(answer);
    print([
      ...answer.rollbacks.map(({ release, from, to }) =>
        printable(
          `Release ${release} answers with ${answer.plugin.name}@${to}${from === undefined ? "" : ` instead of ${from}`}.`,
        ),
      ),
      ...shownAgreement(answer.agreed),
    ]);
  });
}
