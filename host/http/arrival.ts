/** The first two steps of a request: its client, and its id, log and trace. */
import type { Log } from "@slipway/sdk";
import type { FinishedRequest, RequestObserver } from "../observability/requests/finished-requests.js";
import { requestIdOf, shownId, shownPath } from "../observability/requests/request-names.js";
import type { Tracing } from "../observability/tracing/tracing.js";
import { clientOf, trustOf } from "../system/addresses.js";
import { monotonicTime } from "../system/time.js";
import { refusedStatus } from "./broken-requests.js";
import type { Middleware, RequestContext, Target } from "./request-state.js";

/**
 * Determines the client address, which trusted proxies forward. Forwarding headers from other addresses are ignored,
 * with one warning, because a proxy may be missing in the configuration.
 */
export function clientAddress(trustedProxies: readonly string[], log: Log): Middleware {
  const trust = trustOf(trustedProxies);
  let isTold = false;
  return async (ctx, next) => {
    const client = clientOf(ctx.req, trust);
    ctx.state.client = client;
    ctx.request.ip = client.address;
    if (!isTold && client.isDirect && ctx.get("X-Forwarded-For") !== "") {
      isTold = true;
      log.warn(
        "A request came with X-Forwarded-For from an address that is not in trustedProxies; such headers are ignored, so all clients of a proxy count as one",
        { proxy: client.address },
      );
    }
    await next();
  };
}

/** Status of requests whose client disconnected before the response; only logs and metrics use it. */
const clientLeft = 499;

interface Arrival extends Pick<FinishedRequest, "time" | "client"> {
  traceId: string | undefined;
}

/** Assigns an id to the request (the client's own if valid) and notifies all observers at its end. */
export function requestLog(tracing: Tracing, observers: readonly RequestObserver[]): Middleware {
  return async (ctx, next) => {
    const { state } = ctx;
    state.requestId = requestIdOf(ctx.req);
    const traced = tracing.begin({ requestId: state.requestId, message: ctx.req });
    state.work = traced.work;
    state.log = traced.work.log;
    state.arrived = monotonicTime();
    state.abort = new AbortController();
    ctx.set("X-Request-Id", state.requestId);
    const started = performance.now();
    // A closed socket has no client address.
    const arrival = { time: new Date().toISOString(), client: ctx.ip, traceId: traced.traceId };
    ctx.res.once("close", () => {
      if (!ctx.res.writableFinished) state.abort.abort(new Error("The client went away"));
      const finished = finishedRequest(ctx, arrival, performance.now() - started);
      traced.end(finished);
      for (const tell of observers) tell(finished);
    });
    await next();
  };
}

function finishedRequest(ctx: RequestContext, arrival: Arrival, milliseconds: number): FinishedRequest {
  const { requestId, errorId, waited = 0, caller, target, operation, session } = ctx.state;
  const { time, client, traceId } = arrival;
  return {
    requestId,
    ...(traceId !== undefined && { traceId }),
    time,
    method: ctx.method,
    path: shownPath(ctx.path),
    status: statusOf(ctx),
    ...(errorId !== undefined && { errorId }),
    milliseconds: tenths(milliseconds),
    waited: tenths(waited),
    client,
    ...(caller?.key !== undefined && { key: caller.key }),
    isComplete: ctx.res.writableFinished,
    ...(target && { target: shownTarget(target) }),
    ...(operation !== undefined && { operation }),
    ...(session && { session: shownId(session.id) }),
  };
}

function statusOf({ res }: RequestContext): number {
  return res.headersSent ? res.statusCode : (refusedStatus(res) ?? clientLeft);
}

function shownTarget({ release, plugin, route }: Target): NonNullable<FinishedRequest["target"]> {
  return { release, plugin: plugin.name, version: plugin.version, operation: route.path };
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
