/**
 * The first-party plugins in hosts in memory, with the options of shipped templates and no browser. Uses the part itself: a
 * test host takes a plugin as the object that its package exports.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { Type, Validator } from "@slipway/sdk";
import { createTestHost, type TestHost, type TestPrinter, type TestTemplate } from "@slipway/sdk/testing";
import oex from "../../plugins/oex/index.js";
import reporter from "../../plugins/reporter/index.js";
import spreadsheet from "../../plugins/spreadsheet/index.js";
import { repository } from "../start-host.js";

const plugins = {
  reporter: { plugin: reporter, name: "Reporter", aliases: ["reporter"] },
  oex: { plugin: oex, name: "oex" },
  excel: { plugin: spreadsheet, name: "excel" },
};

/** One of the plugins by itself, with a configuration of its own, at a time. */
export async function pluginInMemory(
  name: keyof typeof plugins,
  { config = {}, now }: { config?: unknown; now?: string } = {},
): Promise<TestHost> {
  const templates = [await shippedTemplate("quote")];
  return createTestHost({ ...plugins[name], config, templates, printer: namePrinter, ...(now && { now }) });
}

/** `config`: that of the plugin. */
export async function reporterInMemory(
  templates: TestTemplate[],
  config: Record<string, unknown> = {},
): Promise<TestHost> {
  return createTestHost({ ...plugins.reporter, config, templates, printer: namePrinter });
}

/** `config`: that of the plugin; `alone`: without a reporter; `templates`: instead of the standard one. */
export async function oexInMemory(
  options: { config?: unknown; alone?: boolean; templates?: TestTemplate[] } = {},
): Promise<TestHost> {
  const { config = {}, alone = false, templates = [await shippedTemplate("order")] } = options;
  const others = alone ? [] : [plugins.reporter];
  return createTestHost({ ...plugins.oex, config, others, templates, printer: namePrinter });
}

/** Prints a page that says nothing, for tests that ask whether there is a PDF and what it is called. */
const namePrinter: TestPrinter = {
  async print() {
    const document = await PDFDocument.create();
    document.addPage([300, 300]);
    return { content: await document.save(), pages: 1, errors: [] };
  },
};

/** A text that `i18n` translates, or one by language. */
const English = Type.Union([Type.String(), Type.Object({ en: Type.String() })]);
const Definition = Type.Object({
  key: Type.String(),
  aliases: Type.Optional(Type.Array(Type.String())),
  calculationLines: Type.Optional(Type.Boolean()),
  options: Type.Object({
    categories: Type.Array(
      Type.Object({
        key: Type.String(),
        label: English,
        fields: Type.Array(
          Type.Object({
            key: Type.String(),
            label: English,
            type: Type.Enum(["string", "boolean", "int", "image"]),
            default: Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()])),
            options: Type.Optional(Type.Array(Type.Object({ key: Type.String(), label: English }))),
          }),
        ),
      }),
    ),
  }),
});
const checkDefinition = new Validator().compile(Definition, "template");

function english(label: string | { en: string }): string {
  return typeof label === "string" ? label : label.en;
}

/** Key, aliases and options of a template that comes with the host; it prints nothing but its key. */
export async function shippedTemplate(folder: string): Promise<TestTemplate> {
  const file = join(repository, "templates", folder, "template.json");
  const checked = checkDefinition(JSON.parse(await readFile(file, "utf8")));
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  const { key, aliases = [], calculationLines = false, options } = checked.value;
  const categories = options.categories.map((category) => ({
    ...{ key: category.key, label: english(category.label) },
    fields: category.fields.map(({ label, type, options: choices, ...field }) => ({
      ...{ ...field, label: english(label) },
      // As plugins get it: the address of a picture is a text.
      ...(type === "image" ? { type: "string" as const, format: "image" as const } : { type }),
      ...(choices && {
        options: choices.map((choice) => ({ key: choice.key, label: english(choice.label) })),
      }),
    })),
  }));
  return {
    key,
    aliases,
    calculationLines,
    options: { attachments: {}, categories },
    html: () => `<p>${key}</p>`,
  };
}
