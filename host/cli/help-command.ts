import { Command } from "commander";
import { didYouMean } from "./did-you-mean.js";

/** `slipway help`: lists the commands or explains one. */
export function helpCommand(program: Command): Command {
  return new Command("help")
    .argument("[command...]", "its words; without any, all commands are listed")
    .action((words: string[]) => {
      let command = program;
      for (const word of words) {
        const known = command.commands.filter(
          (each) => each.name() === word || each.aliases().includes(word),
        );
        const [found] = known;
        if (found === undefined) {
          const names = command.commands.map((each) => each.name());
          command.error(`error: unknown command '${word}'.${didYouMean(word, names)}`);
        } else command = found;
      }
      command.outputHelp();
    });
}
