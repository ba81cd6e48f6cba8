/** Routes: what a plugin answers, described well enough to validate it. */
import type { HandlerContext } from "./handler-context.js";
import type { Static, TSchema } from "./schema.js";
import type { Session } from "./session.js";

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
  body: B;
  query: Q;
  params: P;
  /** Sets a header of the answer: one whose name begins with "Slipway-" and is not of the host, a text of visible ASCII and blanks. */
  header(name: string, value: string): void;
}

/** A response that is not JSON. */
export interface TextResponse {
  readonly text: string;
}

/** Answers with `text/plain` instead of JSON. */
export function text(value: string): TextResponse {
  return new PlainText(value);
}

export class PlainText implements TextResponse {
  constructor(readonly text: string) {}
}

export interface RouteOptions<
  B extends TSchema | undefined,
  Q extends TSchema | undefined,
  P extends TSchema | undefined,
  R extends TSchema | undefined,
  U extends SessionUse,
> {
  /** One sentence for the documentation. */
  summary: string;
  body?: B;
  query?: Q;
  /** Schema of the path's parameters; without it each is a text. */
  params?: P;
  /** Schema of the JSON answer, without `errors`, which the host adds. */
  response?: R;
  session?: U;
  /** Deadline of one request; without it, that of the host's configuration. */
  timeout?: Duration;
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
  method: Method;
  /** Below the plugin's base, with parameters as `:name`, such as "template/:templateKey/v1/generate". */
  path: string;
  summary: string;
  body: TSchema | undefined;
  query: TSchema | undefined;
  params: TSchema | undefined;
  response: TSchema | undefined;
  session: SessionUse;
  timeout: Duration | undefined;
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

/** Defines a route: `route.post("hello.json", { ... })`. The types of the handler's context follow from the schemas. */
export const route = {
  get: define("GET"),
  post: define("POST"),
  put: define("PUT"),
  delete: define("DELETE"),
};
