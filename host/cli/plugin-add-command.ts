import { stat } from "node:fs/promises";
import { Command } from "commander";
import type { PluginState } from "../plugins/plugin-state.js";
import { sdkVersion } from "../system/installation.js";
import { print, printJson } from "../system/terminal-text.js";
import type { PluginClient } from "./plugin-client.js";
import { grantMissing, withFolder } from "./plugin-grant-command.js";
import { type RunningHostOptions, runningHostOf, withAnswerOptions } from "./running-host-options.js";
import { shownAgreement, shownState } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";
import { withTemporaryFolder } from "./temporary-folder.js";

interface AddOptions extends RunningHostOptions {
  force?: true;
  grant?: true;
  folder: Record<string, string>;
}

const megabyte = 1024 * 1024;
const arrived = new Set(["live", "standby", "disabled"]);

/** `slipway plugin add`: adds a plugin to a running host and reports the outcome. */
export function pluginAddCommand(): Command {
  const command = new Command("add")
    .description("give a plugin to a running host, also on another machine, and wait for what becomes of it")
    .argument("<plugin>", "archive, or folder, which is packed first as by `slipway plugin pack`")
    .option("--force", "go on without hosts of several on one database that cannot take it")
    .option("--grant", "grant the plugin what it asks for")
    .option("--folder <name=path>", "with --grant: the folder behind a name; may be repeated", withFolder, {})
    .addHelpText(
      "after",
      `
The host puts it into its first drop-in folder, named after its package and version, starts it, and lets it take over
without a lost request. When it is refused or does not start, the command ends with 1 and the reason, nothing of it stays, and
what answered before goes on. A version that asks for more than the plugin is granted waits, and the command ends with 1; "slipway
plugin grant" shows what it asks for. Of several hosts on one database all take it at once, or none does: the command ends when all
serve it, or with the name of the host that cannot take it and why. A version that is there already is not overwritten: give what has changed a new one.

Examples:
  $ slipway plugin add oex-1.6.0.tgz
  $ slipway plugin add oex-1.6.0.tgz --force    one of the hosts has no room on its disk
  $ slipway plugin add erp-1.1.0.tgz --grant --folder price-lists=/srv/price-lists
  $ slipway plugin add ./my-plugin --url https://reports.example.com`,
    );
  return withAnswerOptions(command).action(async (source: string, options: AddOptions) => {
    const { PluginClient } = await import("./plugin-client.js");
    const client = new PluginClient(runningHostOf(options));
    const answer = await withArchive(
      source,
      async (archive) => await client.add(archive, { isForced: options.force === true, told: tellUpload }),
    );
    endProgress();
    const plugin =
      options.grant === true ? await granted(client, answer.plugin, options.folder) : answer.plugin;
    if (options.json) printJson({ ...answer, plugin });
    else print([shownState(plugin), ...shownAgreement(answer.agreed)]);
    if (!arrived.has(plugin.stage)) process.exitCode = 1;
  });
}

/** The state of an added version once it has been granted what it waits for. */
async function granted(
  client: PluginClient,
  added: PluginState,
  folders: Readonly<Record<string, string>>,
): Promise<PluginState> {
  if (added.stage !== "needs-grant" || added.name === undefined) return added;
  const overview = await client.overview(added.name);
  const versions = overview.versions.filter(({ version }) => version === added.version);
  const { plugin } = await grantMissing(client, { ...overview, versions }, folders);
  return plugin.versions.find(({ version }) => version === added.version) ?? added;
}

/** Passes an archive on; packs a folder into a temporary archive first. */
async function withArchive<T>(source: string, use: (archive: string) => Promise<T>): Promise<T> {
  const found = await stat(source).catch(() => {
    throw new Error(`There is no readable archive or folder ${source}.`);
  });
  if (!found.isDirectory()) return await use(source);
  return await withTemporaryFolder("slipway-add-", async (folder) => {
    tellProgress(`Packing ${source}…`);
    const { packPlugin } = await import("../plugins/packages/packages.js");
    const { file } = await packPlugin(source, { sdkVersion, out: folder });
    return await use(file);
  });
}

function tellUpload(sent: number, total: number): void {
  const percent = Math.floor((100 * sent) / total);
  const size = `${(total / megabyte).toFixed(1)} MB`;
  if (sent < total) tellProgress(`Sending: ${percent} % of ${size}`);
  else tellProgress("It is there; waiting for what becomes of it…");
}
