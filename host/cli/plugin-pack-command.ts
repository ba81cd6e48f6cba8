import { Command } from "commander";
import { sdkVersion } from "../system/installation.js";
import { printJson } from "../system/terminal-text.js";

interface PackOptions {
  out?: string;
  sign?: string;
  json?: true;
}

/** `slipway plugin pack`: packs a plugin into a self-contained archive. */
export function pluginPackCommand(): Command {
  return new Command("pack")
    .description("make an archive of a plugin that needs no node_modules, with a list of its files")
    .argument("<folder>", "the plugin")
    .option(
      "--out <path>",
      "file or folder of the archive, replacing one of the same name; default: the working folder",
    )
    .option("--sign <file>", "private key that signs the list of files, as `slipway plugin key` makes it")
    .option("--json", "print what was made as JSON")
    .addHelpText(
      "after",
      `
What the plugin imports is bundled into it, so that it runs on any host, whatever lies there. Its path goes to standard output. The
list of files lets a host wait for the last byte of a slow copy and find what was changed on the way.

Examples:
  $ slipway plugin pack ./my-plugin
  $ slipway plugin pack ./my-plugin --out ./dist --sign release-key.pem`,
    )
    .action(async (folder: string, { out, sign, json }: PackOptions) => {
      const { packPlugin } = await import("../plugins/packages/packages.js");
      const packed = await packPlugin(folder, { sdkVersion, out, key: sign });
      if (json) return printJson(packed);
      const { files, bytes, sha256, signedBy } = packed;
      const signature = signedBy === undefined ? "not signed" : `signed with the key ${signedBy}`;
      process.stderr.write(`${files} files, ${bytes} bytes, ${signature}, SHA-256 ${sha256}\n`);
      process.stdout.write(`${packed.file}\n`);
    });
}
