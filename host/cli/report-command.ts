import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { OptionField, TemplateOptions } from "@slipway/sdk";
import { Command } from "commander";
import { errorCode } from "../system/errors.js";
import { WrongUse } from "./command-group.js";
import { collect, configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { didYouMean } from "./did-you-mean.js";
import { type HostClient, HostRefusal, type Report } from "./host-client.js";
import { withOpenProject } from "./session-client.js";
import { showErrors } from "./shown-results.js";
import { tellProgress } from "./standard-output.js";

interface ReportOptions extends Record<string, unknown> {
  template: string;
  out?: string;
  locale?: string;
  dateTimeLocale?: string;
  scheme?: string;
  option?: string[];
}

/** `slipway report`: one report from a project file, by a temporary host. */
export function reportCommand(): Command {
  const command = new Command("report")
    .argument("<file>", "the project")
    .requiredOption("--template <key>", "template to use, by key or alias")
    .option("--out <file>", "where to write the PDF; default: its own name in the working folder")
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"')
    .option("--date-time-locale <locale>", "locale of numbers and dates, where it differs")
    .option("--scheme <name>", "price calculation scheme; default: STDB2B_WBK")
    .option("--option <key=value>", "an option of the template; may be repeated", collect)
    .addHelpText(
      "after",
      `
A host is started for it and ends with it, on a port of its own, with files in a temporary folder. The path of the PDF goes to
standard output, and nothing else; what the report lacks goes to standard error. A file that is there is replaced only when
--out names it.

Examples:
  $ slipway report project.obk --template quote
  $ slipway report project.obx --template list --locale de_DE --option prices=false --out list.pdf`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (file: string, options: ReportOptions) => {
      const configuration = configurationOf(options, "error");
      const report = await withOpenProject(configuration, file, options.locale, (client, sessionId) =>
        makeReport(client, sessionId, options),
      );
      showErrors(report.errors);
      const path = await write(report, options.out);
      process.stdout.write(`${path}\n`, () => process.exit(0));
    },
  );
}

async function makeReport(client: HostClient, sessionId: string, options: ReportOptions): Promise<Report> {
  const texts = options.option ?? [];
  const { template: templateKey, scheme, dateTimeLocale } = options;
  tellProgress(`Making the report ${templateKey}…`);
  try {
    return await client.report({
      sessionId,
      templateKey,
      ...(scheme === undefined ? {} : { calculationScheme: scheme }),
      ...(dateTimeLocale === undefined ? {} : { dateTimeLocale }),
      ...(texts.length === 0
        ? {}
        : { templateOptions: templateOptionValues(texts, await client.templateOptions(templateKey)) }),
    });
  } catch (error) {
    if (!(error instanceof HostRefusal) || error.error.id !== "request-template-not-found") throw error;
    const { unknownTemplate } = await import("./template-client.js");
    throw await unknownTemplate(client, templateKey);
  }
}

/** Overwrites only an explicitly named file. */
async function write(report: Report, out: string | undefined): Promise<string> {
  const path = resolve(out ?? report.name);
  try {
    await writeFile(path, report.content, { flag: out === undefined ? "wx" : "w" });
  } catch (error) {
    const exists = errorCode(error) === "EEXIST";
    throw exists ? new Error(`${path} exists; name another file, or this one, with --out.`) : error;
  }
  return path;
}

/** Converts `key=value` texts to the types of the template options. Throws `WrongUse` for an invalid one. */
function templateOptionValues(texts: readonly string[], options: TemplateOptions): Record<string, unknown> {
  const fields = new Map(
    options.categories.flatMap((category) => category.fields).map((field) => [field.key, field]),
  );
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = "", value = ""] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (key === "") throw new WrongUse(`--option ${text} must have the form KEY=VALUE.`);
      const field = fields.get(key);
      if (field === undefined) {
        throw new WrongUse(
          `--option ${text}: the template has no option ${key}.${didYouMean(key, [...fields.keys()])}`,
        );
      }
      return [key, typed(text, value, field)];
    }),
  );
}

function typed(text: string, value: string, field: OptionField): unknown {
  switch (field.type) {
    case "boolean":
      if (value !== "true" && value !== "false")
        throw new WrongUse(`--option ${text} must be true or false.`);
      return value === "true";
    case "int":
      if (!/^-?\d{1,9}$/.test(value)) throw new WrongUse(`--option ${text} must be a whole number.`);
      return Number(value);
    default:
      return value;
  }
}
