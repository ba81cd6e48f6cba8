import type { Command } from "commander";

/** Puts commands below the name of their group. */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  const hint = commandHint(`slipway ${group.name()}`);
  for (const command of commands) group.addCommand(command.showHelpAfterError(hint));
  return group.showHelpAfterError(hint);
}

/** What follows a mistake in the use of a command. */
export function commandHint(group: string): string {
  return `("${group} --help" lists the commands, "${group} COMMAND --help" explains one)`;
}
