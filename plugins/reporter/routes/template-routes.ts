/** Lists templates (interface document, section 4.1). */
import {
  type Host,
  type MetricHistogram,
  RequestError,
  type Route,
  route,
  SessionId,
  type Static,
  type StoreTemplates,
  TemplateOptions,
  TemplateRecord,
  Type,
} from "@slipway/sdk";
import type { PluginSettings } from "../plugin-settings.js";
import {
  GenerateRequest,
  GenerateRequestOfTemplate,
  TemplateKeyParameter,
} from "../request/generate-request.js";
import { findTemplate, prepareReport } from "./report-request.js";

const longestReason = 300;

const defaultCategory = "default";
const everyCategory = "*";

/** A confidential parameter. Repetition is allowed by the schema, because validation errors would reveal the values. */
const Secret = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String())], { description });

const Query = Type.Object({
  sessionId: Type.Optional(SessionId),
  authToken: Type.Optional(Secret("For whom the template store is asked.")),
  owdsURL: Type.Optional(Secret("Base address of a template store other than the host's own.")),
  update: Type.Optional(
    Type.Unknown({ description: "Its presence reloads all templates; any value will do." }),
  ),
  category: Type.Optional(Type.String({ maxLength: 4000, description: 'Keys with commas between, or "*".' })),
});

/** Lists templates by category; the default category is "default". */
export function listTemplates(host: Host, { listAliases }: PluginSettings): Route {
  return route.get("templates.json", {
    summary:
      "Lists the report templates of this server, and those of a template store when the request asks for them.",
    query: Query,
    session: "optional",
    response: Type.Array(TemplateRecord),
    async handler({ query, locale, header }) {
      const reload = query.update !== undefined;
      const [own, store] = await Promise.all([
        host.templates
          .list({ locale, reload })
          .then((records) => (listAliases ? withAliases(host, records, locale) : records)),
        listStore(host, query, { locale, reload }),
      ]);
      if (store !== undefined) header("Slipway-Template-Store", storeHeader(store));
      const isWanted = categoryFilter(query.category);
      return [...own, ...(store?.templates ?? [])]
        .sort((one, other) => one.sortWeight - other.sortWeight)
        .filter((template) => isWanted(template.category.key));
    },
  });
}

/** Inserts a copy of each template for each of its aliases. */
async function withAliases(
  host: Host,
  records: readonly TemplateRecord[],
  locale: string,
): Promise<TemplateRecord[]> {
  const listed = records.map(async (record) => {
    const template = await host.templates.find({ key: record.templateKey, locale });
    const aliases = template?.aliases ?? [];
    return [record, ...aliases.map((alias) => ({ ...record, key: alias, templateKey: alias }))];
  });
  return (await Promise.all(listed)).flat();
}

/** Queries the template store if the request has one of the two parameters. */
async function listStore(
  host: Host,
  query: { authToken?: string | string[]; owdsURL?: string | string[] },
  how: { locale: string; reload: boolean },
): Promise<StoreTemplates | undefined> {
  const token = single("authToken", query.authToken);
  const url = single("owdsURL", query.owdsURL);
  if (token === undefined && url === undefined) return undefined;
  return await host.templates.listStore({ ...how, token, url });
}

/** An empty parameter counts as absent. */
function single(parameter: string, value: string | string[] | undefined): string | undefined {
  if (!Array.isArray(value)) return value || undefined;
  throw new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `The query has the parameter \`${parameter}\` ${value.length} times; send it once.`,
    additionalInformation: { parameter },
  });
}

/** An empty parameter counts as absent. */
function categoryFilter(category: string | undefined): (key: string) => boolean {
  const keys = (category ?? "").split(",").map((key) => key.trim());
  const wanted = new Set(keys.filter((key) => key !== ""));
  if (wanted.size === 0) wanted.add(defaultCategory);
  return (key) => wanted.has(everyCategory) || wanted.has(key);
}

/** Result of the store query: `ok`, `ok; omitted=2`, or `failed; reason="The store answered with status 500."`. */
function storeHeader({ failure, omitted }: StoreTemplates): string {
  if (failure !== undefined) return `failed; reason="${quotable(failure)}"`;
  return omitted === 0 ? "ok" : `ok; omitted=${omitted}`;
}

/** Converts a text to the content of a quoted header string. */
function quotable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/[^\x20-\x7e]/gu, "?")
    .slice(0, longestReason);
}

// Template data, for template authors.

/** Both paths of `data.json`; same requests and errors as `generate`. */
export function templateDataRoutes(host: Host): Route[] {
  return [
    route.post("data.json", {
      summary: "The data of a report with the template that the body names.",
      body: GenerateRequest,
      session: "required",
      async handler(context) {
        return (await prepareReport(host, { ...context, pathKey: undefined })).data;
      },
    }),
    route.post("template/:templateKey/data.json", {
      summary: "The data of a report with the template in the path.",
      body: GenerateRequestOfTemplate,
      params: TemplateKeyParameter,
      session: "required",
      async handler({ params, ...context }) {
        return (await prepareReport(host, { ...context, pathKey: params.templateKey })).data;
      },
    }),
  ];
}

// The options of a template (interface document, section 2.2).

const OptionsResponse = Type.Object({ options: TemplateOptions });

/** Both paths of the options operation. */
export function templateOptionsRoutes(host: Host): Route[] {
  const options = async (key: string, locale: string): Promise<Static<typeof OptionsResponse>> => ({
    options: (await findTemplate(host, { path: key }, locale)).options,
  });
  return [
    route.get("template/:templateKey/options.json", {
      summary: "The options of a template, labels in the language of the session or in English.",
      query: Type.Object({ sessionId: Type.Optional(SessionId) }),
      params: TemplateKeyParameter,
      session: "optional",
      response: OptionsResponse,
      handler: ({ params, locale }) => options(params.templateKey, locale),
    }),
    route.get("options.json", {
      summary: "The options of the template that the query names.",
      query: Type.Object({
        templateKey: Type.String({ minLength: 1, maxLength: 200 }),
        sessionId: Type.Optional(SessionId),
      }),
      session: "optional",
      response: OptionsResponse,
      handler: ({ query, locale }) => options(query.templateKey, locale),
    }),
  ];
}

/** Histogram of report sizes in pages. */
export function reportPages(host: Host): MetricHistogram {
  const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  return host.metrics.histogram("report_pages", "Pages of reports, with their attachments.", [], bounds);
}
