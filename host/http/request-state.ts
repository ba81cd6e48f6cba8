import type { Log } from "@slipway/sdk";
import {
  type CallOrigin,
  type GivenInput,
  type LivePlugin,
  type LiveRoute,
  localeWithoutSession,
  trimmedEnd,
  type ValidInput,
  validInput,
  type Work,
} from "@slipway/sdk/runtime/host";
import type Koa from "koa";
import type { StoredAnswer } from "../jobs/jobs.js";
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
  /** Set by idempotency: the id of the created resource; the same for a repeated request after the loss of its host. */
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

const sane = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The request as the origin of a call to a plugin. `deadline` is by `monotonicTime`, `publicUrl` the configured one. */
export function callOrigin(
  ctx: RequestContext,
  { release, deadline, publicUrl }: { release: string; deadline: number; publicUrl: string | undefined },
): CallOrigin {
  const { requestId, requester, abort, work, session } = ctx.state;
  return {
    requestId,
    client: requester,
    release,
    session: session && { id: session.id, locale: session.locale, revision: session.revision },
    locale: session?.locale ?? localeWithoutSession,
    baseUrl: baseUrl(ctx, publicUrl),
    signal: abort.signal,
    deadline,
    work,
  };
}

/**
 * The base URL of this host for the client, without a final slash: configured, from the request or a trusted proxy, or
 * the address of the socket.
 */
export function baseUrl(ctx: RequestContext, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return trimmedEnd(publicUrl, "/");
  const { protocol, host } = ctx.state.client;
  const named = `${protocol}://${host}`;
  if (sane.test(host) && URL.canParse(named)) return named;
  const { localAddress = "127.0.0.1", localPort = 80 } = ctx.req.socket;
  return `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}
