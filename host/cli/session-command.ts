import { Command } from "commander";
import type { ListedSession } from "../sessions/sessions.js";
import { localTime, print, printJson, table } from "../system/terminal-text.js";
import { commandGroup } from "./command-group.js";
import {
  type RunningHostOptions,
  runningHostOf,
  withAnswerOptions,
  withRunningHostOptions,
} from "./running-host-options.js";
import { showWarnings } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";

interface OpenOptions extends RunningHostOptions {
  locale?: string;
}

/** `slipway session`: the sessions of a running host. */
export function sessionCommand(): Command {
  const group = new Command("session").addHelpText(
    "after",
    `
A session is a project that a host holds for a client: reports and exports are made of it.

Examples:
  $ slipway session open project.obk        prints the id that requests for reports and exports take
  $ slipway session list
  $ slipway session close 5f0c7a1e          the beginning of the id will do`,
  );
  return commandGroup(group, [sessionOpenCommand(), sessionListCommand(), sessionCloseCommand()]);
}

/** `slipway session close`: closes a session of a running host. */
function sessionCloseCommand(): Command {
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
  return withRunningHostOptions(command).action(async (id: string, options: RunningHostOptions) => {
    const { SessionClient } = await import("./session-client.js");
    const closed = await new SessionClient(runningHostOf(options)).close(id);
    if (options.json) printJson({ sessionId: closed });
    else print([`Session ${closed} is closed.`]);
  });
}

/** `slipway session open`: opens a project file as a session of a running host; prints its id. */
function sessionOpenCommand(): Command {
  const command = new Command("open")
    .description("open a session of a running host with a project file; prints its id")
    .argument("<file>", "the project (OBK, OBX, JSON, or a PDF that carries an OBX)")
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"; default: that of the host')
    .addHelpText(
      "after",
      `
For trying out a host, or for scripts that make several reports of one project. The session lives until nobody has used it for
as long as the setting sessions.lifetime says. What could not be read as it stands is told on standard error.

Examples:
  $ slipway session open project.obk --locale de_DE
  $ slipway session open project.obx --url https://reports.example.com --json`,
    );
  return withAnswerOptions(command).action(async (file: string, options: OpenOptions) => {
    tellProgress(`Opening ${file}…`);
    const opened = await runningHostOf(options).openSession(file, options.locale);
    endProgress();
    showWarnings(opened.warnings.map(({ path, message }) => `WARN: ${path}: ${message}`));
    if (options.json) printJson(opened);
    else process.stdout.write(`${opened.sessionId}\n`);
  });
}

/** `slipway session list`: the open sessions of a running host. */
function sessionListCommand(): Command {
  const command = new Command("list").description("list the open sessions of a running host").addHelpText(
    "after",
    `
Whoever knows the id of a session can read its project: a key without the role "sessions" sees the beginnings of ids only.
Nothing is changed; looking does not make a session live longer.

Examples:
  $ slipway session list
  $ slipway session list --json --url https://reports.example.com`,
  );
  return withAnswerOptions(command).action(async (options: RunningHostOptions) => {
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
