import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { endWithChecks } from "./show-checks.js";

/** `slipway check`: whether this installation can serve, and how to mend what cannot. Exits 1 when something is wrong. */
export function checkCommand(): Command {
  const command = new Command("check").description(
    "check configuration, folders, browser, fonts, templates and plugins of this installation",
  );
  return withConfigurationOptions(command, ["port"]).action(async (options: Record<string, unknown>) => {
    const configuration = configurationOf(options);
    const { installationChecks } = await import("./installation-checks.js");
    await endWithChecks(installationChecks(configuration), "Ready to serve.");
  });
}
