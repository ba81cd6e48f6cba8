import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { endWithChecks, endWithJsonChecks } from "./show-checks.js";

/** `slipway plugin check`: everything that a host would refuse about a plugin. Exits 1 when something is wrong. */
export function pluginCheckCommand(): Command {
  const command = new Command("check")
    .description("check a plugin, a folder or an archive, as a host would, before it is shipped")
    .argument("<plugin>", "folder or archive")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      `
Reads its manifest, files and signature, bundles it, and runs it in a host of its own, together with the plugins of the
configured drop-in folders, until it has answered its smoke requests. Hints tell what a host takes and an author might want
otherwise. Nothing is changed. Ends with 1 when something is wrong.

Examples:
  $ slipway plugin check ./my-plugin
  $ slipway plugin check oex-1.6.0.tgz --plugins ./plugins`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (plugin: string, options: Record<string, unknown> & { json?: true }) => {
      const configuration = configurationOf(options);
      const { pluginChecks } = await import("./plugin-checks.js");
      const checks = pluginChecks(plugin, configuration);
      await (options.json ? endWithJsonChecks(checks) : endWithChecks(checks, "Ready to ship."));
    },
  );
}
