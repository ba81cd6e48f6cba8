import { Command } from "commander";
import type { ListedSession } from "../sessions/session-answer.js";
import { localTime, print, printJson, table } from "../system/terminal-text.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

interface ListOptions extends RunningHostOptions {
  json?: true;
}

/** `slipway session list`: the open sessions of a running host. */
export function sessionListCommand(): Command {
  const command = new Command("list")
    .description("list the open sessions of a running host")
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
Whoever knows the id of a session can read its project: a key without the role "sessions" sees the beginnings of ids only.
Nothing is changed; looking does not make a session live longer.

Examples:
  $ slipway session list
  $ slipway session list --json --url https://reports.example.com`,
    );
  return withRunningHostOptions(command).action(async (options: ListOptions) => {
    const { SessionClient } = await import("./session-client.js");
    const answer = await new SessionClient(runningHostOf(options)).list();
    if (options.json) return printJson(answer);
    if (answer.sessions.length === 0) print(["No session is open."]);
    else
      print(table(["SESSION", "OPENED", "EXPIRES", "LOCALE", "ITEMS", "PROJECT"], answer.sessions.map(row)));
  });
}

function row({ sessionId, opened, expiresAt, locale, project }: ListedSession): string[] {
  const { number, name, items } = project;
  return [
    sessionId,
    localTime(opened),
    localTime(expiresAt),
    locale,
    String(items),
    `${number} ${name}`.trim(),
  ];
}
