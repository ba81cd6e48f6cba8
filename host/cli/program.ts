/** All commands. Loads the code of a command only for its call, so that help and usage errors appear at once. */
import { Command } from "commander";
import { hostVersion } from "../system/installation.js";
import { reflowed } from "../system/terminal-text.js";
import { wrongUse } from "./command-group.js";

/** A command as the list shows it: its name with its arguments, and its description. */
type ListedCommand = readonly [
  usage: string,
  description: string,
  load: (program: Command) => Promise<Command>,
];

const commands: Record<string, readonly ListedCommand[]> = {
  "Try it, make reports and exports:": [
    [
      "demo",
      "start a host, open the demo project, make its report and its order export",
      async () => (await import("./demo-command.js")).demoCommand(),
    ],
    [
      "report <file>",
      "make one report from a project file (OBK, OBX or JSON); no running host is needed",
      async () => (await import("./report-command.js")).reportCommand(),
    ],
    [
      "export <file>",
      "export a project file (OBK, OBX or JSON) as an OEX order or quotation; no running host is needed",
      async () => (await import("./export-command.js")).exportCommand(),
    ],
    [
      "pdf",
      "check whether PDFs are archivable and accessible; take out the files within them",
      async () => (await import("./pdf-command.js")).pdfCommand(),
    ],
  ],
  "Run a host:": [
    [
      "start",
      "start a host; SIGTERM or Ctrl+C lets it finish and end",
      async () => (await import("./host-commands.js")).startCommand(),
    ],
    [
      "check",
      "check configuration, folders, system, browser, fonts, templates and plugins of this installation, and say how to " +
        "fix it; a running host is not disturbed",
      async () => (await import("./host-commands.js")).checkCommand(),
    ],
    [
      "config",
      "show the configuration: every setting, and where it was stated; nothing secret is shown",
      async () => (await import("./config-command.js")).configCommand(),
    ],
    [
      "fonts",
      "list, add and remove fonts for the scripts of the world",
      async () => (await import("./fonts-command.js")).fontsCommand(),
    ],
    [
      "key",
      "make, list and remove the keys of a host",
      async () => (await import("./key-command.js")).keyCommand(),
    ],
  ],
  "Look after a running host:": [
    [
      "status",
      "show how a running host is doing: releases, processes, memory, load, browser, sessions, files",
      async () => (await import("./host-commands.js")).statusCommand(),
    ],
    [
      "plugin",
      "list, add, roll back, disable, enable, pack and check plugins",
      async () => (await import("./plugin-command.js")).pluginCommand(),
    ],
    [
      "session",
      "open, list and close the sessions of a running host",
      async () => (await import("./session-command.js")).sessionCommand(),
    ],
    [
      "job",
      "look at, wait for and cancel the jobs of a running host",
      async () => (await import("./job-command.js")).jobCommand(),
    ],
    [
      "requests",
      "show what a running host has answered lately, and how, the latest last",
      async () => (await import("./requests-command.js")).requestsCommand(),
    ],
    [
      "audit",
      "show who changed what about a running host, and what was refused, the latest last",
      async () => (await import("./audit-command.js")).auditCommand(),
    ],
  ],
  "Write templates:": [
    [
      "template",
      "make, check, preview and publish templates; list those of a running host",
      async () => (await import("./template-command.js")).templateCommand(),
    ],
  ],
  "Find out more:": [
    [
      "help [command...]",
      "explain a command, such as: slipway help plugin add",
      async (program) => (await import("./help-command.js")).helpCommand(program),
    ],
  ],
};

/**
 * The program `slipway`. Loads the commands that the words of a command line name, or all; lists the others.
 * Wrong usage ends the process.
 */
export async function slipwayProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command("slipway")
    .description("An open plugin host for report and export plugins of furniture projects.")
    .version(hostVersion, "-V, --version", "print the version")
    // Lets commands have options of the same names.
    .enablePositionalOptions()
    .helpCommand(false);
  for (const [group, listed] of Object.entries(commands)) {
    program.commandsGroup(group);
    for (const [usage, description, load] of listed) {
      const shown = new Command().command(usage);
      const command = words === undefined || words.includes(shown.name()) ? await load(program) : shown;
      program.addCommand(command.description(description));
    }
  }
  program.addHelpText("after", examples);
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
