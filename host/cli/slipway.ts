#!/usr/bin/env node
/** The command line. Commands load the host only when they run, so that help and mistakes are told at once. */
import { Command } from "commander";
import { hostVersion } from "../installation.js";
import { checkCommand } from "./check-command.js";
import { configCommand } from "./config-command.js";
import { demoCommand } from "./demo-command.js";
import { endWith } from "./end-with.js";
import { exportCommand } from "./export-command.js";
import { pluginCommand } from "./plugin-command.js";
import { reportCommand } from "./report-command.js";
import { startCommand } from "./start-command.js";
import { templateCommand } from "./template-command.js";

const program = new Command("slipway")
  .description("An open plugin host for report and export plugins of furniture projects.")
  .version(hostVersion)
  // So that commands have options of these names too.
  .enablePositionalOptions()
  .showHelpAfterError("(slipway --help lists the commands, slipway help COMMAND explains one)")
  .addCommand(startCommand())
  .addCommand(demoCommand())
  .addCommand(reportCommand())
  .addCommand(exportCommand())
  .addCommand(checkCommand())
  .addCommand(configCommand())
  .addCommand(pluginCommand())
  .addCommand(templateCommand())
  .addHelpText(
    "after",
    `
Examples:
  $ slipway demo                                         a host with a project and what is made of it, ready to play with
  $ slipway start --port 8080                            a host; ends with Ctrl+C or SIGTERM
  $ slipway report project.obk --template quote          one report; no server needed
  $ slipway export project.obk --out orders              an order as OEX, OBX and ZIP; no server needed
  $ slipway check                                        what is missing on this machine, and how to mend it
  $ slipway template preview quote                       a page that shows a report anew after each save of its template
  $ slipway plugin list                                  the plugins of a running host, and what happened to them`,
  );

program.parseAsync().catch(endWith);
