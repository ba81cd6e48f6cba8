import { Command } from "commander";
import { commandGroup } from "./command-group.js";
import { templateCheckCommand } from "./template-check-command.js";
import { templateNewCommand } from "./template-new-command.js";
import { templatePreviewCommand } from "./template-preview-command.js";
import { templatePublishCommand } from "./template-publish-command.js";

/** `slipway template`: what authors of templates do. Wrong use exits 2, what was refused or failed 1. */
export function templateCommand(): Command {
  const group = new Command("template").description("what authors of templates need while they write");
  const commands = [
    templateNewCommand(),
    templateCheckCommand(),
    templatePreviewCommand(),
    templatePublishCommand(),
  ];
  return commandGroup(group, commands);
}
