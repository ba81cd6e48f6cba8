/**
 * Template folders and services for the tests of templates. Uses the part itself: tests see the HTML and the errors of
 * templates without printing anything.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checked, type Log, type RequestError, Validator } from "@slipway/sdk";
import { untraced } from "@slipway/sdk/runtime/host";
import type { Test } from "tap";
import { TemplatesConfiguration } from "../../host/configuration/templates-configuration.js";
import { createTemplateService } from "../../host/templates/create-template-service.js";
import type { TemplateService } from "../../host/templates/template-service.js";

/** A complete definition that a test changes where it matters. */
export function definition(key: string, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    key,
    name: { en: `Template ${key}` },
    category: { key: "test", name: { en: "Tests" } },
    version: "1.0.0",
    ...changes,
  });
}

/** Files of a template with only this report. */
export function reportOnly(key: string, report: string, changes: Record<string, unknown> = {}) {
  return { "template.json": definition(key, changes), "report.ejs": report };
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const location = join(folder, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  }
}

export interface LoggedLine {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

export function collectingLog(lines: LoggedLine[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

const checkConfiguration = new Validator().compile(TemplatesConfiguration, "templates");

/** A started service over one folder, which ends with the test. */
export async function startTemplates(
  t: Test,
  folder: string,
  settings: Partial<TemplatesConfiguration> = {},
  lines: LoggedLine[] = [],
): Promise<TemplateService> {
  const service = createTemplateService({
    configuration: checked(checkConfiguration({ processes: 1, watch: false, ...settings }), "templates"),
    folders: [folder],
    log: collectingLog(lines),
  });
  t.teardown(() => service.stop());
  await service.start();
  return service;
}

export interface RenderOptions {
  data?: unknown;
  locale?: string;
  formatLocale?: string;
  version?: string;
  signal?: AbortSignal;
  /** Milliseconds from now. */
  within?: number;
  /** Gets what the rendering says in the log. */
  lines?: LoggedLine[];
}

/** The document of a template in its serving version. */
export async function render(
  service: TemplateService,
  key: string,
  options: RenderOptions = {},
): Promise<string> {
  const { data = {}, locale = "en_GB", formatLocale = locale, within = 60_000 } = options;
  const version = options.version ?? (await service.find(key, locale))?.version;
  if (version === undefined) throw new Error(`There is no template ${key}: ${problems(service)}`);
  const { html } = await service.render(
    { key, version, data: typeof data === "string" ? data : JSON.stringify(data), locale, formatLocale },
    {
      signal: options.signal ?? new AbortController().signal,
      deadline: Date.now() + within,
      work: untraced(collectingLog(options.lines ?? [])),
    },
  );
  return html;
}

/** What is between the tags of the body, without blanks at its ends. */
export async function renderBody(
  service: TemplateService,
  key: string,
  options: RenderOptions = {},
): Promise<string> {
  const html = await render(service, key, options);
  return html.slice(html.indexOf("<body>") + "<body>".length, html.lastIndexOf("</body>")).trim();
}

/** The error object of a rendering that must fail. */
export async function failure(service: TemplateService, key: string, options: RenderOptions = {}) {
  const html = await render(service, key, options).catch((error: RequestError) => error);
  if (typeof html === "string") throw new Error(`${key} did not fail: ${html.slice(0, 500)}`);
  return html.toObject();
}

/** Errors of all folders. */
export function problems(service: TemplateService): string {
  return service
    .states()
    .flatMap(({ error }) => error ?? [])
    .join("\n");
}
