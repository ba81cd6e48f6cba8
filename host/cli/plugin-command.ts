import { Command } from "commander";
import { errorCode } from "../system/errors.js";
import { print, printable, printJson } from "../system/terminal-text.js";
import { commandGroup } from "./command-group.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { pluginAddCommand } from "./plugin-add-command.js";
import { PluginClient } from "./plugin-client.js";
import { pluginConfigCommand } from "./plugin-config-command.js";
import { pluginDevCommand } from "./plugin-dev-command.js";
import { pluginEventsCommand } from "./plugin-events-command.js";
import { pluginGrantCommand } from "./plugin-grant-command.js";
import { pluginListCommand } from "./plugin-list-command.js";
import { pluginPackCommand } from "./plugin-pack-command.js";
import { pluginRollbackCommand } from "./plugin-rollback-command.js";
import { pluginTypesCommand } from "./plugin-types-command.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";
import { endWithChecks, endWithJsonChecks, shownState } from "./shown-results.js";

interface EnableOptions extends RunningHostOptions {
  version?: string;
}

interface NewOptions {
  name?: string;
  sdk?: string;
  js?: true;
}

/** `slipway plugin`: commands for admins and authors. Wrong usage exits 2, a refusal or failure 1. */
export function pluginCommand(): Command {
  const group = new Command("plugin").addHelpText(
    "after",
    `
Examples:
  $ slipway plugin list                      what runs, what is wrong, and what happened last
  $ slipway plugin add oex-1.6.0.tgz         drop a new version; it takes over without a lost request
  $ slipway plugin rollback oex              the version before answers again
  $ slipway plugin events --follow           watch what happens
  $ slipway plugin new ./my-plugin           a small plugin with tests to go on from
  $ slipway plugin dev ./my-plugin           try what you write, after each save
  $ slipway plugin pack ./my-plugin          make an archive for others`,
  );
  const commands = [
    pluginListCommand(),
    pluginEventsCommand(),
    pluginAddCommand(),
    pluginRollbackCommand(),
    pluginDisableCommand(),
    pluginGrantCommand(),
    pluginEnableCommand(),
    pluginConfigCommand(),
    pluginNewCommand(),
    pluginDevCommand(),
    pluginPackCommand(),
    pluginTypesCommand(),
    pluginCheckCommand(),
    pluginKeyCommand(),
  ];
  return commandGroup(group, commands);
}

/** `slipway plugin check`: checks a plugin as a host does. Exits 1 when a check fails. */
function pluginCheckCommand(): Command {
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

/** `slipway plugin disable`: takes a plugin out of service; its folder stays. */
function pluginDisableCommand(): Command {
  const command = new Command("disable")
    .description("take a plugin of a running host out of service; its folder stays where it is")
    .argument("<name>", "public name or alias of the plugin")
    .addHelpText(
      "after",
      `
Requests that run are finished. The plugin stays disabled over restarts and new versions, until it is enabled.

Examples:
  $ slipway plugin disable oex
  $ slipway plugin disable oex --url https://reports.example.com --json`,
    );
  return withAnswerOptions(command).action(async (name: string, options: RunningHostOptions) => {
    const answer = await new PluginClient(runningHostOf(options)).disable(name);
    if (options.json) return printJson(answer);
    const shown = printable(answer.plugin.name);
    print([`${shown} is disabled; "slipway plugin enable ${shown}" brings it back.`]);
  });
}

/**
 * `slipway plugin key`: creates a key pair for signing; writes the private key to a file and the public key to standard
 * output.
 */
function pluginKeyCommand(): Command {
  return new Command("key")
    .description("make a key that signs plugins; prints the public key for the setting plugins.trust.keys")
    .argument("<file>", "where the private key goes; a file that is there stays as it is")
    .addHelpText(
      "after",
      `
For those who ship plugins to hosts that admit only what they trust (settings plugins.trust). Keep the private key to yourself;
the public one goes into the configuration of these hosts.

Examples:
  $ slipway plugin key release-key.pem
  $ slipway plugin pack ./my-plugin --sign release-key.pem`,
    )
    .action(async (file: string) => {
      const { makeKey } = await import("../plugins/packages/packages.js");
      const { publicKey, fingerprint } = await makeKey(file).catch((error: unknown) => {
        const exists = errorCode(error) === "EEXIST";
        throw exists ? new Error(`${file} exists; a key is never overwritten, name another file.`) : error;
      });
      process.stderr.write(
        `${file} is the private key ${fingerprint}; keep it to yourself. The public key is:\n`,
      );
      process.stdout.write(`${publicKey}\n`);
    });
}

/** `slipway plugin new`: creates a small, complete plugin with tests; prints its path. */
function pluginNewCommand(): Command {
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
    .option("--js", "JavaScript, which needs no compiler; default: TypeScript")
    .addHelpText(
      "after",
      `
What is there already is never overwritten. The folder can be served as it is; its README says how to go on.

Examples:
  $ slipway plugin new ./greeting
  $ slipway plugin new ./greeting --js
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

/** `slipway plugin enable`: ends `disable` and retries failed versions. Exits 1 when no version serves. */
function pluginEnableCommand(): Command {
  const command = new Command("enable")
    .description("bring a disabled plugin of a running host back, or give failed versions another chance")
    .argument("<name>", "public name or alias of the plugin")
    .option("--version <version>", "only this version, also when it is in quarantine")
    .addHelpText(
      "after",
      `
What failed stays out until an admin says that its reason is mended; this does. A version in quarantine, which was taken back
for serving badly, stays out until it is named with --version; then it is on probation again. Ends with 1 when no release
answers with the plugin afterwards.

Examples:
  $ slipway plugin enable oex
  $ slipway plugin enable oex --version 1.6.0     after what made it fail is mended`,
    );
  return withAnswerOptions(command).action(async (name: string, options: EnableOptions) => {
    const { version } = options;
    const client = new PluginClient(runningHostOf(options));
    const answer = await client.enable(name, version === undefined ? {} : { version });
    const { plugin } = answer;
    const releases = Object.entries(plugin.releases);
    if (releases.length === 0) process.exitCode = 1;
    if (options.json) return printJson(answer);
    print([
      `${printable(plugin.name)} is enabled${releases.length === 0 ? ", and no release answers with it" : ""}.`,
      ...releases.map(([release, to]) => printable(`Release ${release} answers with ${plugin.name}@${to}.`)),
      ...plugin.versions.filter(({ releases }) => releases.length === 0).map(shownState),
    ]);
  });
}
