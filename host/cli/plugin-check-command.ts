import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { endWithChecks } from "./show-checks.js";

/** `slipway plugin check`: everything that a host would refuse about a plugin. Exits 1 when something is wrong. */
export function pluginCheckCommand(): Command {
  const command = new Command("check")
    .description("check a plugin, a folder or an archive, as a host would, before it is shipped")
    .argument("<plugin>", "folder or archive");
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (plugin: string, options: Record<string, unknown>) => {
      const configuration = configurationOf(options);
      const { pluginChecks } = await import("./plugin-checks.js");
      await endWithChecks(pluginChecks(plugin, configuration), "Ready to ship.");
    },
  );
}
