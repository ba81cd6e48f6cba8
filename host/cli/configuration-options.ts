import type { Command } from "commander";
import type { Configuration } from "../configuration/configuration.js";
import { flags } from "../configuration/flags.js";
import type { LogConfiguration } from "../configuration/host-configuration.js";
import { type ConfigurationInput, resolveConfiguration } from "../configuration/resolve-configuration.js";

/** Adds `--config` and the setting flags to a command, except those in `without`. */
export function withConfigurationOptions(command: Command, without: readonly string[] = []): Command {
  if (!without.includes("config")) command.option("--config <file>", "configuration file (SLIPWAY_CONFIG)");
  for (const flag of flags.filter((each) => !without.includes(each.option))) {
    const description = `${flag.description} (${flag.variable})`;
    if (flag.repeatable) command.option(flag.flags, description, collect);
    else command.option(flag.flags, description);
  }
  return command;
}

/**
 * The sources of a command's configuration: options, environment and file. `logLevel` is the default for interactive
 * commands.
 */
export function configurationInput(
  options: Record<string, unknown>,
  logLevel?: LogConfiguration["level"],
): ConfigurationInput {
  const file = options["config"];
  const asked = "SLIPWAY_LOG_LEVEL" in process.env || "SLIPWAY_LOG__LEVEL" in process.env;
  return {
    file: typeof file === "string" ? file : undefined,
    environment: process.env,
    flags: logLevel === undefined || asked ? options : { logLevel, ...options },
    workingFolder: process.cwd(),
  };
}

/** Resolves the configuration of a command. */
export function configurationOf(
  options: Record<string, unknown>,
  logLevel?: LogConfiguration["level"],
): Configuration {
  return resolveConfiguration(configurationInput(options, logLevel));
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
