import type { Log } from "@slipway/sdk";
import {
  type GivenInput,
  type LivePlugin,
  type LiveRoute,
  type ValidInput,
  validInput,
  type Work,
} from "@slipway/sdk/runtime/host";
import type Koa from "koa";
import type { StoredAnswer } from "../jobs/stored-answer.js";
import type { CallerState } from "../security/caller.js";
import type { SessionRecord } from "../sessions/sessions.js";

/** State that the middleware of a request passes on. */
export interface RequestState extends CallerState {
  log: Log;
  /** The work of the request, with the same log. */
  work: Work;
  /** By `monotonicTime`; deadlines count from here. */
  arrived: number;
  /** Set by resolution: the plugin and its route. */
  target?: Target;
  /** Id of the host operation, such as "listPlugins" or "getFile". */
  operation?: string;
  /** Set by the body reader: the JSON value; undefined without a body. */
  body?: unknown;
  session?: SessionRecord;
  /** Set by idempotency: the id of what the request creates; the same one when it is sent again after its host was lost. */
  reservedId?: string;
  /** Set when the answer of a plugin is sent. */
  answered?: StoredAnswer["content"];
  /** Set by back-pressure: milliseconds in the queue. */
  waited?: number;
  /** Id of the error object in the response. */
  errorId?: string;
  /** Details for the audit trail besides texts of a JSON body, by name; nothing secret. */
  auditDetails?: Record<string, string>;
}

export interface Target {
  /** Set even for paths without a release. */
  release: string;
  plugin: LivePlugin;
  route: LiveRoute;
  params: Record<string, string>;
  /** By `monotonicTime`. */
  deadline: number;
}

export type Middleware = Koa.Middleware<RequestState>;
export type RequestContext = Koa.ParameterizedContext<RequestState>;

/** The target of a request after resolution. */
export function targetOf(ctx: RequestContext): Target {
  if (ctx.state.target === undefined) throw new Error("Resolution has to come first");
  return ctx.state.target;
}

/** The raw input of a request for its route. */
export function givenInput(ctx: RequestContext): GivenInput {
  return { body: ctx.state.body, query: ctx.query, params: targetOf(ctx).params };
}

/** Validates the input of a request; one 400 lists all problems. */
export function requestInput(ctx: RequestContext): ValidInput {
  const { plugin, route } = targetOf(ctx);
  return validInput(plugin, route, givenInput(ctx));
}
