import { Command } from "commander";
import { sdkVersion } from "../installation.js";

interface PackOptions {
  out?: string;
  sign?: string;
}

/** `slipway plugin pack`: a plugin as one archive that needs nothing beside it. */
export function pluginPackCommand(): Command {
  return new Command("pack")
    .description("make an archive of a plugin that needs no node_modules, with a list of its files")
    .argument("<folder>", "the plugin")
    .option(
      "--out <path>",
      "file or folder of the archive, replacing one of the same name; default: the working folder",
    )
    .option("--sign <file>", "private key that signs the list of files, as `slipway plugin key` makes it")
    .action(async (folder: string, { out, sign }: PackOptions) => {
      const { packPlugin } = await import("../plugins/packages/pack-plugin.js");
      const packed = await packPlugin(folder, { sdkVersion, out, key: sign });
      const { files, bytes, sha256, signedBy } = packed;
      const signature = signedBy === undefined ? "not signed" : `signed with the key ${signedBy}`;
      process.stderr.write(`${files} files, ${bytes} bytes, ${signature}, SHA-256 ${sha256}\n`);
      process.stdout.write(`${packed.file}\n`);
    });
}
