import type { Command } from "commander";

/** Adds commands to a group. */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) group.addCommand(command);
  return group;
}

/** Exit code of wrong usage and wrong configuration; failures and refusals exit with 1. */
export const wrongUse = 2;

/** Wrong usage of a command; the message explains the correct one. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
