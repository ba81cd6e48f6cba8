import { similarName } from "@slipway/sdk";
import type { Command } from "commander";

/** Puts commands below the name of their group. */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) group.addCommand(command);
  return group;
}

const mostNames = 10;

/** What helps after a name that there is not: the one that was probably meant, or else what there is. Begins with a blank. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = [...new Set(known)].sort();
  const nearest = similarName(given, names);
  if (nearest !== undefined) return ` Did you mean ${nearest}?`;
  if (names.length === 0) return " None exist.";
  const more = names.length > mostNames ? ", …" : "";
  return ` There are: ${names.slice(0, mostNames).join(", ")}${more}.`;
}

/** Exit code of wrong use and of a wrong configuration, so that scripts can tell it from what failed or was refused (1). */
export const wrongUse = 2;

/** A command was used in a way that cannot be meant; the message says how it is. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
