import { Command } from "commander";
import { ConfigurationError, describeMistake, type Mistake } from "../configuration/configuration-error.js";
import { resolveConfiguration } from "../configuration/resolve-configuration.js";
import { keepCompiledCode } from "../system/compile-cache.js";
import { print, printJson } from "../system/terminal-text.js";
import { configurationInput, configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { endWithChecks, endWithJsonChecks } from "./shown-results.js";

/** `slipway start`: runs a host until it is stopped. */
export function startCommand(): Command {
  const command = new Command("start");
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
      keepCompiledCode(configuration.var);
      const { serve } = await import("./running-host.js");
      await serve({ input, configuration }, ({ url }) => {
        process.stdout.write(`Slipway listening on ${url}\n`);
      });
    });
}

/** `slipway status`: the state of a running host. Exits 1 when it is not ready. */
export function statusCommand(): Command {
  const command = new Command("status").option("--json", "print the answer of the host as JSON").addHelpText(
    "after",
    `
The first thing to look at when something seems wrong. Ends with 1 when the host answers and is not ready, with what it lacks.
Nothing is changed.

Examples:
  $ slipway status
  $ slipway status --json --url https://reports.example.com`,
  );
  return withRunningHostOptions(command).action(async (options: RunningHostOptions) => {
    const { hostStatus, statusPage } = await import("./status-page.js");
    const host = runningHostOf(options);
    const status = await hostStatus(host);
    if (!status.ready) process.exitCode = 1;
    if (options.json) printJson(status);
    else print(statusPage(status, host.url));
  });
}

interface CheckOptions extends Record<string, unknown> {
  json?: true;
}

/** `slipway check`: checks the installation and suggests fixes. Exits 1 when a check fails. */
export function checkCommand(): Command {
  const command = new Command("check").option("--json", "print the checks as JSON");
  return withConfigurationOptions(command).action(async (options: CheckOptions) => {
    const configuration = await orMistakes(options);
    const { installationChecks } = await import("./installation-checks.js");
    const checks = installationChecks(configuration);
    await (options.json ? endWithJsonChecks(checks) : endWithChecks(checks, "Ready to serve."));
  });
}

/** With `--json`, reports configuration errors as checks too; exits 2 then. */
async function orMistakes(options: CheckOptions) {
  try {
    return configurationOf(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError) || options.json === undefined) throw error;
    process.exitCode = 2;
    return endWithJsonChecks(mistakeChecks(error.mistakes));
  }
}

async function* mistakeChecks(mistakes: readonly Mistake[]) {
  for (const mistake of mistakes)
    yield { name: "configuration", ok: false, detail: describeMistake(mistake) };
}
