/** The requests of a manifest that the host sends to an instance before it serves. */
import { randomUUID } from "node:crypto";
import { parse } from "node:querystring";
import { type Log, RequestError } from "@slipway/sdk";
import {
  type LiveRoute,
  localeWithoutSession,
  methodNotAllowed,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  pluginCall,
  requestedRoute,
  untraced,
  validInput,
} from "@slipway/sdk/runtime/host";
import { logWith } from "../../observability/log.js";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/time.js";
import type { StartRequest } from "../packages/manifest.js";
import { sampleSession } from "./sample-session.js";

/** Milliseconds for all warm-up requests of an instance: it is worth more that it serves. */
const warmUpTime = 5000;

/** An instance that has been set up. */
export interface StartingInstance {
  /** Name and version, such as "oex@1.6.0". */
  label: string;
  offer: PluginOffer;
  call(call: PluginCall): Promise<PluginAnswer>;
  /** Aborts the current request and all that follow. */
  signal: AbortSignal;
  /** Milliseconds for a route without its own timeout. */
  timeout: number;
  log: Log;
}

/**
 * Sends smoke requests, one at a time. Rejects with a sentence that names the first request that fails, matches no route
 * or lacks a session.
 */
export async function runSmokeRequests(
  instance: StartingInstance,
  requests: readonly StartRequest[],
): Promise<void> {
  for (const request of requests) {
    try {
      await send(instance, request, Number.POSITIVE_INFINITY);
    } catch (error) {
      const { method, path } = request;
      throw new Error(`The smoke request ${method} ${path} failed: ${reason(error)}`, { cause: error });
    }
  }
}

/** Sends warm-up requests, one at a time, for five seconds at most. What fails is logged: the version can serve without. */
export async function runWarmUpRequests(
  instance: StartingInstance,
  requests: readonly StartRequest[],
): Promise<void> {
  const end = monotonicTime() + warmUpTime;
  for (const request of requests) {
    if (monotonicTime() >= end || instance.signal.aborted) return;
    const { method, path } = request;
    await send(instance, request, end).catch((error: unknown) =>
      instance.log.info("A warm-up request failed; the first one of a client may take longer", {
        plugin: instance.label,
        request: `${method} ${path}`,
        error,
      }),
    );
  }
}

/** Throws the client error of a request that does not reach the plugin. `end`: its latest deadline. */
async function send(instance: StartingInstance, request: StartRequest, end: number): Promise<void> {
  const { offer, call, signal, timeout, log } = instance;
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  const found = requestedRoute(offer, { method: request.method, below: path, path });
  if ("allowed" in found) throw methodNotAllowed(request.method, found.allowed);
  const { route, params } = found;
  refuseUnfit(route, request);
  const session = request.session === true ? sampleSession : undefined;
  const input = validInput(offer, route, { ...given(route, request, query), params });
  const requestId = randomUUID();
  await call({
    ...pluginCall(route, input, {
      requestId,
      client: undefined,
      session,
      locale: session?.locale ?? localeWithoutSession,
      release: undefined,
      baseUrl: "http://localhost",
      signal,
      deadline: Math.min(monotonicTime() + (route.timeout ?? timeout), end),
      work: untraced(logWith(log, { requestId })),
    }),
    keepsFiles: false,
  });
}

/** Body and query, with the id of the session where there is one. */
function given(
  { method }: LiveRoute,
  request: StartRequest,
  query: string,
): { body: unknown; query: Record<string, unknown> } {
  // Validation fills in defaults, and the manifest must not change.
  const body: unknown = structuredClone(request.body);
  if (request.session !== true) return { body, query: parse(query) };
  const sessionId = sampleSession.id;
  if (method === "GET" || method === "DELETE") return { body, query: { ...parse(query), sessionId } };
  return { body: { ...Object(body), sessionId }, query: parse(query) };
}

function refuseUnfit(route: LiveRoute, { body, session }: StartRequest): void {
  if (route.session === "required" && session !== true)
    throw new Error('its route needs a session, which "session": true gives it.');
  if (body !== undefined && (route.method === "GET" || route.method === "DELETE"))
    throw new Error(`a ${route.method} has no body.`);
}

function reason(error: unknown): string {
  if (error instanceof RequestError) return `${error.code} ${error.id} ${error.message}`;
  return errorMessage(error);
}
