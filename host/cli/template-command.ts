import { Command } from "commander";
import { commandGroup } from "./command-group.js";
import { templateCheckCommand } from "./template-check-command.js";
import { templateListCommand } from "./template-list-command.js";
import { templateNewCommand } from "./template-new-command.js";
import { templatePreviewCommand } from "./template-preview-command.js";
import { templatePublishCommand } from "./template-publish-command.js";

/** `slipway template`: what authors of templates do. Wrong use exits 2, what was refused or failed 1. */
export function templateCommand(): Command {
  const group = new Command("template")
    .description("make, check, preview and publish templates; list those of a running host")
    .addHelpText(
      "after",
      `
Examples:
  $ slipway template new packing-list       the folder of a small template to go on from
  $ slipway template preview packing-list   a page that shows it anew after each save
  $ slipway template check ./packing-list   everything that a host would refuse
  $ slipway template list                   what a running host serves, and what is wrong`,
    );
  const commands = [
    templateListCommand(),
    templateNewCommand(),
    templateCheckCommand(),
    templatePreviewCommand(),
    templatePublishCommand(),
  ];
  return commandGroup(group, commands);
}
