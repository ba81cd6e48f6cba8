import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Command } from "commander";
import type { Configuration } from "../configuration/configuration.js";
import { errorMessage } from "../system/errors.js";
import { isJsonObject } from "../system/json.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { download, type WrittenFile } from "./downloaded-files.js";
import type { HostClient, OrderExport } from "./host-client.js";
import { withOpenProject } from "./session-client.js";
import { showErrors, showWarnings } from "./shown-results.js";
import { tellProgress } from "./standard-output.js";

interface ExportOptions extends Record<string, unknown> {
  config?: string;
  hostConfig?: string;
  out?: string;
  type?: string;
  oexVersion?: string;
  embed?: string;
  locale?: string;
  scheme?: string;
  validate?: true;
}

/** Exit code when the files are written but the document is invalid. */
const invalid = 3;

/** `slipway export`: the order export of a project file, by a temporary host. */
export function exportCommand(): Command {
  const command = new Command("export")
    .argument("<file>", "the project")
    .option(
      "--config <file>",
      "JSON file with members of the export configuration; the flags below win over it",
    )
    .option(
      "--out <folder>",
      "where to write the files, replacing those of the same names; default: the working folder",
    )
    .option("--type <type>", "ORDERS or QUOTES; default: ORDERS")
    .option("--oex-version <version>", "3.1, 3.0 or 2.3; default: 3.0")
    .option(
      "--embed <files>",
      "make a PDF that carries these files: OEX, OBX, ORDER-X, UBL or several, such as OEX,OBX",
    )
    .option("--locale <locale>", 'locale of texts, such as "de_DE"')
    .option("--scheme <name>", "price calculation scheme; default: STDB2B_WBK")
    .option(
      "--validate",
      `check the document against schema and rules; exit code ${invalid} when it is invalid`,
    )
    .option("--host-config <file>", "configuration file of the host (SLIPWAY_CONFIG)")
    .addHelpText(
      "after",
      `
A host is started for it and ends with it, on a port of its own, with files in a temporary folder. The paths of the files go to
standard output, and nothing else; what was left out or adapted goes to standard error. Files that are there are replaced
only in a folder that --out names. Exit codes: 0 when the files are written, 1 when they are not, 2 for wrong use or a
wrong configuration, ${invalid} when they are written and --validate has found the document invalid.

Examples:
  $ slipway export project.obk --out orders
  $ slipway export project.obk --embed OEX,OBX --out orders
  $ slipway export project.obx --type QUOTES --oex-version 3.1 --validate --out quotes`,
    );
  return withConfigurationOptions(command, ["config", "host", "port", "publicUrl", "var"]).action(
    async (file: string, options: ExportOptions) => {
      const configuration = hostConfiguration(options);
      const config = await exportConfiguration(options);
      const { locale, scheme, out } = options;
      const { errors, files } = await withOpenProject(
        configuration,
        file,
        locale,
        async (client, sessionId) => {
          tellProgress("Making the order export…");
          const request = {
            sessionId,
            config,
            ...(scheme === undefined ? {} : { calculationScheme: scheme }),
          };
          const exported = await client.export(request);
          return { errors: exported.errors, files: await writeExport(client, exported, out) };
        },
      );
      const wrong = errors.filter(isInvalid);
      showWarnings(
        wrong.flatMap(({ message, cause }) => [`ERROR: ${message}`, ...cause.map((each) => `  ${each}`)]),
      );
      showErrors(errors.filter((error) => !isInvalid(error)));
      const paths = files.map(({ path }) => `${path}\n`).join("");
      process.stdout.write(paths, () => process.exit(wrong.length > 0 ? invalid : 0));
    },
  );
}

/** Adds `--validate` to the plugin's configuration. */
function hostConfiguration({ hostConfig, validate, ...options }: ExportOptions): Configuration {
  const configuration = configurationOf({ ...options, config: hostConfig }, "error");
  if (validate === undefined) return configuration;
  const { plugins } = configuration;
  const oex = { ...plugins.config["oex"], validate };
  return { ...configuration, plugins: { ...plugins, config: { ...plugins.config, oex } } };
}

async function exportConfiguration({
  config,
  type,
  oexVersion,
  embed,
}: ExportOptions): Promise<Record<string, unknown>> {
  return {
    ...(config === undefined ? {} : await readExportConfiguration(config)),
    ...(type === undefined ? {} : { documentType: type }),
    ...(oexVersion === undefined ? {} : { oexVersion }),
    ...(embed === undefined
      ? {}
      : { attachPDF: true, embedInPDF: embed.split(",").map((file) => file.trim()) }),
  };
}

function isInvalid({ id }: { id: string }): boolean {
  return id === "oex-document-invalid";
}

/** Reads export configuration from a JSON file; the plugin validates its members. */
async function readExportConfiguration(file: string): Promise<Record<string, unknown>> {
  const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  const expected = `--config ${file} must be a JSON object with members of the export configuration`;
  const value = parsed(text, (reason) => `${expected}: ${reason}`);
  if (isJsonObject(value)) return value;
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  throw new Error(`${expected}, but is ${found}.`);
}

function parsed(text: string, message: (reason: string) => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(message(errorMessage(error)));
  }
}

/** Downloads the files of an export into a folder. Overwrites existing files only in an explicit one (`out`). */
export async function writeExport(
  client: HostClient,
  { files }: OrderExport,
  out: string | undefined,
): Promise<WrittenFile[]> {
  const folder = resolve(out ?? ".");
  const targets = files.map(({ name, url }) => ({ path: join(folder, basename(name)), url }));
  await download(client, targets, out !== undefined);
  return targets;
}
