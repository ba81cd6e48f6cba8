import { Command } from "commander";
import { resolveConfiguration } from "../configuration/resolve-configuration.js";
import { configurationInput, withConfigurationOptions } from "./configuration-options.js";

/** `slipway start`: a host, until somebody stops it. */
export function startCommand(): Command {
  const command = new Command("start").description("start a host; SIGTERM or Ctrl+C lets it finish and end");
  return withConfigurationOptions(command)
    .addHelpText(
      "after",
      `
Settings come from, later ones winning: defaults, the configuration file, environment variables, flags.
Every setting has a variable, nested ones with two underscores: SLIPWAY_SESSIONS__LIFETIME=3600000.
When the host answers, it prints one line on standard output; its log goes to standard error. It writes below the folder var and
nowhere else.

Examples:
  $ slipway start --port 8080
  $ slipway start --config /etc/slipway.json --log-level warn`,
    )
    .action(async (options: Record<string, unknown>) => {
      const input = configurationInput(options);
      const configuration = resolveConfiguration(input);
      const { serve } = await import("./running-host.js");
      await serve({ input, configuration }, ({ url }) => {
        process.stdout.write(`Slipway listening on ${url}\n`);
      });
    });
}
