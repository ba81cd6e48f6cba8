import { Command } from "commander";
import { commandGroup } from "./command-group.js";
import { sessionCloseCommand } from "./session-close-command.js";
import { sessionListCommand } from "./session-list-command.js";
import { sessionOpenCommand } from "./session-open-command.js";

/** `slipway session`: the open projects of a running host. */
export function sessionCommand(): Command {
  const group = new Command("session")
    .description("open, list and close the sessions of a running host")
    .addHelpText(
      "after",
      `
A session is a project that a host holds for a client: reports and exports are made of it.

Examples:
  $ slipway session open project.obk        prints the id that requests for reports and exports take
  $ slipway session list
  $ slipway session close 5f0c7a1e          the beginning of the id will do`,
    );
  return commandGroup(group, [sessionOpenCommand(), sessionListCommand(), sessionCloseCommand()]);
}
