import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import type { Development } from "../api/development/development.js";
import type { DevelopmentLine, SourcePlace } from "../api/development/development-answers.js";
import { inspectorPort } from "../api/development/inspection.js";
import { demoProject } from "../system/installation.js";
import { coloured, localTime, print, printable, printableLines } from "../system/terminal-text.js";
import { showInBrowser } from "./browser-of-person.js";
import { WrongUse } from "./command-group.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { HostClient } from "./host-client.js";
import type { RunningHost } from "./running-host.js";
import { portOf } from "./running-host-options.js";
import { showWarnings } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";

/** Formats the events of a plugin in development. */
const marks = { debug: "debug", info: "", warn: "WARN", error: "ERROR" } as const;

interface PluginDevOptions extends Record<string, unknown> {
  project: string;
  port: number;
  open?: boolean;
  inspect?: boolean;
  var?: string;
}

/** `slipway plugin dev`: a host for plugin authors, with a page for trying routes; runs until Ctrl+C. */
export function pluginDevCommand(): Command {
  const command = new Command("dev")
    .description(
      "run a plugin that you are writing, and again after each save, with a page to try its routes",
    )
    .argument("<dir>", "folder of the plugin; it need not work yet")
    .option("--project <file>", "the project of the sample session (OBK, OBX or JSON)", demoProject)
    .option(
      "--port <number>",
      "port of the page (SLIPWAY_PORT does not count); default: a free one",
      portOf,
      0,
    )
    .option("--var <folder>", "folder of run-time data, which stays; default: one that is removed")
    .option(
      "--inspect",
      `let a debugger step through the plugin, at 127.0.0.1:${inspectorPort}; requests have no deadline`,
    )
    .option("--open", "open the page in the browser")
    .addHelpText(
      "after",
      `
Starts a host on this machine with the plugins of the configured drop-in folders and yours. Its page has a form for each route
and service method, a session with the project, and what the plugin logs. Each save is taken over at once; what came of it, the log of the plugin, and
errors with file and line of your sources are printed here too. Ctrl+C ends it.

Examples:
  $ slipway plugin dev ./my-plugin
  $ slipway plugin dev ./my-plugin --project project.obk --port 8081 --open`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (
      directory: string,
      { port, project, open = false, inspect = false, var: folder, ...options }: PluginDevOptions,
    ) => {
      await requireUsable(directory, project);
      if (inspect && process.platform === "win32") throw new WrongUse("--inspect does not work on Windows.");
      const configuration = configurationOf(options, "silent");
      tellProgress("Starting a host…");
      const { withDevelopmentHost } = await import("./plugin-dev-host.js");
      const keptVar = folder === undefined ? undefined : resolve(folder);
      await withDevelopmentHost(
        configuration,
        { directory, port, keptVar, inspect },
        async (host, development) => {
          development.session = await openSample(host, project);
          endProgress();
          await tellProblems(host);
          show(host, development, project);
          if (open) showInBrowser(pageOf(host));
        },
      ).finally(endProgress);
      process.exit(0);
    },
  );
}

/** Checked before a host is started. */
async function requireUsable(directory: string, project: string): Promise<void> {
  const isFolder = (await stat(directory).catch(() => undefined))?.isDirectory();
  if (!isFolder)
    throw new WrongUse(`"${printable(directory)}" is no folder; a plugin that is written is one.`);
  await access(project, constants.R_OK);
}

/** Opens the project, and also the demo project for the page's selection. */
async function openSample(host: RunningHost, project: string): Promise<string> {
  tellProgress("Opening the project…");
  const client = new HostClient(host.url);
  const { sessionId, warnings } = await client.openSession(project, undefined);
  showWarnings(warnings.map(({ path, message }) => `WARN: ${path}: ${message}`));
  if (project !== demoProject) await client.openSession(demoProject, undefined);
  return sessionId;
}

/** Only warns: the plugin may not need the missing part, or cause the problem itself. */
async function tellProblems(host: RunningHost): Promise<void> {
  const missing = Object.entries(await host.parts()).filter(
    ([name, { ready }]) => !ready && name !== "plugins",
  );
  showWarnings(missing.map(([name, { detail }]) => `WARN: ${name}: ${detail}`));
}

function show(host: RunningHost, { plugin, lines, session }: Development, project: string): void {
  print([
    `Plugin    ${printable(plugin.directory)}`,
    `Page      ${pageOf(host)}`,
    `Project   ${printable(project)}, session ${session}`,
    "",
    "It follows the files of the plugin until you press Ctrl+C.",
    "",
  ]);
  let before: DevelopmentLine | undefined;
  const tell = (line: DevelopmentLine): void => {
    print([shownLine(line, before)]);
    before = line;
  };
  for (const line of lines.list({ limit: 1000 })) tell(line);
  lines.follow(tell);
}

function pageOf({ url }: RunningHost): string {
  return `${url}/dev/`;
}

/**
 * A line with its time, followed by the source line of an error and its stack. `before`: the previous line, whose
 * position is not repeated.
 */
function shownLine(line: DevelopmentLine, before: DevelopmentLine | undefined): string {
  const clock = coloured("gray", localTime(line.time).slice(-8));
  const isSaid = samePlace(line.place, before?.place);
  return [
    `${clock} ${headOf(line)}`,
    ...(line.place === undefined || isSaid ? [] : shownPlace(line.place)),
    ...stackOf(line),
  ].join("\n");
}

function samePlace(one: SourcePlace | undefined, other: SourcePlace | undefined): boolean {
  return one?.file === other?.file && one?.line === other?.line && one?.column === other?.column;
}

function headOf({ kind, level, text, fields }: DevelopmentLine): string {
  const shown = [printable(text), ...Object.entries(fields).map(fact)].join(" ");
  if (kind === "request") return coloured("gray", shown);
  if (kind === "reload" && level === "info") return coloured("green", shown);
  if (level === "info") return shown;
  const colour = level === "error" ? "red" : level === "warn" ? "yellow" : "gray";
  return coloured(colour, kind === "reload" || kind === "wait" ? shown : `${marks[level]} ${shown}`);
}

function fact([name, value]: [string, unknown]): string {
  return printable(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
}

/** A position in the form that editors and terminals link, with the line and a mark below its column. */
function shownPlace({ file, line, column, excerpt }: SourcePlace): string[] {
  const place = `    ${coloured("bold", printable(`${file}:${line}:${column}`))}`;
  if (excerpt === undefined) return [place];
  const number = `    ${line} | `;
  const text = excerpt.replaceAll("\t", " ");
  return [
    place,
    `${number}${printableLines(text)}`,
    `${" ".repeat(number.length + column - 1)}${coloured("red", "^")}`,
  ];
}

function stackOf({ stack }: DevelopmentLine): string[] {
  if (stack === undefined) return [];
  return printableLines(stack)
    .split("\n")
    .map((line) => coloured("gray", `    ${line}`));
}
