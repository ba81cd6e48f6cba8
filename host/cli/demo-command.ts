import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { Configuration } from "../configuration/configuration.js";
import { resolveConfiguration } from "../configuration/resolve-configuration.js";
import { demoProject } from "../system/installation.js";
import { listenError } from "./checks/port-check.js";
import { configurationInput, withConfigurationOptions } from "./configuration-options.js";
import type { WrittenFile } from "./downloaded-files.js";
import { writeExport } from "./export-command.js";
import { HostClient } from "./host-client.js";
import { apiKeyOf } from "./host-key.js";
import type { RunningHost } from "./running-host.js";
import { showErrors } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";

const template = "quote";
const order = {
  attachPDF: true,
  embedInPDF: ["OEX", "OBX"],
  clientNo: "K-77120",
  vendorNo: "70441",
  commission: "Harbourlight, second floor",
  delivery: "Week 3 of 2027, free to place of use",
};

/** `slipway demo`: a host with the demo project, its report and its order export. */
export function demoCommand(): Command {
  const command = new Command("demo").addHelpText(
    "after",
    `
Shows what Slipway does, with files to look at and requests to try out. When the usual port is taken, a free one is used. What it
makes lies below the folder var; the host stays until Ctrl+C.

Examples:
  $ slipway demo
  $ slipway demo --port 0 --var /tmp/slipway-demo`,
  );
  return withConfigurationOptions(command).action(async (options: Record<string, unknown>) => {
    const asked = configurationInput(options, "warn");
    const { host: address, port } = resolveConfiguration(asked);
    const isFree = (await listenError(address, port)) === undefined;
    const input = isFree ? asked : { ...asked, flags: { ...asked.flags, port: 0 } };
    const configuration = resolveConfiguration(input);
    tellProgress("Starting a host with its browser, plugins and templates…");
    const { requireReady, serve } = await import("./running-host.js");
    await serve({ input, configuration }, async (host) => {
      endProgress();
      process.stdout.write(`Slipway listening on ${host.url}\n`);
      await requireReady(host);
      await show(host, configuration);
    });
  });
}

async function show(host: RunningHost, configuration: Configuration): Promise<void> {
  const client = new HostClient(host.url, "", apiKeyOf(undefined));
  const folder = join(configuration.var, "demo");
  tellProgress("Opening the demo project…");
  const { sessionId } = await client.openSession(demoProject, "en_GB");
  tellProgress("Making its report…");
  const report = await client.report({ sessionId, templateKey: template });
  tellProgress("Making its order export…");
  const exported = await client.export({ sessionId, config: order });
  // Omits warnings about adaptations to the export format, which would distract in a demo.
  showErrors([...report.errors, ...exported.errors].filter(({ scopes }) => scopes.includes("ERROR")));
  const written = await writeExport(client, exported, folder);
  const file = join(folder, report.name);
  await writeFile(file, report.content);
  endProgress();
  const workbench = `
Drop a project of your own in a browser, and make reports and exports of it:
  ${host.url}/workbench/`;
  process.stdout.write(`
Report    ${placesOf([{ path: file, url: report.url }])}
Export    ${placesOf(written)}
Session   ${sessionId} (the demo project, ${demoProject})
${configuration.workbench ? workbench : ""}
Make another report, another export:
  curl -s ${host.url}/EAIWS/plugins/Reporter/template/${template}/v1/generate \\
    -H 'Content-Type: application/json' -d '{"sessionId": "${sessionId}"}'
  curl -s ${host.url}/EAIWS/plugins/oex/export \\
    -H 'Content-Type: application/json' -d '{"sessionId": "${sessionId}"}'
Open a project of your own with a program:
  curl -s '${host.url}/api/sessions?locale=en_GB' --data-binary @project.obk -H 'Content-Type: application/zip'
See how the host is doing, and read its API:
  ${host.url}/admin/
  ${host.url}/docs/
Change a template and see what that does:
  npx slipway template preview ${template}

The host answers until you press Ctrl+C.
`);
}

/** Path and URL of each file, on separate lines. */
function placesOf(files: WrittenFile[]): string {
  return files.flatMap(({ path, url }) => [path, url]).join(`\n${" ".repeat(10)}`);
}
