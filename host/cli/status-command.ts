import { Command } from "commander";
import { print, printJson } from "../system/terminal-text.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

interface StatusOptions extends RunningHostOptions {
  json?: true;
}

/** `slipway status`: how a running host is doing. Exits 1 when it cannot serve. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "show how a running host is doing: releases, processes, memory, load, browser, sessions, files",
    )
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
The first thing to look at when something seems wrong. Ends with 1 when the host answers and is not ready, with what it lacks.
Nothing is changed.

Examples:
  $ slipway status
  $ slipway status --json --url https://reports.example.com`,
    );
  return withRunningHostOptions(command).action(async (options: StatusOptions) => {
    const { hostStatus } = await import("./status-client.js");
    const { statusPage } = await import("./status-page.js");
    const host = runningHostOf(options);
    const status = await hostStatus(host);
    if (!status.ready) process.exitCode = 1;
    if (options.json) printJson(status);
    else print(statusPage(status, host.url));
  });
}
