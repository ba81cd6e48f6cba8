import { Command } from "commander";
import { displayWidth } from "../system/terminal-text.js";
import { didYouMean } from "./command-group.js";

/** `slipway help`: lists the commands or explains one. */
export function helpCommand(program: Command): Command {
  return new Command("help")
    .description("explain a command, such as: slipway help plugin add")
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

/** Wraps the paragraphs of a help text to the width; keeps indented lines. */
export function reflowed(text: string, width: number): string {
  const lines: string[] = [];
  let words: string[] = [];
  const endParagraph = (): void => {
    lines.push(...wrapped(words, width));
    words = [];
  };
  for (const line of text.split("\n")) {
    if (line !== "" && !line.startsWith(" ")) words.push(...line.split(" "));
    else {
      endParagraph();
      lines.push(line);
    }
  }
  endParagraph();
  return lines.join("\n");
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
