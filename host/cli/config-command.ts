import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { fileOf, resolveWithSources } from "../configuration/resolve-configuration.js";
import { type ShownSetting, shownSettings } from "../configuration/shown-settings.js";
import { installationFolder } from "../system/installation.js";
import { jsonText, print, printJson, table } from "../system/terminal-text.js";
import { commandGroup } from "./command-group.js";
import { configurationInput, withConfigurationOptions } from "./configuration-options.js";

interface ConfigOptions extends Record<string, unknown> {
  changed?: true;
  json?: true;
}

/** `slipway config`: the resolved configuration of a host with the same options, and the source of each setting. */
export function configCommand(): Command {
  const command = new Command("config")
    .option("--changed", "only what is not as it is by default")
    .option("--json", "print the settings as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ slipway config --changed
  $ slipway config --config /etc/slipway.json --json`,
    );
  withConfigurationOptions(command).action((options: ConfigOptions) => {
    const input = configurationInput(options);
    const settings = shownSettings(resolveWithSources(input)).filter(
      ({ source }) => options.changed === undefined || source !== "default",
    );
    if (options.json) printJson({ file: fileOf(input), settings });
    else print(table(["setting", "value", "from"], settings.map(row)));
  });
  const schema = new Command("schema")
    .description("print the JSON schema of the configuration file, for editors")
    .action(async () => {
      const file = join(installationFolder, "config", "slipway.schema.json");
      process.stdout.write(await readFile(file, "utf8"));
    });
  return commandGroup(command, [schema]);
}

function row({ key, value, source }: ShownSetting): string[] {
  return [key, jsonText(value), source === "default" ? "" : source];
}
