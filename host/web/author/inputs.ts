import { parsedJson } from "../../system/json.js";
import type { Route } from "../parts/routes.js";
import { type Field, kindOf } from "../parts/schema.js";

/** The input in the form of a route. */
export interface Inputs {
  /** Texts by place and name of the field; empty ones are not sent. */
  texts: Readonly<Record<string, string>>;
  /** The whole body as JSON, if the author edits it that way. */
  json?: string;
}

/** A request to a route. */
export interface PreparedRequest {
  method: string;
  /** Relative to the host, with its query. */
  path: string;
  /** JSON; undefined if there is no body. */
  body: string | undefined;
}

/** Where a request carries the value of a field. */
export type FieldPlace = "path" | "query" | "body";

/** Key in `Inputs.texts`. */
export function keyOf(place: FieldPlace, name: string): string {
  return `${place} ${name}`;
}

/** Builds the request; empty fields for the session get the chosen session. */
export function preparedRequest(
  route: Route,
  { texts, json }: Inputs,
  sessionId: string | undefined,
): PreparedRequest {
  const textOf = (place: FieldPlace, { name }: Field): string =>
    texts[keyOf(place, name)] || (name === "sessionId" ? (sessionId ?? "") : "");
  const path = route.pathFields.reduce(
    (before, field) => before.replace(`{${field.name}}`, encodeURIComponent(textOf("path", field))),
    route.path,
  );
  const query = new URLSearchParams(
    route.queryFields.flatMap((field) => {
      const text = textOf("query", field);
      return text === "" ? [] : [[field.name, queryText(field, text)]];
    }),
  );
  const body = route.body === undefined ? undefined : (json ?? bodyText(route.body.fields ?? [], textOf));
  return { method: route.method, path: `${path.slice(1)}${query.size > 0 ? `?${query}` : ""}`, body };
}

/** The body of the form as indented JSON. */
function bodyText(fields: readonly Field[], textOf: (place: FieldPlace, field: Field) => string): string {
  const members = fields.flatMap((field) => {
    const text = textOf("body", field);
    return text === "" ? [] : [[field.name, typedValue(field, text)] as const];
  });
  return JSON.stringify(Object.fromEntries(members), undefined, 2);
}

/** Invalid values are sent as text: the host reports the mistake. */
function typedValue({ schema }: Field, text: string): unknown {
  switch (kindOf(schema).kind) {
    case "text":
      return text;
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    default:
      return parsedJson(text) ?? (text.trim() === "null" ? null : text);
  }
}

/** Choices are kept as JSON; queries have texts. */
function queryText(field: Field, text: string): string {
  const value = typedValue(field, text);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The request as a curl command. */
export function curlCommand({ method, path, body }: PreparedRequest, root: URL): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ["curl -s"];
  if (method !== (body === undefined ? "GET" : "POST")) parts.push(`-X ${method}`);
  parts.push(quoted(new URL(path, root).href));
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  return parts.join(" ");
}
