import { Command } from "commander";
import { commandGroup } from "./command-group.js";
import { pluginAddCommand } from "./plugin-add-command.js";
import { pluginCheckCommand } from "./plugin-check-command.js";
import { pluginDevCommand } from "./plugin-dev-command.js";
import { pluginDisableCommand } from "./plugin-disable-command.js";
import { pluginEnableCommand } from "./plugin-enable-command.js";
import { pluginEventsCommand } from "./plugin-events-command.js";
import { pluginKeyCommand } from "./plugin-key-command.js";
import { pluginListCommand } from "./plugin-list-command.js";
import { pluginNewCommand } from "./plugin-new-command.js";
import { pluginPackCommand } from "./plugin-pack-command.js";
import { pluginRollbackCommand } from "./plugin-rollback-command.js";

/** `slipway plugin`: what admins and authors do with plugins. Wrong use exits 2, what was refused or failed 1. */
export function pluginCommand(): Command {
  const group = new Command("plugin")
    .description("list, add, roll back, disable, enable, pack and check plugins")
    .addHelpText(
      "after",
      `
Examples:
  $ slipway plugin list                      what runs, what is wrong, and what happened last
  $ slipway plugin add oex-1.6.0.tgz         drop a new version; it takes over without a lost request
  $ slipway plugin rollback oex              the version before answers again
  $ slipway plugin events --follow           watch what happens
  $ slipway plugin new ./my-plugin           a small plugin with tests to go on from
  $ slipway plugin dev ./my-plugin           try what you write, after each save
  $ slipway plugin pack ./my-plugin          make an archive for others`,
    );
  const commands = [
    pluginListCommand(),
    pluginEventsCommand(),
    pluginAddCommand(),
    pluginRollbackCommand(),
    pluginDisableCommand(),
    pluginEnableCommand(),
    pluginNewCommand(),
    pluginDevCommand(),
    pluginPackCommand(),
    pluginCheckCommand(),
    pluginKeyCommand(),
  ];
  return commandGroup(group, commands);
}
