import type { Command } from "commander";

/** Puts commands below the name of their group. */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) group.addCommand(command);
  return group;
}
