import { parsedJson } from "../../system/json.js";
import type { Route } from "../parts/routes.js";
import { type Field, kindOf } from "../parts/schema.js";

/** What somebody has typed into the form of a route. */
export interface Inputs {
  /** Texts by the place and name of their fields; what is empty is not sent. */
  texts: Readonly<Record<string, string>>;
  /** The whole body, where somebody wants to write it as JSON. */
  json?: string;
}

/** A request that a route is asked by. */
export interface PreparedRequest {
  method: string;
  /** Relative to the host, with its query. */
  path: string;
  /** JSON; undefined where there is no body. */
  body: string | undefined;
}

/** Where a request carries the value of a field. */
export type FieldPlace = "path" | "query" | "body";

/** Of `Inputs.texts`. */
export function keyOf(place: FieldPlace, name: string): string {
  return `${place} ${name}`;
}

/** The request that the inputs make; fields for the session that are empty get the chosen one. */
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

/** The body of the form, as somebody reads and edits it. */
function bodyText(fields: readonly Field[], textOf: (place: FieldPlace, field: Field) => string): string {
  const members = fields.flatMap((field) => {
    const text = textOf("body", field);
    return text === "" ? [] : [[field.name, typedValue(field, text)] as const];
  });
  return JSON.stringify(Object.fromEntries(members), undefined, 2);
}

/** What is no value of its field is sent as the text that it is: the host says what is wrong with it. */
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

/** The same request for a terminal. */
export function curlCommand({ method, path, body }: PreparedRequest, root: URL): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ["curl -s"];
  if (method !== (body === undefined ? "GET" : "POST")) parts.push(`-X ${method}`);
  parts.push(quoted(new URL(path, root).href));
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  return parts.join(" ");
}
