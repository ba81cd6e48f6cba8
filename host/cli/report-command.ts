import { access, constants, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { collect, configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { HostClient, type Report } from "./host-client.js";
import { templateOptionValues } from "./template-option-values.js";

interface ReportOptions extends Record<string, unknown> {
  template: string;
  out?: string;
  locale?: string;
  dateTimeLocale?: string;
  scheme?: string;
  option?: string[];
}

/** `slipway report`: one report from a project file; a host runs only as long as that takes. */
export function reportCommand(): Command {
  const command = new Command("report")
    .description("make one report from a project file (OBK, OBX or JSON); no running host is needed")
    .argument("<file>", "the project")
    .requiredOption("--template <key>", "template to use, by key or alias")
    .option("--out <file>", "where to write the PDF; default: its own name in the working folder")
    .option("--locale <locale>", 'locale of texts and formats, such as "de_DE"')
    .option("--date-time-locale <locale>", "locale of numbers and dates, where it differs")
    .option("--scheme <name>", "price calculation scheme; default: STDB2B_WBK")
    .option("--option <key=value>", "an option of the template; may be repeated", collect);
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var"]).action(
    async (file: string, options: ReportOptions) => {
      const configuration = configurationOf(options, "error");
      await access(file, constants.R_OK); // before a host is started for it
      const { withTemporaryHost } = await import("./temporary-host.js");
      const { requireReady } = await import("./running-host.js");
      const report = await withTemporaryHost(configuration, (host) => {
        requireReady(host);
        return makeReport(new HostClient(host.url), file, options);
      });
      warn(report.errors.map((error) => `${error.scopes.join()}: ${error.message}`));
      const path = await write(report, options.out);
      process.stdout.write(`${path}\n`, () => process.exit(0));
    },
  );
}

async function makeReport(client: HostClient, file: string, options: ReportOptions): Promise<Report> {
  const session = await client.openSession(file, options.locale);
  warn(session.warnings.map(({ path, message }) => `WARN: ${path}: ${message}`));
  const texts = options.option ?? [];
  const { template: templateKey, scheme, dateTimeLocale } = options;
  return client.report({
    sessionId: session.sessionId,
    templateKey,
    ...(scheme === undefined ? {} : { calculationScheme: scheme }),
    ...(dateTimeLocale === undefined ? {} : { dateTimeLocale }),
    ...(texts.length === 0
      ? {}
      : { templateOptions: templateOptionValues(texts, await client.templateOptions(templateKey)) }),
  });
}

const shownWarnings = 20;

/** On standard error: standard output belongs to the path of the report. */
function warn(lines: string[]): void {
  const more = lines.length - shownWarnings;
  const shown = more > 0 ? [...lines.slice(0, shownWarnings), `… and ${more} more`] : lines;
  for (const line of shown) process.stderr.write(`${line}\n`);
}

/** Overwrites only what was named. */
async function write(report: Report, out: string | undefined): Promise<string> {
  const path = resolve(out ?? report.name);
  try {
    await writeFile(path, report.content, { flag: out === undefined ? "wx" : "w" });
  } catch (error) {
    const exists = error instanceof Error && Reflect.get(error, "code") === "EEXIST";
    throw exists ? new Error(`${path} exists; name another file, or this one, with --out.`) : error;
  }
  return path;
}
