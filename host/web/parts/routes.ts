import { isJsonObject } from "../../system/json.js";
import type { PluginService } from "../client/operations.js";
import { type Field, membersOf, resolved, type Schema } from "./schema.js";

/** A route of a plugin, from the OpenAPI document, or a service method. */
export interface Route {
  /** Method and path below the plugin, such as "POST hello.json", or "CALL greeter.greet". */
  id: string;
  kind: "route" | "service";
  method: string;
  /** Path of the host, with parameters in braces. */
  path: string;
  /** Path below the plugin, or service and method. */
  shown: string;
  summary: string;
  pathFields: Field[];
  queryFields: Field[];
  /** Undefined if there is no body. */
  body: { schema: Schema; fields: Field[] | undefined } | undefined;
}

/** Paths without a release; those with one repeat them. */
const plain = /^\/EAIWS\/plugins\/[^/]+\/(.*)$/;

/** The routes of an OpenAPI document, in its order. */
export function routesOf(document: unknown): Route[] {
  const paths = isJsonObject(document) && isJsonObject(document["paths"]) ? document["paths"] : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    const shown = plain.exec(path)?.[1];
    if (shown === undefined || !isJsonObject(item)) return [];
    return Object.entries(item).flatMap(([method, operation]) =>
      isJsonObject(operation)
        ? [routeOf({ path, shown, method: method.toUpperCase() }, operation, document)]
        : [],
    );
  });
}

function routeOf(
  place: Pick<Route, "path" | "shown" | "method">,
  { summary, parameters, requestBody }: Record<string, unknown>,
  document: unknown,
): Route {
  const all = (Array.isArray(parameters) ? parameters : []).map((each) => resolved(each, document));
  return {
    ...place,
    kind: "route",
    id: `${place.method} ${place.shown}`,
    summary: String(summary ?? ""),
    pathFields: fieldsIn("path", all, document),
    queryFields: fieldsIn("query", all, document),
    body: bodyOf(requestBody, document),
  };
}

function fieldsIn(place: string, parameters: readonly Schema[], document: unknown): Field[] {
  return parameters
    .filter((each) => each["in"] === place)
    .map(({ name, required, schema, description }) => ({
      name: String(name),
      isRequired: required === true,
      schema: { ...(typeof description === "string" && { description }), ...resolved(schema, document) },
    }));
}

function bodyOf(requestBody: unknown, document: unknown): Route["body"] {
  const { content } = resolved(requestBody, document);
  const json = isJsonObject(content) ? content["application/json"] : undefined;
  if (!isJsonObject(json)) return undefined;
  const schema = resolved(json["schema"], document);
  return { schema, fields: membersOf(schema, document) };
}

/** A service method as a route of the host that calls it. */
export function serviceRoute({ service, method, summary, session, input }: PluginService): Route {
  const shown = `${service}.${method}`;
  return {
    id: `CALL ${shown}`,
    kind: "service",
    method: "POST",
    path: `/api/development/services/${encodeURIComponent(service)}/${encodeURIComponent(method)}`,
    shown,
    summary,
    pathFields: [],
    queryFields:
      session === "none"
        ? []
        : [{ name: "sessionId", isRequired: session === "required", schema: { type: "string" } }],
    // The host requires JSON even for a method without input.
    body:
      input === undefined ? { schema: {}, fields: [] } : { schema: input, fields: membersOf(input, input) },
  };
}
