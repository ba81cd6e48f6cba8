import { Command } from "commander";
import { printJson } from "../system/terminal-text.js";
import { endProgress, tellProgress } from "./progress.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { showWarnings } from "./show-warnings.js";

interface OpenOptions extends RunningHostOptions {
  locale?: string;
  json?: true;
}

/** `slipway session open`: a project of a file becomes a session of a running host; prints its id. */
export function sessionOpenCommand(): Command {
  const command = new Command("open")
    .description("open a session of a running host with a project file; prints its id")
    .argument("<file>", "the project (OBK, OBX or JSON)")
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"; default: that of the host')
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
For trying out a host, or for scripts that make several reports of one project. The session lives until nobody has used it for
as long as the setting sessions.lifetime says. What could not be read as it stands is told on standard error.

Examples:
  $ slipway session open project.obk --locale de_DE
  $ slipway session open project.obx --url https://reports.example.com --json`,
    );
  return withRunningHostOptions(command).action(async (file: string, options: OpenOptions) => {
    tellProgress(`Opening ${file}…`);
    const opened = await runningHostOf(options).openSession(file, options.locale);
    endProgress();
    showWarnings(opened.warnings.map(({ path, message }) => `WARN: ${path}: ${message}`));
    if (options.json) printJson(opened);
    else process.stdout.write(`${opened.sessionId}\n`);
  });
}
