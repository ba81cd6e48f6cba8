/** The commands of the program, as its page lists them. */
import type { Command } from "commander";

/** What is typed for each command that does something, with its long options, in the order of the help. */
export function programCommands(program: Command): Map<string, string[]> {
  return new Map(typed(program, ""));
}

function* typed(command: Command, above: string): Generator<[string, string[]]> {
  const words = `${above}${command.name()}`;
  const isGroup = command.commands.length > 0;
  const options = command.options.map(({ long }) => long ?? "");
  // A group that takes options does something itself.
  if (above !== "" && (!isGroup || options.length > 0))
    yield [[words, ...operands(command)].join(" "), options];
  for (const each of command.commands) yield* typed(each, `${words} `);
}

function operands({ registeredArguments }: Command): string[] {
  return registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? "..." : ""}`;
    return argument.required ? name : `[${name}]`;
  });
}
