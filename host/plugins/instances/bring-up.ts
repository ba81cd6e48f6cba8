import { randomUUID } from "node:crypto";
import { parse } from "node:querystring";
import { type Log, RequestError } from "@slipway/sdk";
import {
  type LiveRoute,
  localeWithoutSession,
  matchRoute,
  methodNotAllowed,
  notFound,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  pluginCall,
  untraced,
  validInput,
} from "@slipway/sdk/runtime/host";
import { logWith } from "../../observability/log.js";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import { settlesWithin } from "../../system/timing.js";
import type { SmokeRequest } from "../packages/manifest.js";
import { Instance, type InstanceOptions } from "./instance.js";

/**
 * Starts an instance, probes it, and has it answer the smoke requests of its manifest. Rejects with a sentence for admins,
 * and leaves nothing running, when it does not come up in time or the signal aborts. `probing` is called between setup and probe.
 */
export async function bringUp(
  options: InstanceOptions,
  signal: AbortSignal,
  probing: () => void,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const { startTimeout } = options.configuration;
  const up = (async () => {
    const offer = await instance.start();
    probing();
    await instance.probe();
    const { smoke } = options.snapshot;
    const limits = { signal, timeout: startTimeout, log: options.log };
    await runSmokeRequests(offer, (call) => instance.call(call), smoke, limits);
    return { instance, offer };
  })();
  try {
    if (!(await settlesWithin(up, startTimeout)))
      throw new Error(`It was not ready after ${startTimeout} ms.`);
    return await up;
  } catch (error) {
    instance.kill("it did not come up");
    await instance.gone;
    const reason = errorMessage(error);
    // Clients read it too, and they need not know where the host lies.
    throw new Error(reason.replaceAll(options.snapshot.folder, "."), { cause: error });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

export interface SmokeLimits {
  /** Ends the request that runs, and with it all of them. */
  signal: AbortSignal;
  /** Milliseconds for a route that has no timeout of its own. */
  timeout: number;
  log: Log;
}

/**
 * Has a plugin answer requests as a client would send them, one after the other. Rejects with a sentence that names the first
 * one that ends with an error, that fits no route, or that would need a session.
 */
export async function runSmokeRequests(
  offer: PluginOffer,
  call: (call: PluginCall) => Promise<PluginAnswer>,
  smoke: readonly SmokeRequest[],
  limits: SmokeLimits,
): Promise<void> {
  for (const request of smoke) {
    try {
      await call(smokeCall(offer, request, limits));
    } catch (error) {
      const { method, path } = request;
      throw new Error(`The smoke request ${method} ${path} failed: ${reason(error)}`, { cause: error });
    }
  }
}

/** Throws what a client would get for a request that never reaches the plugin. */
function smokeCall(
  offer: PluginOffer,
  request: SmokeRequest,
  { signal, timeout, log }: SmokeLimits,
): PluginCall {
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  const found = matchRoute(offer, request.method, path);
  if (found.kind === "none") throw notFound(path);
  if (found.kind === "method") throw methodNotAllowed(request.method, found.allowed);
  const { route, params } = found;
  refuseUnfit(route, request);
  // Defaults are filled in; the manifest stays what it is.
  const body: unknown = structuredClone(request.body);
  const input = validInput(offer, route, { body, query: parse(query), params });
  const requestId = randomUUID();
  return pluginCall(route, input, {
    requestId,
    client: undefined,
    session: undefined,
    locale: localeWithoutSession,
    release: undefined,
    baseUrl: "http://localhost",
    signal,
    deadline: monotonicTime() + (route.timeout ?? timeout),
    work: untraced(logWith(log, { requestId })),
  });
}

function refuseUnfit(route: LiveRoute, { body }: SmokeRequest): void {
  if (route.session === "required")
    throw new Error("its route needs a session, which a smoke request cannot have.");
  if (body !== undefined && (route.method === "GET" || route.method === "DELETE"))
    throw new Error(`a ${route.method} has no body.`);
}

function reason(error: unknown): string {
  if (error instanceof RequestError) return `${error.code} ${error.id} ${error.message}`;
  return errorMessage(error);
}
