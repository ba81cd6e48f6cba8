/** All commands. They load the host on demand, so that help and usage errors are fast. */
import { Command } from "commander";
import { hostVersion } from "../system/installation.js";
import { auditCommand } from "./audit-command.js";
import { wrongUse } from "./command-group.js";
import { configCommand } from "./config-command.js";
import { demoCommand } from "./demo-command.js";
import { exportCommand } from "./export-command.js";
import { helpCommand, reflowed } from "./help-command.js";
import { checkCommand, startCommand, statusCommand } from "./host-commands.js";
import { jobCommand } from "./job-command.js";
import { keyCommand } from "./key-command.js";
import { pdfCommand } from "./pdf-command.js";
import { pluginCommand } from "./plugin-command.js";
import { reportCommand } from "./report-command.js";
import { requestsCommand } from "./requests-command.js";
import { sessionCommand } from "./session-command.js";
import { templateCommand } from "./template-command.js";

/** The program `slipway`. Wrong usage ends the process. */
export function slipwayProgram(): Command {
  const program = new Command("slipway")
    .description("An open plugin host for report and export plugins of furniture projects.")
    .version(hostVersion, "-V, --version", "print the version")
    // Lets commands have options of the same names.
    .enablePositionalOptions()
    .helpCommand(false)
    .commandsGroup("Try it, make reports and exports:")
    .addCommand(demoCommand())
    .addCommand(reportCommand())
    .addCommand(exportCommand())
    .addCommand(pdfCommand())
    .commandsGroup("Run a host:")
    .addCommand(startCommand())
    .addCommand(checkCommand())
    .addCommand(configCommand())
    .addCommand(keyCommand())
    .commandsGroup("Look after a running host:")
    .addCommand(statusCommand())
    .addCommand(pluginCommand())
    .addCommand(sessionCommand())
    .addCommand(jobCommand())
    .addCommand(requestsCommand())
    .addCommand(auditCommand())
    .commandsGroup("Write templates:")
    .addCommand(templateCommand())
    .commandsGroup("Find out more:");
  program.addCommand(helpCommand(program)).addHelpText("after", examples);
  return sameForAll(program);
}

/** Width without a terminal, as in commander. */
const usualWidth = 80;

const examples = `
Examples:
  $ slipway demo                                    a host, a project, and what is made of it
  $ slipway report project.obk --template quote     one report; no running host is needed
  $ slipway start --port 8080                       a host; ends with Ctrl+C or SIGTERM
  $ slipway check                                   what is missing on this machine, and how to mend it
  $ slipway status                                  how a running host is doing
  $ slipway plugin add oex-1.6.0.tgz                a new version of a plugin, without a lost request
  $ slipway template preview quote                  a page that follows the files of a template

Exit codes: 0 done, 1 failed or refused, 2 wrong use or wrong configuration; "export --validate" also has 3.`;

/** Settings of all commands: help format, usage errors and exit codes. */
function sameForAll(command: Command, above = ""): Command {
  const words = `${above}${command.name()}`;
  const write = (stream: NodeJS.WriteStream) => (text: string) =>
    void stream.write(reflowed(text, (stream.isTTY && stream.columns) || usualWidth));
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongUse))
    .showHelpAfterError(
      command.commands.length === 0
        ? `("${words} --help" explains it)`
        : `("${words} --help" lists the commands, "${words} COMMAND --help" explains one)`,
    )
    .configureOutput({
      writeOut: write(process.stdout),
      writeErr: write(process.stderr),
      outputError: (text) => void process.stderr.write(text),
    });
  for (const each of command.commands) sameForAll(each, `${words} `);
  return command;
}
