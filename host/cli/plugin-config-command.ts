import { Command } from "commander";
import type { PluginConfiguration } from "../plugins/configuration/configuration.js";
import { isJsonObject, jsonPointer } from "../system/json.js";
import { jsonText, print, printable, printJson, table } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";

/** `slipway plugin config`: the configuration of a plugin, without its secrets. */
export function pluginConfigCommand(): Command {
  const command = new Command("config")
    .description(
      "show the configuration of a plugin of a running host, and where it was stated; no secret is shown",
    )
    .argument("<name>", "public name or alias of the plugin")
    .option("--json", "print the answer of the host as JSON, with the schema")
    .addHelpText(
      "after",
      `
The admin page and the API change what is "saved". The configuration of the host wins over it, the defaults of the plugin and
of its schema stand behind it. Nothing is changed.

Examples:
  $ slipway plugin config oex
  $ slipway plugin config oex --json`,
    );
  return withRunningHostOptions(command).action(async (name: string, options: RunningHostOptions) => {
    const answer = await new PluginClient(runningHostOf(options)).configuration(name);
    if (options.json) return printJson(answer);
    const rows = [...membersOf(answer.values, ""), ...secretsOf(answer)].map(([path, value]) => [
      path.slice(1),
      value,
      sourceOf(answer, path),
    ]);
    const label = printable(`${answer.plugin}@${answer.version}`);
    if (rows.length === 0) print([`${label} has no configuration.`]);
    else print([`Configuration of ${label}, revision ${answer.revision}:`, "", ...table(titles, rows)]);
  });
}

const titles = ["MEMBER", "VALUE", "FROM"];

/** Members of members by their JSON Pointer. */
function membersOf(value: unknown, path: string): [path: string, value: string][] {
  if (!isJsonObject(value) || (Object.keys(value).length === 0 && path !== ""))
    return [[path, jsonText(value)]];
  return Object.entries(value).flatMap(([name, inner]) => membersOf(inner, path + jsonPointer([name])));
}

function secretsOf({ secrets }: PluginConfiguration): [path: string, value: string][] {
  return secrets.flatMap(({ path, isSet }) => (isSet ? [[path, "(hidden)"]] : []));
}

function sourceOf({ fixed, saved, defaults, secrets }: PluginConfiguration, path: string): string {
  const isHere = (places: readonly string[]): boolean =>
    places.some((place) => path === place || path.startsWith(`${place}/`));
  if (isHere(fixed)) return "host";
  const secret = secrets.find((each) => each.path === path);
  if (secret?.isSaved === true || isHere(pointersOf(saved))) return "saved";
  return isHere(pointersOf(defaults)) ? "default" : secret === undefined ? "schema" : "default";
}

function pointersOf(settings: unknown): string[] {
  return membersOf(settings, "").map(([path]) => path);
}
