import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import { Command } from "commander";
import type { Configuration } from "../configuration/configuration.js";
import { installationFolder } from "../installation.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { type HostClient, unknownAnswer } from "./host-client.js";
import { withOpenProject } from "./open-project.js";
import { canOpenBrowser, openBrowser } from "./template-preview-browser.js";

const demoProject = join(installationFolder, "config", "demo", "demo-project.obk");

/** Milliseconds: whoever saves a file looks at the page next. */
const settlingTime = 20;

const checkStates = new Validator().compile(
  Type.Object({ templates: Type.Array(Type.Object({ key: Type.String() })) }),
  "answer",
);

interface PreviewOptions extends Record<string, unknown> {
  project: string;
  locale?: string;
  port?: string;
  open: boolean;
}

/** `slipway template preview`: a page that shows a report and follows the files of its template; until Ctrl+C. */
export function templatePreviewCommand(): Command {
  const command = new Command("preview")
    .description("show a report in the browser, and again after each change of the template's files")
    .argument("<key>", "template to show, by key or alias; the page can change it")
    .option("--project <file>", "the project to report (OBK, OBX or JSON)", demoProject)
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"; the page can change it')
    .option("--port <number>", "port of the page (SLIPWAY_PORT does not count); default: a free one")
    .option("--no-open", "only print the address of the page");
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (key: string, { port, ...options }: PreviewOptions) => {
      const configuration = previewConfiguration(options);
      await withOpenProject(
        configuration,
        options.project,
        options.locale,
        async (client, sessionId) => {
          await requireTemplate(client, key);
          show(addressOf(client.url, { template: key, session: sessionId }), options.open);
        },
        { port: portOf(port), untilAsked: true },
      );
      process.exit(0);
    },
  );
}

function previewConfiguration(options: Record<string, unknown>): Configuration {
  const configuration = configurationOf(options, "error");
  const templates = { ...configuration.templates, watch: true, settlingTime };
  return { ...configuration, templates, preview: true };
}

function portOf(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--port ${text}: expected a number from 0 to 65535`);
}

/** One that is broken is there: the page is for mending it. */
async function requireTemplate(client: HostClient, key: string): Promise<void> {
  const { templates } = checked(checkStates(await client.json("/api/templates")), unknownAnswer);
  const keys = templates.map((template) => template.key);
  if (keys.includes(key)) return;
  await client.templateOptions(key).catch(() => {
    throw new Error(`There is no template "${key}"; there are: ${keys.sort().join(", ")}.`);
  });
}

function addressOf(url: string, parameters: Record<string, string>): string {
  return `${url}/preview/?${new URLSearchParams(parameters)}`;
}

function show(address: string, open: boolean): void {
  process.stdout.write(
    `Preview   ${address}\n\nIt follows the files of the template until you press Ctrl+C.\n`,
  );
  if (!open || !canOpenBrowser()) return;
  openBrowser(address).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The browser could not be opened (${reason}); open the address yourself.\n`);
  });
}
