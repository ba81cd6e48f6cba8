import { Command } from "commander";
import { localTime, print, printable, printJson, table } from "../system/terminal-text.js";
import type { StoreState } from "../templates/stores/store-states.js";
import type { TemplateState } from "../templates/template-service.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

interface ListOptions extends RunningHostOptions {
  json?: true;
}

/** `slipway template list`: the templates of a running host, what is wrong with them, and the stores that it asked. */
export function templateListCommand(): Command {
  const command = new Command("list")
    .description("list the templates of a running host, what is wrong with them, and the stores that it asks")
    .option("--json", "print the answer of the host as JSON")
    .addHelpText(
      "after",
      `
The mark in front of a line: ! is not served, ~ is served in an earlier version, because the newer one has the mistakes that
are listed. Nothing is changed.

Examples:
  $ slipway template list
  $ slipway template list --json --url https://reports.example.com`,
    );
  return withRunningHostOptions(command).action(async (options: ListOptions) => {
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

function row({ key, version, folder, aliases, error }: TemplateState): string[] {
  const earlier = error === undefined ? "" : "~";
  return [
    version === undefined ? "!" : earlier,
    key,
    version?.slice(0, 12) ?? "none",
    folder,
    aliases.join(", "),
  ];
}

/** What is wrong, line by line, and what could be better. */
function notes({ key, error, warnings }: TemplateState): string[] {
  const mistakes = (error?.split("\n") ?? []).map((line) => `! ${key}: ${line}`);
  return [...mistakes, ...warnings.map((warning) => `  ${key}: ${warning}`)].map(
    (line) => `${line.slice(0, 2)}${printable(line.slice(2))}`,
  );
}

function storeRow({ url, state, templates, checked, error }: StoreState): string[] {
  return [url, state, String(templates), localTime(checked), error ?? ""];
}
