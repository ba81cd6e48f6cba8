import { Command } from "commander";
import { ConfigurationError, type Mistake } from "../configuration/configuration-error.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { endWithChecks, endWithJsonChecks } from "./show-checks.js";

interface CheckOptions extends Record<string, unknown> {
  json?: true;
}

/** `slipway check`: whether this installation can serve, and how to mend what cannot. Exits 1 when something is wrong. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description(
      "check configuration, folders, system, browser, fonts, templates and plugins of this installation, and say how to " +
        "mend what is wrong; a host that is running is not disturbed",
    )
    .option("--json", "print the checks as JSON");
  return withConfigurationOptions(command).action(async (options: CheckOptions) => {
    const configuration = await orMistakes(options);
    const { installationChecks } = await import("./installation-checks.js");
    const checks = installationChecks(configuration);
    await (options.json ? endWithJsonChecks(checks) : endWithChecks(checks, "Ready to serve."));
  });
}

/** Scripts that ask for JSON get it also when no more can be checked than the configuration; exits 2 then. */
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
  for (const { key, expected, value, source } of mistakes)
    yield {
      name: "configuration",
      ok: false,
      detail: `${key}: expected ${expected}, received ${value} (${source})`,
    };
}
