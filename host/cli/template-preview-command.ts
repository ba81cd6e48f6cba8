import { Type } from "@slipway/sdk";
import { Command } from "commander";
import type { Configuration } from "../configuration/configuration.js";
import { demoProject } from "../system/installation.js";
import { longestTimer } from "../system/time.js";
import { showInBrowser } from "./browser-of-person.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { didYouMean } from "./did-you-mean.js";
import { answerReader, type HostClient } from "./host-client.js";
import { portOf } from "./running-host-options.js";
import { withOpenProject } from "./session-client.js";
import { endProgress } from "./standard-output.js";
import { tellProblems } from "./template-client.js";

/** Milliseconds; short, because the author looks at the page right after a save. */
const settlingTime = 20;

const readStates = answerReader(
  Type.Object({
    templates: Type.Array(Type.Object({ key: Type.String(), aliases: Type.Array(Type.String()) })),
  }),
);

interface PreviewOptions extends Record<string, unknown> {
  project: string;
  locale?: string;
  embed?: string;
  port?: number;
  open: boolean;
}

/** `slipway template preview`: a page with a report that follows the template files; runs until Ctrl+C. */
export function templatePreviewCommand(): Command {
  const command = new Command("preview")
    .description("show a report in the browser, and again after each change of the template's files")
    .argument("<key>", "template to show, by key or alias; the page can change it")
    .option("--project <file>", "the project to report (OBK, OBX or JSON)", demoProject)
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"; the page can change it')
    .option(
      "--embed <files>",
      "show the PDF of an order export that carries these files: OEX, OBX or OEX,OBX",
    )
    .option("--port <number>", "port of the page (SLIPWAY_PORT does not count); default: a free one", portOf)
    .option("--no-open", "only print the address of the page")
    .addHelpText(
      "after",
      `
For those who write templates: the page shows the report, its options, and what is wrong with it, anew after each save of a
file of the template. The host behind it is there for this alone; Ctrl+C ends it.

Examples:
  $ slipway template preview quote
  $ slipway template preview order --embed OEX,OBX
  $ slipway template preview packing-list --templates ./my-templates --project project.obk --locale de_DE`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (key: string, { port, embed, ...options }: PreviewOptions) => {
      const configuration = previewConfiguration(options);
      await withOpenProject(
        configuration,
        options.project,
        options.locale,
        async (client, sessionId) => {
          const template = await knownTemplate(client, key);
          endProgress();
          show(
            addressOf(client.url, { template, session: sessionId, ...(embed !== undefined && { embed }) }),
            options.open,
          );
          tellProblems(client, say).catch((error: unknown) => say(String(error)));
        },
        { port: port ?? 0, untilAsked: true },
      );
      process.exit(0);
    },
  );
}

function previewConfiguration(options: Record<string, unknown>): Configuration {
  // The page and the printed lines report template errors.
  const configuration = configurationOf(options, "silent");
  const templates = { ...configuration.templates, watch: true, settlingTime };
  const sessions = { ...configuration.sessions, lifetime: longestTimer };
  return { ...configuration, templates, sessions, preview: true };
}

/** Returns the key, also for a broken template, which the page helps to fix. */
async function knownTemplate(client: HostClient, name: string): Promise<string> {
  const { templates } = readStates(await client.json("/api/templates"));
  const found = templates.find(({ key, aliases }) => key === name || aliases.includes(name));
  if (found !== undefined) return found.key;
  await client.templateOptions(name).catch(() => {
    const names = templates.flatMap(({ key, aliases }) => [key, ...aliases]);
    throw new Error(`There is no template "${name}".${didYouMean(name, names)}`);
  });
  return name;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function addressOf(url: string, parameters: Record<string, string>): string {
  return `${url}/preview/?${new URLSearchParams(parameters)}`;
}

function show(address: string, open: boolean): void {
  process.stdout.write(
    `Preview   ${address}\n\nIt follows the files of the template until you press Ctrl+C.\n`,
  );
  if (open) showInBrowser(address);
}
