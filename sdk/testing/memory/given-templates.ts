import type { TemplateDefinition, TemplateRecord } from "../../plugin/template.js";
import type { TemplateSource } from "../../runtime/host.js";
import { errorMessage, RequestError } from "../../schema/errors.js";
import type { TestTemplate, TestTemplates } from "../test-host.js";

/** Serves the templates of a test like those in a server's folders. There is no template store. */
export function givenTemplates(given: TestTemplates): TemplateSource {
  const named = (key: string): TestTemplate | undefined =>
    given.find((each) => each.key === key) ?? given.find((each) => each.aliases?.includes(key));
  return {
    list: async () => given.map(recordOf).sort((one, other) => (one.key < other.key ? -1 : 1)),
    listStore: async ({ url }) => ({
      templates: [],
      omitted: 0,
      failure:
        url === undefined
          ? "No template store is configured, and the request names none."
          : "The template store cannot be reached.",
    }),
    find: async (key) => {
      const template = named(key);
      return template && definitionOf(template);
    },
    render: async ({ key, data, locale, formatLocale }) => {
      const template = named(key);
      if (template === undefined) throw templateError(key, "it is not there", undefined);
      try {
        return { html: await template.html(JSON.parse(data), { locale, formatLocale }), errors: [] };
      } catch (error) {
        throw templateError(key, errorMessage(error), error);
      }
    },
    asset: async () => undefined,
    attachment: async () => undefined,
  };
}

function definitionOf(template: TestTemplate): TemplateDefinition {
  const { aliases = [], options = { attachments: {}, categories: [] } } = template;
  const { accessibility = false, archivable = false, scripts = false, calculationLines = false } = template;
  const record = recordOf(template);
  const flags = { accessibility, archivable, scripts, calculationLines };
  return { record, aliases, options, ...flags, version: template.key };
}

function recordOf({ key, name = key }: TestTemplate): TemplateRecord {
  return {
    category: { key: "test", name: "Test" },
    description: "",
    key,
    name,
    pageBreaksDisabled: false,
    properties: [],
    sortWeight: 0,
    source: "server",
    templateKey: key,
    version: "1.0.0",
    views: [],
  };
}

function templateError(key: string, what: string, reason: unknown): RequestError {
  return new RequestError({
    id: "template-error",
    code: 500,
    message: `The template ${key} failed: ${what.replace(/\.$/, "")}.`,
    reason,
  });
}
