import { Command } from "commander";
import { print, printJson } from "../system/terminal-text.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

interface CloseOptions extends RunningHostOptions {
  json?: true;
}

/** `slipway session close`: a running host forgets a project. */
export function sessionCloseCommand(): Command {
  const command = new Command("close")
    .description("close a session of a running host; its project is removed")
    .argument(
      "<id>",
      "its id, or the beginning of it: at least 8 characters that no other session begins with",
    )
    .option("--json", "print the whole id as JSON")
    .addHelpText(
      "after",
      `
Requests with that session are refused from then on; files that were made of it stay until they expire.

Examples:
  $ slipway session close 5f0c7a1e
  $ slipway session close 5f0c7a1e-5a3b-4d2c-9e8f-0a1b2c3d4e5f --url https://reports.example.com`,
    );
  return withRunningHostOptions(command).action(async (id: string, options: CloseOptions) => {
    const { SessionClient } = await import("./session-client.js");
    const closed = await new SessionClient(runningHostOf(options)).close(id);
    if (options.json) printJson({ sessionId: closed });
    else print([`Session ${closed} is closed.`]);
  });
}
