import type { Command } from "commander";

/**
 * Puts commands below the name of their group. Wrong use of one of them exits 2, so that scripts can tell it from what
 * was refused or failed.
 */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  const name = group.name();
  const hint = `(slipway help ${name} lists the commands, slipway ${name} COMMAND --help explains one)`;
  for (const command of [group, ...commands]) {
    command.showHelpAfterError(hint).exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  }
  for (const command of commands) group.addCommand(command);
  return group;
}
