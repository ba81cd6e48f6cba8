/** Routes: what a plugin answers, described well enough to validate it. */

import type { Static, TSchema } from "../schema.js";
import type { HandlerContext } from "./handler-context.js";
import type { Session } from "./session.js";

/** The methods that a route can answer. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** "required": without an active session the request ends before the handler. "optional": one is used when named. */
export type SessionUse = "required" | "optional" | "none";

/** A period: milliseconds, or a text such as "500ms", "10s", "2m". */
export type Duration = number | `${number}${"ms" | "s" | "m"}`;

/** The values of a schema, where there is one. */
export type SchemaValue<S> = S extends TSchema ? Static<S> : undefined;
/** What a handler gets as its session. */
export type SessionOf<U> = U extends "required"
  ? Session
  : U extends "optional"
    ? Session | undefined
    : undefined;

/** What a handler gets. Everything in it passed its schema; nothing else of the request reaches a plugin. */
export interface RouteContext<B, Q, P, S> extends HandlerContext<S> {
  /** The checked body, filled with the defaults of its schema; undefined for a route without one. */
  body: B;
  /** The checked query, its texts made numbers and booleans where the schema wants them; undefined for a route without one. */
  query: Q;
  /** The parameters of the path by their names; texts where the route has no schema for them. */
  params: P;
  /** Sets a header of the answer: one whose name begins with "Slipway-" and is not of the host, a text of visible ASCII and blanks. */
  header(name: string, value: string): void;
}

/** A response that is not JSON. */
export interface TextResponse {
  /** The body, sent as UTF-8. */
  readonly text: string;
}

/** Answers with `text/plain` instead of JSON. */
export function text(value: string): TextResponse {
  return new PlainText(value);
}

/** What `text` gives. */
export class PlainText implements TextResponse {
  /** The body, sent as UTF-8. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * What `route.get`, `route.post`, `route.put` and `route.delete` take. Types of the handler's context follow from the
 * schemas.
 */
export interface RouteOptions<
  B extends TSchema | undefined,
  Q extends TSchema | undefined,
  P extends TSchema | undefined,
  R extends TSchema | undefined,
  U extends SessionUse,
> {
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the JSON body. All that does not fit is one 400 that names each field; the handler then does not run. */
  body?: B;
  /** Schema of the query; texts become numbers and booleans where it wants them. */
  query?: Q;
  /** Schema of the path's parameters; without it each is a text. */
  params?: P;
  /** Schema of the JSON answer, without `errors`, which the host adds. */
  response?: R;
  /** Whether the request has to name a session, as `sessionId` of its body or query; `"none"` unless it says otherwise. */
  session?: U;
  /** Deadline of one request; without it, that of the host's configuration. */
  timeout?: Duration;
  /**
   * Answers one request: gives what JSON can hold, or `text(...)`, or a promise of either. A `RequestError` that it
   * throws is the answer; anything else is 500 `plugin-error`. Stop working when `signal` aborts.
   */
  handler(
    context: RouteContext<
      SchemaValue<B>,
      SchemaValue<Q>,
      P extends TSchema ? Static<P> : Record<string, string>,
      SessionOf<U>
    >,
  ): unknown;
}

/** A route as the host sees it; the types of its schemas are gone, the schemas are not. */
export interface Route {
  /** Of HTTP. */
  method: Method;
  /** Below the plugin's base, with parameters as `:name`, such as "template/:templateKey/v1/generate". */
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the JSON body, if it takes one. */
  body: TSchema | undefined;
  /** Schema of the query, if it takes one. */
  query: TSchema | undefined;
  /** Schema of the parameters of the path; without one they are texts. */
  params: TSchema | undefined;
  /** Schema of the answer, without the `errors` that the host adds. */
  response: TSchema | undefined;
  /** Whether a request has to name a session. */
  session: SessionUse;
  /** Deadline of one request; undefined means the server's. */
  timeout: Duration | undefined;
  /** Answers one request; the host gives it what the schemas allow. */
  handler(context: RouteContext<never, never, never, never>): unknown;
}

function define(method: Method) {
  return <
    B extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    P extends TSchema | undefined = undefined,
    R extends TSchema | undefined = undefined,
    U extends SessionUse = "none",
  >(
    path: string,
    options: RouteOptions<B, Q, P, R, U>,
  ): Route => ({
    method,
    path,
    summary: options.summary,
    body: options.body,
    query: options.query,
    params: options.params,
    response: options.response,
    session: options.session ?? "none",
    timeout: options.timeout,
    handler: options.handler,
  });
}

/**
 * Defines routes: `route.get`, `post`, `put`, `delete`. The path is below the plugin's base and may have parameters, as
 * in `items/:number`. The types of the handler's context follow from the schemas.
 */
export const route = {
  /** Defines a route for GET: for what changes nothing. It takes no body. */
  get: define("GET"),
  /**
   * Defines a route for POST: for what makes something, or takes more than a query can hold.
   *
   * @example
   * ```ts
   * route.post("hello.json", {
   *   summary: "Greets the project of a session.",
   *   body: Type.Object({ sessionId: SessionId, times: Type.Integer({ minimum: 1, maximum: 3, default: 1 }) }),
   *   response: Type.Object({ text: Type.String() }),
   *   session: "required",
   *   timeout: "10s",
   *   async handler({ body, session, suppress }) {
   *     const { header } = await session.project();
   *     if (header.name === undefined) {
   *       suppress({ id: "project-name-missing", scope: "WARN", message: "The project has no name." });
   *     }
   *     return { text: Array(body.times).fill(`Hello, ${header.name ?? "project"}!`).join(" ") };
   *   },
   * });
   * ```
   */
  post: define("POST"),
  /** Defines a route for PUT: for what sets something to what the request says, however often it is sent. */
  put: define("PUT"),
  /** Defines a route for DELETE: for what removes something. */
  delete: define("DELETE"),
};
