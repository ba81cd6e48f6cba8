import { Command } from "commander";
import { withConfigurationOptions } from "./configuration-options.js";

/** `slipway plugin check`: everything that a host would refuse about a plugin. Exits 1 when something is wrong. */
export function pluginCheckCommand(): Command {
  const command = new Command("check")
    .description("check a plugin, a folder or an archive, as a host would, before it is shipped")
    .argument("<plugin>", "folder or archive");
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (_plugin: string, _options: Record<string, unknown>) => {
      throw new Error("Not yet.");
    },
  );
}
