/** The requests of a manifest that the host sends to an instance before it serves. */
import { parse } from "node:querystring";
import { type Log, RequestError } from "@slipway/sdk";
import {
  type LiveRoute,
  methodNotAllowed,
  type PluginOffer,
  pluginCall,
  requestedRoute,
  validInput,
} from "@slipway/sdk/runtime/host";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/time.js";
import { backgroundOrigin } from "../background/background-work.js";
import type { StartRequest } from "../packages/manifest.js";
import type { Instance } from "./instance.js";
import { sampleSession } from "./sample-session.js";

/** Milliseconds for all warm-up requests of an instance: it is worth more that it serves. */
const warmUpTime = 5000;

/** An instance that has been set up. */
export interface StartingInstance {
  instance: Pick<Instance, "label" | "call">;
  offer: PluginOffer;
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
  starting: StartingInstance,
  requests: readonly StartRequest[],
): Promise<void> {
  for (const request of requests) {
    try {
      await send(starting, request, Number.POSITIVE_INFINITY);
    } catch (error) {
      const { method, path } = request;
      throw new Error(`The smoke request ${method} ${path} failed: ${reason(error)}`, { cause: error });
    }
  }
}

/** Sends warm-up requests, one at a time, for five seconds at most. What fails is logged: the version can serve without. */
export async function runWarmUpRequests(
  starting: StartingInstance,
  requests: readonly StartRequest[],
): Promise<void> {
  const end = monotonicTime() + warmUpTime;
  for (const request of requests) {
    if (monotonicTime() >= end || starting.signal.aborted) return;
    const { method, path } = request;
    await send(starting, request, end).catch((error: unknown) =>
      starting.log.info("A warm-up request failed; the first one of a client may take longer", {
        plugin: starting.instance.label,
        request: `${method} ${path}`,
        error,
      }),
    );
  }
}

/** Throws the client error of a request that does not reach the plugin. `end`: its latest deadline. */
async function send(starting: StartingInstance, request: StartRequest, end: number): Promise<void> {
  const { instance, offer, signal, log } = starting;
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  const found = requestedRoute(offer, { method: request.method, below: path, path });
  if ("allowed" in found) throw methodNotAllowed(request.method, found.allowed);
  const { route, params } = found;
  refuseUnfit(route, request);
  const input = validInput(offer, route, { ...given(route, request, query), params });
  const origin = backgroundOrigin(
    { baseUrl: "http://localhost", log },
    {
      release: undefined,
      signal,
      timeout: Math.min(route.timeout ?? starting.timeout, end - monotonicTime()),
      fields: {},
    },
  );
  const session = request.session === true ? sampleSession : undefined;
  await instance.call({ ...pluginCall(route, input, { ...origin, session }), keepsFiles: false });
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
