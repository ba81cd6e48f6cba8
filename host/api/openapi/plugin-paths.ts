import { SessionId, SuppressedError } from "@slipway/sdk";
import type { LivePlugin, LiveRoute } from "@slipway/sdk/runtime/host";
import { JobResource } from "../../jobs/jobs.js";
import { isJsonObject } from "../../system/json.js";
import { commonErrors, type DocumentParts, type ErrorIds } from "./document-parts.js";
import { pathParameters, pathShape, propertiesOf, queryParameters, templatedPath } from "./parameters.js";
import { asked, inCapitals, type Json, type SchemaUse } from "./schema-components.js";

/** A plugin under a path prefix. */
export interface PluginPlace {
  plugin: LivePlugin;
  /** Release in the path; undefined for paths without one. */
  release: string | undefined;
  /** Whether the release is deprecated. */
  isDeprecated: boolean;
}

const pluginErrors: ErrorIds = {
  404: ["request-not-found"],
  500: ["plugin-error"],
  503: ["plugin-unavailable", "request-overloaded", "engine-unavailable"],
  504: ["request-timeout"],
};
const sessionErrors: ErrorIds = { 422: ["request-session-not-found"], 502: ["session-server-error"] };

/** Adds the tags of plugins, with their versions and aliases. */
export function addPluginTags(parts: DocumentParts, places: readonly PluginPlace[]): void {
  for (const { plugin } of places) {
    const served = places.flatMap(({ plugin: { name, version }, release }) =>
      name === plugin.name && release !== undefined ? [`${version} under \`${release}\``] : [],
    );
    const aliases = plugin.aliases.map((alias) => `\`${alias}\``).join(", ");
    const also = aliases === "" ? "" : ` Answers also as ${aliases}.`;
    parts.tag(plugin.name, `A plugin: version ${served.join(", ")}.${also}`);
  }
}

/** Adds the operations of a plugin under one prefix. */
export function addPluginPaths(parts: DocumentParts, place: PluginPlace): void {
  const { plugin, release, isDeprecated } = place;
  const prefix = release === undefined ? "" : `/${encodeURIComponent(release)}`;
  const base = `${prefix}/EAIWS/plugins/${encodeURIComponent(plugin.name)}`;
  const shapes = new Map<string, string>();
  for (const route of plugin.routes) {
    const { method } = route;
    const shown = shapes.get(pathShape(route.path)) ?? route.path;
    shapes.set(pathShape(route.path), shown);
    const path = `${base}/${templatedPath(shown)}`;
    const suffix = release === undefined ? "" : `In_${release.replaceAll(/[^A-Za-z0-9]/g, "_")}`;
    const operation = pluginOperation(parts, plugin, { ...route, shown });
    parts.add(
      { path, method, id: `${idOf(plugin, route)}${suffix}` },
      { ...operation, ...(isDeprecated && { deprecated: true }) },
    );
  }
}

/** Such as "oexPostExport": independent of other routes. */
function idOf({ name }: LivePlugin, { method, path }: LiveRoute): string {
  const words = inCapitals(`${name} ${method.toLowerCase()} ${path}`);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function pluginOperation(
  parts: DocumentParts,
  plugin: LivePlugin,
  route: LiveRoute & { shown: string },
): Json {
  const { schemas, errors } = parts;
  const owner = inCapitals(plugin.name);
  const use = { direction: "request", owner, edition: plugin.version } as const;
  const name = inCapitals(`${route.method.toLowerCase()} ${route.path}`);
  const body = requestBody(parts, route, { ...use, name: `${name}Body` });
  const found = [commonErrors.always, commonErrors.keys, pluginErrors];
  if (body !== undefined) found.push(commonErrors.body);
  if (route.session !== "none") found.push(sessionErrors);
  return {
    tags: [plugin.name],
    summary: route.summary,
    parameters: [
      ...pathParameters(route, schemas, use),
      ...queryParameters(withSession(route), schemas, use),
      preferParameter,
      webhookParameter,
      ...(route.method === "POST" ? [keyParameter] : []),
    ],
    ...(body !== undefined && { requestBody: body }),
    responses: {
      200: answer(parts, route, { ...use, direction: "answer", name: `${name}Answer` }),
      202: accepted(parts),
      ...(route.redirects && { 303: redirect }),
      ...errors.of(found),
      default: errors.ofPlugin(),
    },
    security: [{}, { apiKey: ["sessions"] }],
  };
}

function takesBody({ method }: LiveRoute): boolean {
  return method === "POST" || method === "PUT";
}

function requestBody(parts: DocumentParts, route: LiveRoute, use: SchemaUse): Json | undefined {
  const { body } = route;
  if (!takesBody(route) || body === undefined) return undefined;
  const schema = parts.schemas.place(body, use);
  return { required: asked({ ...body }).length > 0, content: { "application/json": { schema } } };
}

/** The host also accepts a session in the query, even if the route does not declare it. */
function withSession({ session, method, body, query }: LiveRoute): unknown {
  const isDeclared = [body, query].some((schema) => propertiesOf(schema).has("sessionId"));
  if (session === "none" || isDeclared) return query;
  const own = {
    properties: { sessionId: SessionId },
    required: session === "required" && method === "GET" ? ["sessionId"] : [],
  };
  return { allOf: [own, ...(query === undefined ? [] : [query])] };
}

const headers = { "Slipway-Plugin": { description: "Name and version.", schema: { type: "string" } } };

/**
 * Adds the suppressed errors to an object schema; a route that declares neither a schema nor media types returns JSON or
 * text.
 */
function answer(parts: DocumentParts, { response, produces }: LiveRoute, use: SchemaUse): Json {
  const content: Json = {};
  if (response !== undefined)
    content["application/json"] = { schema: parts.schemas.place(withErrors(response), use) };
  else if (produces === undefined) content["application/json"] = { schema: {} };
  for (const mediaType of produces ?? (response === undefined ? ["text/plain"] : []))
    content[mediaType] = mediaType.startsWith("text/") ? { schema: { type: "string" } } : {};
  return { description: "What the plugin answers.", headers, content };
}

const preferParameter: Json = {
  name: "Prefer",
  in: "header",
  description:
    "With `respond-async`, a valid request becomes a job; with `respond-async, wait=5` unless it is done within so many seconds.",
  schema: { type: "string" },
};

const webhookParameter: Json = {
  name: "Slipway-Webhook",
  in: "header",
  description:
    "URL that is told of the end of the job, by POST of the job with a signature as Standard Webhooks describes it; with `respond-async` only.",
  schema: { type: "string", format: "uri" },
};

const keyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "A request that is sent again with the same key is done once, and its answer repeated.",
  schema: { type: "string" },
};

function accepted({ schemas }: DocumentParts): Json {
  return {
    description: "The request became a job, because it asked for that.",
    headers: { ...headers, Location: { description: "Path of the job.", schema: { type: "string" } } },
    content: { "application/json": { schema: schemas.place(JobResource, { direction: "answer" }) } },
  };
}

const redirect: Json = {
  description: "The answer is at another address.",
  headers: { ...headers, Location: { description: "Its address.", schema: { type: "string" } } },
};

function withErrors(response: unknown): unknown {
  if (!isJsonObject(response)) return response;
  const { type, properties } = response;
  if (type !== "object" || (isJsonObject(properties) && "errors" in properties)) return response;
  const errors = {
    type: "array",
    items: SuppressedError,
    description: "Parts of the project that were left out or repaired; absent if there are none.",
  };
  return { ...response, properties: { ...(isJsonObject(properties) ? properties : {}), errors } };
}
