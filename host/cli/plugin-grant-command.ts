import { isAbsolute } from "node:path";
import { Command } from "commander";
import type { ChangedPlugin } from "../api/answers.js";
import { missingIn, withGranted } from "../configuration/granted-permissions.js";
import type { PluginOverview } from "../plugins/administration/administration.js";
import type { MissingGrant } from "../plugins/permissions/permissions.js";
import { print, printable, printJson } from "../system/terminal-text.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";

interface GrantOptions extends RunningHostOptions {
  yes?: true;
  revoke?: true;
  folder: Record<string, string>;
}

/** `slipway plugin grant`: shows what a plugin asks for, and grants it. Exits 1 while something is missing. */
export function pluginGrantCommand(): Command {
  const command = new Command("grant")
    .description("show what a plugin of a running host asks for beyond its grants, or grant it")
    .argument("<name>", "public name or alias of the plugin")
    .option("--yes", "grant all of it")
    .option("--revoke", "take back what was granted so; the host's own configuration stays")
    .option("--folder <name=path>", "the folder behind a name; may be repeated", withFolder, {})
    .addHelpText(
      "after",
      `
Without an option, prints what the versions of the plugin ask for, and why. A version that asks for more than it is granted
waits; the one that serves keeps serving. Folders have names in the plugin; you say where they are.

Examples:
  $ slipway plugin grant erp
  $ slipway plugin grant erp --yes --folder price-lists=/srv/price-lists
  $ slipway plugin grant erp --revoke`,
    );
  return withAnswerOptions(command).action(async (name: string, options: GrantOptions) => {
    const client = new PluginClient(runningHostOf(options));
    const before = await client.overview(name);
    const isChange = options.yes === true || options.revoke === true;
    const change = () =>
      options.revoke ? client.grant(name, {}) : grantMissing(client, before, options.folder);
    const after = isChange ? (await change()).plugin : before;
    const left = missingIn(after);
    if (options.json) printJson(after);
    else print(shown(after.name, left, isChange));
    if (left.length > 0 && options.revoke !== true) process.exitCode = 1;
  });
}

/**
 * Grants a plugin all that its versions ask for and lack, and waits until they have started. `folders`: absolute paths by name;
 * throws, and grants nothing, when one is missing.
 */
export async function grantMissing(
  client: PluginClient,
  plugin: PluginOverview,
  folders: Readonly<Record<string, string>>,
): Promise<ChangedPlugin> {
  return await client.grant(plugin.name, withGranted(plugin.grants.saved, missingIn(plugin), folders));
}

/** Adds a folder of an option. Throws when it is not `name=/absolute/path`. */
export function withFolder(value: string, before: Record<string, string>): Record<string, string> {
  const [name = "", path = ""] = value.split(/=(.*)/s);
  if (name === "" || !isAbsolute(path))
    throw new Error(
      `--folder: expected a name and an absolute path, such as prices=/srv/prices, not ${value}.`,
    );
  return { ...before, [name]: path };
}

function shown(name: string, missing: readonly MissingGrant[], isChange: boolean): string[] {
  if (missing.length === 0)
    return [`${printable(name)} ${isChange ? "has other grants now." : "waits for no grant."}`];
  return [
    `${printable(name)} asks for`,
    ...missing.map(
      ({ permission, value, reason }) =>
        `  ${permission}${value === undefined ? "" : ` ${printable(value)}`}: ${printable(reason)}`,
    ),
    ...(isChange ? [] : [`"slipway plugin grant ${printable(name)} --yes" grants it.`]),
  ];
}
