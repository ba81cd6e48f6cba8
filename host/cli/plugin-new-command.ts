import { Command } from "commander";

interface NewOptions {
  name?: string;
  sdk?: string;
}

/** `slipway plugin new`: the folder of a small, complete plugin with tests to go on from; prints its path. */
export function pluginNewCommand(): Command {
  return new Command("new")
    .description(
      "make the folder of a new plugin: small, complete, with tests, ready to be served and changed",
    )
    .argument("<folder>", "where it is made; not there yet, or empty")
    .option("--name <name>", "name of its package; default: made from the name of the folder")
    .option(
      "--sdk <version|file>",
      "SDK of a registry, or an archive of it; default: that of this installation, packed into the folder",
    )
    .addHelpText(
      "after",
      `
What is there already is never overwritten. The folder can be served as it is; its README says how to go on.

Examples:
  $ slipway plugin new ./greeting
  $ slipway plugin new ./greeting --name @acme/slipway-plugin-greeting
  $ slipway plugin new ./greeting --sdk ^1.1.0`,
    )
    .action(async (folder: string, options: NewOptions) => {
      const { newPlugin, nextSteps } = await import("@slipway/sdk/scaffold");
      const made = await newPlugin({ folder, ...options });
      process.stdout.write(`${made.folder}\n`);
      process.stderr.write(`\n${(await nextSteps(made, process.argv[1])).join("\n")}\n`);
    });
}
