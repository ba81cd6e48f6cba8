import { Command } from "commander";
import { commandGroup } from "./command-group.js";
import { keyListCommand } from "./key-list-command.js";
import { keyNewCommand } from "./key-new-command.js";
import { keyRemoveCommand } from "./key-remove-command.js";

/** `slipway key`: who may do what with a host. Works on the key file, whether the host runs or not. */
export function keyCommand(): Command {
  const group = new Command("key").description("make, list and remove the keys of a host").addHelpText(
    "after",
    `
A host asks for keys as soon as there is one. It takes a change over within moments, without a restart.
To replace a key: make a new one of the same name, give it to its clients, remove the old one by its id.

Examples:
  $ slipway key new admin --role operate --role sessions
  $ slipway key new monitoring --role read --expires 365d
  $ slipway key list
  $ slipway key remove monitoring`,
  );
  return commandGroup(group, [keyNewCommand(), keyListCommand(), keyRemoveCommand()]);
}
