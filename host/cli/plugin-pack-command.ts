import { Command } from "commander";

interface PackOptions {
  out?: string;
  sign?: string;
}

/** `slipway plugin pack`: a plugin as one archive that needs nothing beside it. */
export function pluginPackCommand(): Command {
  return new Command("pack")
    .description("make an archive of a plugin that needs no node_modules, with a list of its files")
    .argument("<folder>", "the plugin")
    .option("--out <path>", "file or folder of the archive; default: the working folder")
    .option("--sign <file>", "private key that signs the list of files, as `slipway plugin key` makes it")
    .action(async (_folder: string, _options: PackOptions) => {
      throw new Error("Not yet.");
    });
}
