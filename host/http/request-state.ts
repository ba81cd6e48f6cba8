import type { Log } from "@slipway/sdk";
import type { LivePlugin, LiveRoute, Work } from "@slipway/sdk/runtime/host";
import type Koa from "koa";
import type { CallerState } from "../security/caller.js";
import type { SessionRecord } from "../sessions/session-store.js";

/** What the middleware of one request hands on to those behind it. */
export interface RequestState extends CallerState {
  log: Log;
  /** What is done for the request; its log is the one above. */
  work: Work;
  /** By `monotonicTime`; deadlines count from here. */
  arrived: number;
  /** Set by resolution: the plugin and route that answer. */
  target?: Target;
  /** Id of the host's own operation that answers, such as "listPlugins" or "getFile". */
  operation?: string;
  /** Set by body: the JSON value that came, undefined when there was none. */
  body?: unknown;
  session?: SessionRecord;
  /** Set by back-pressure: milliseconds that the request waited for its turn. */
  waited?: number;
  /** Of the error object that answers the request. */
  errorId?: string;
  /** What the audit trail shall tell besides texts of a JSON body, by name; nothing secret. */
  auditDetails?: Record<string, string>;
}

export interface Target {
  /** Also where the path names none. */
  release: string;
  plugin: LivePlugin;
  route: LiveRoute;
  params: Record<string, string>;
  /** By `monotonicTime`. */
  deadline: number;
}

export type Middleware = Koa.Middleware<RequestState>;
export type RequestContext = Koa.ParameterizedContext<RequestState>;

/** The target of a request that resolution let through. */
export function targetOf(ctx: RequestContext): Target {
  if (ctx.state.target === undefined) throw new Error("Resolution has to come first");
  return ctx.state.target;
}
