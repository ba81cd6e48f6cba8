import { Command } from "commander";
import { createLog } from "../observability/log.js";
import { errorCode } from "../system/errors.js";
import { demoProject } from "../system/installation.js";
import { localTime, print, printable, printJson, table } from "../system/terminal-text.js";
import type { StoreState, TemplateState } from "../templates/templates.js";
import { commandGroup } from "./command-group.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";
import { endWithChecks, endWithJsonChecks } from "./shown-results.js";
import { templatePreviewCommand } from "./template-preview-command.js";

interface CheckOptions extends Record<string, unknown> {
  project: string;
  print: boolean;
  json?: true;
}

/** `slipway template`: commands for template authors. Wrong usage exits 2, a refusal or failure 1. */
export function templateCommand(): Command {
  const group = new Command("template").addHelpText(
    "after",
    `
Examples:
  $ slipway template new packing-list       the folder of a small template to go on from
  $ slipway template preview packing-list   a page that shows it anew after each save
  $ slipway template check ./packing-list   everything that a host would refuse
  $ slipway template list                   what a running host serves, and what is wrong`,
  );
  const commands = [
    templateListCommand(),
    templateNewCommand(),
    templateCheckCommand(),
    templatePreviewCommand(),
    templatePublishCommand(),
  ];
  return commandGroup(group, commands);
}

/** `slipway template check`: checks a template and prints it. Exits 1 when a check fails. */
function templateCheckCommand(): Command {
  const command = new Command("check")
    .description("check a template as a host would, and print a project with it in each of its languages")
    .argument("<folder>", "folder of the template")
    .option("--project <file>", "project to print (OBK, OBX or JSON); default: the demo project", demoProject)
    .option("--no-print", "look at its files only")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      `
Says everything that keeps a host from serving it, with file and line, then prints a project with it in each language that it has
texts for; an accessible one is checked against PDF/UA, an archivable one against PDF/A. Nothing is changed. Ends with 1 when something is wrong.

Examples:
  $ slipway template check ./packing-list
  $ slipway template check ./packing-list --project project.obk`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var", "templates"]).action(
    async (folder: string, options: CheckOptions) => {
      const configuration = configurationOf(options);
      const { templateChecks } = await import("./template-checks.js");
      const project = options.print ? options.project : undefined;
      const checks = templateChecks(folder, project, configuration);
      await (options.json ? endWithJsonChecks(checks) : endWithChecks(checks, "Ready to be used."));
    },
  );
}

/** `slipway template new`: creates a small, complete template; prints its path. */
function templateNewCommand(): Command {
  return new Command("new")
    .description("make the folder of a new template: small, complete, ready to be served and changed")
    .argument("<key>", "how requests name the template, and the name of its folder")
    .option("--dir <folder>", "folder of templates in which it is made", ".")
    .option("--name <name>", "its name for people, in English; default: made from the key")
    .addHelpText(
      "after",
      `
What is there already is never overwritten. The folder can be served as it is; its files say what may be changed.

Examples:
  $ slipway template new packing-list
  $ slipway template new packing-list --dir ./my-templates --name "Packing list"`,
    )
    .action(async (key: string, { dir, name }: { dir: string; name?: string }) => {
      const { newTemplate } = await import("../templates/templates.js");
      const folder = await newTemplate(dir, key, name ?? nameOf(key)).catch((error: unknown) => {
        const exists = errorCode(error) === "EEXIST";
        throw exists
          ? new Error(`${key} exists in ${dir}; nothing is overwritten, choose another key.`)
          : error;
      });
      process.stdout.write(`${folder}\n`);
    });
}

/** Such as "Packing list" for "packing-list". */
function nameOf(key: string): string {
  const words = key.split(/[._-]+/).filter((word) => word !== "");
  const text = words.join(" ");
  return text === "" ? key : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * `slipway template publish`: writes templates as the files of a template store. Exits 1 when a template is invalid.
 */
function templatePublishCommand(): Command {
  const command = new Command("publish")
    .description("write templates as the files of a template store, for any web server to serve")
    .argument("[keys...]", "which templates; default: all of them")
    .requiredOption("--out <folder>", "where to write index.json and the archives")
    .addHelpText(
      "after",
      `
Hosts whose setting templates.store.url names the place where a web server serves the folder then have these templates. Archives
of earlier versions stay; index.json is replaced last. Templates that are not fit to be served are not published.

Examples:
  $ slipway template publish --out ./store
  $ slipway template publish quote list --templates ./my-templates --out ./store`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (keys: string[], options: { out: string } & Record<string, unknown>) => {
      const { templates, folders, log } = configurationOf(options, "silent");
      const { publishTemplates } = await import("../templates/templates.js");
      const { index, entries } = await publishTemplates({
        configuration: templates,
        folders: folders.templates,
        keys,
        out: options.out,
        log: createLog(log),
      });
      for (const { key, version, archive, bytes } of entries)
        process.stderr.write(`${key} ${version}: ${archive}, ${bytes} bytes\n`);
      process.stdout.write(`${index}\n`);
    },
  );
}

/** `slipway template list`: the templates of a running host with their problems, and the stores in use. */
function templateListCommand(): Command {
  const command = new Command("list")
    .description("list the templates of a running host, what is wrong with them, and the stores that it asks")
    .addHelpText(
      "after",
      `
The mark in front of a line: ! is not served, ~ is served in an earlier version, because the newer one has the mistakes that
are listed. Nothing is changed.

Examples:
  $ slipway template list
  $ slipway template list --json --url https://reports.example.com`,
    );
  return withAnswerOptions(command).action(async (options: RunningHostOptions) => {
    const { templateList } = await import("./template-client.js");
    const answer = await templateList(runningHostOf(options));
    if (options.json) return printJson(answer);
    const { templates, stores } = answer;
    if (templates.length === 0) print(["There is no template in the folders of this host."]);
    else print(table(["", "KEY", "VERSION", "FOLDER", "ALIASES"], templates.map(row)));
    print(templates.flatMap(notes));
    if (stores.length > 0)
      print(["", ...table(["STORE", "STATE", "TEMPLATES", "ASKED", "REASON"], stores.map(storeRow))]);
  });
}

function row({ key, version, folder, plugin, aliases, error }: TemplateState): string[] {
  const earlier = error === undefined ? "" : "~";
  return [
    version === undefined ? "!" : earlier,
    key,
    version?.slice(0, 12) ?? "none",
    plugin === undefined ? folder : `${folder} of ${plugin}`,
    aliases.join(", "),
  ];
}

/** Problems and warnings, one line each. */
function notes({ key, error, warnings }: TemplateState): string[] {
  const mistakes = (error?.split("\n") ?? []).map((line) => `! ${key}: ${line}`);
  return [...mistakes, ...warnings.map((warning) => `  ${key}: ${warning}`)].map(
    (line) => `${line.slice(0, 2)}${printable(line.slice(2))}`,
  );
}

function storeRow({ url, state, templates, checked, error }: StoreState): string[] {
  return [url, state, String(templates), localTime(checked), error ?? ""];
}
