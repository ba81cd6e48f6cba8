/** Routes of a plugin, with schemas for validation and documentation. */

import type { Static, TSchema } from "../schema/schema.js";
import type { HandlerContext, Session } from "./handler-context.js";
import type { NoSchema, PathParameters, ResultOf, WithoutSurplus } from "./handler-result.js";
import type { Reply } from "./reply.js";

/** The HTTP methods of routes. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * "required": without an active session the request fails before the handler. "optional": a session is used if the
 * request names one.
 */
export type SessionUse = "required" | "optional" | "none";

/** A duration: milliseconds, or a text such as "500ms", "10s", "2m". */
export type Duration = number | `${number}${"ms" | "s" | "m"}`;

/** The value type of a schema; undefined without a schema. */
export type SchemaValue<S> = S extends TSchema ? Static<S> : undefined;
/** The session type of a handler. */
export type SessionOf<U> = U extends "required"
  ? Session
  : U extends "optional"
    ? Session | undefined
    : undefined;

/**
 * The context of a route's handler. All input is validated by its schema; no other part of the request reaches a
 * plugin.
 */
export interface RouteContext<B, Q, P, S> extends HandlerContext<S> {
  /** The validated body with the defaults of its schema; undefined for a route without one. */
  body: B;
  /**
   * The validated query, with texts converted to numbers and booleans where the schema requires them; undefined for a
   * route without one.
   */
  query: Q;
  /** Path parameters by name; texts if the route has no schema for them. */
  params: P;
  /**
   * Sets a response header. The name must begin with "Slipway-" and not be one of the host's; the value is visible
   * ASCII text and blanks.
   */
  header(name: string, value: string): void;
  /**
   * Reports the progress of the request: `part` from 0 to 1, and a short text such as "page 40 of 100". Visible to clients
   * that sent `Prefer: respond-async`; otherwise it has no effect. May be called often.
   */
  progress(part: number, text?: string): void;
}

/**
 * Options of `route.get`, `route.post`, `route.put` and `route.delete`. Types of the handler's context are derived from
 * the schemas.
 */
export interface RouteOptions<
  B extends TSchema | undefined,
  Q extends TSchema | undefined,
  P extends TSchema | undefined,
  R extends TSchema | undefined,
  U extends SessionUse,
  Path extends string = string,
  T = unknown,
> {
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the JSON body. An invalid body is one 400 that names each field; the handler then does not run. */
  body?: B;
  /** Schema of the query; texts are converted to numbers and booleans where it requires them. */
  query?: Q;
  /** Schema of the path parameters; without it each is a text. */
  params?: P;
  /** Schema of the JSON response, without `errors`, which the host adds. */
  response?: R;
  /**
   * Media types of responses that are not JSON, such as `["application/pdf"]`, for the documentation of the route; default:
   * `["text/plain"]` for a route without `response`.
   */
  produces?: readonly string[];
  /** Whether the documentation names 303, for a route that answers `reply.redirect(...)`. Default: false. */
  redirects?: boolean;
  /** Whether the request must have a session, as `sessionId` in its body or query; default: `"none"`. */
  session?: U;
  /** Deadline of one request; default: that of the host's configuration. */
  timeout?: Duration;
  /**
   * Handles one request: returns JSON data that matches `response`, or a `reply`, or a promise of either. A thrown
   * `RequestError` is the response; any other error is 500 `plugin-error`. Stop working when `signal` aborts.
   */
  handler(
    context: RouteContext<
      B extends TSchema ? Static<B> : NoSchema<"body">,
      Q extends TSchema ? Static<Q> : NoSchema<"query">,
      P extends TSchema ? Static<P> : PathParameters<Path>,
      SessionOf<U>
    >,
  ): T;
}

/** A route for the host; it keeps the schemas but not their types. */
export interface Route {
  /** HTTP method. */
  method: Method;
  /** Path below the plugin's base, with parameters as `:name`, such as "template/:templateKey/v1/generate". */
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the JSON body, if any. */
  body: TSchema | undefined;
  /** Schema of the query, if any. */
  query: TSchema | undefined;
  /** Schema of the path parameters; without it they are texts. */
  params: TSchema | undefined;
  /** Schema of the response, without the `errors` that the host adds. */
  response: TSchema | undefined;
  /** Media types of responses that are not JSON. */
  produces: readonly string[] | undefined;
  /** Whether the route may answer 303. */
  redirects: boolean | undefined;
  /** Whether a request must have a session. */
  session: SessionUse;
  /** Deadline of one request; undefined: the server's. */
  timeout: Duration | undefined;
  /** Handles one request with validated input. */
  handler(context: RouteContext<never, never, never, never>): unknown;
}

/** What a handler may return for a response schema. */
export type RouteResult<R> = ResultOf<R> | (R extends TSchema ? Reply : unknown);

function define(method: Method) {
  return <
    B extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    P extends TSchema | undefined = undefined,
    R extends TSchema | undefined = undefined,
    U extends SessionUse = "none",
    const Path extends string = string,
    const T extends RouteResult<R> | Promise<RouteResult<R>> = RouteResult<R>,
  >(
    path: Path,
    options: RouteOptions<B, Q, P, R, U, Path, T> & WithoutSurplus<R, NoInfer<T>, "response">,
  ): Route => ({
    method,
    path,
    summary: options.summary,
    body: options.body,
    query: options.query,
    params: options.params,
    response: options.response,
    produces: options.produces,
    redirects: options.redirects,
    session: options.session ?? "none",
    timeout: options.timeout,
    handler: options.handler,
  });
}

/**
 * Defines routes: `route.get`, `post`, `put`, `delete`. The path is below the plugin's base and may have parameters, as
 * in `items/:number`. Types of the handler's context are derived from the schemas.
 */
export const route = {
  /** Defines a GET route, for requests without side effects. It has no body. */
  get: define("GET"),
  /**
   * Defines a POST route, for requests that create something or need more input than a query can hold.
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
  /** Defines a PUT route, for idempotent changes. */
  put: define("PUT"),
  /** Defines a DELETE route, for removals. */
  delete: define("DELETE"),
};
