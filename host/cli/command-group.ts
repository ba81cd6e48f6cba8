import { similarName } from "@slipway/sdk";
import type { Command } from "commander";

/** Adds commands to a group. */
export function commandGroup(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) group.addCommand(command);
  return group;
}

const mostNames = 10;

/** A suggestion after an unknown name: the most similar name, or the existing ones. Begins with a space. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = [...new Set(known)].sort();
  const nearest = similarName(given, names);
  if (nearest !== undefined) return ` Did you mean ${nearest}?`;
  if (names.length === 0) return " None exist.";
  const more = names.length > mostNames ? ", …" : "";
  return ` There are: ${names.slice(0, mostNames).join(", ")}${more}.`;
}

/** Exit code of wrong usage and wrong configuration; failures and refusals exit with 1. */
export const wrongUse = 2;

/** Wrong usage of a command; the message explains the correct one. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
