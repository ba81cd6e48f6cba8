import { Command } from "commander";
import { createLog } from "../observability/log.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";

/** `slipway template publish`: templates as the files of a template store. Exits 1 when one is not fit to be published. */
export function templatePublishCommand(): Command {
  const command = new Command("publish")
    .description("write templates as the files of a template store, for any web server to serve")
    .argument("[keys...]", "which templates; default: all of them")
    .requiredOption("--out <folder>", "where to write index.json and the archives")
    .addHelpText(
      "after",
      `
Hosts whose setting templates.store.url names the place where a web server serves the folder then have these templates. Archives
of earlier versions stay; index.json is replaced last. Templates that are not fit to be served are not published.

Examples:
  $ slipway template publish --out ./store
  $ slipway template publish quote list --templates ./my-templates --out ./store`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (keys: string[], options: { out: string } & Record<string, unknown>) => {
      const { templates, folders, log } = configurationOf(options, "silent");
      const { publishTemplates } = await import("../templates/publish-templates.js");
      const { index, entries } = await publishTemplates({
        configuration: templates,
        folders: folders.templates,
        keys,
        out: options.out,
        log: createLog(log),
      });
      for (const { key, version, archive, bytes } of entries)
        process.stderr.write(`${key} ${version}: ${archive}, ${bytes} bytes\n`);
      process.stdout.write(`${index}\n`);
    },
  );
}
