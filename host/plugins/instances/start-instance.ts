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
import { tellLongWaits } from "../../system/long-waits.js";
import { monotonicTime, settlesWithin } from "../../system/time.js";
import type { SmokeRequest } from "../packages/manifest.js";
import { Instance, type InstanceOptions } from "./instance.js";

/** What is told of a start. */
export interface StartProgress {
  /** Between setup and probe. */
  probing(): void;
  /** Only on a development host: what it has waited for longer than a second, as a sentence; once per wait. */
  waiting(reason: string): void;
}

/**
 * Starts an instance, probes it and runs the smoke requests of its manifest. When it is not ready in time or the signal
 * aborts, leaves nothing running and rejects with a sentence for admins.
 */
export async function startInstance(
  options: InstanceOptions,
  signal: AbortSignal,
  { probing, waiting }: StartProgress,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const { startTimeout, development } = options.configuration;
  const current = () => ({ key: instance.unfinished, text: `Up to now, ${instance.unfinished}.` });
  const endTelling = development ? tellLongWaits(current, waiting) : undefined;
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
      throw new Error(`It was not ready after ${startTimeout} ms: ${instance.unfinished}.`);
    return await up;
  } catch (error) {
    instance.kill("it did not start");
    await instance.gone;
    const reason = errorMessage(error);
    // Clients read the message; it must not contain the path of the host.
    throw new Error(reason.replaceAll(options.snapshot.folder, "."), { cause: error });
  } finally {
    endTelling?.();
    signal.removeEventListener("abort", cancel);
  }
}

export interface SmokeLimits {
  /** Aborts the current request and all that follow. */
  signal: AbortSignal;
  /** Milliseconds for a route without its own timeout. */
  timeout: number;
  log: Log;
}

/**
 * Sends smoke requests to a plugin, one at a time. Rejects with a sentence that names the first request that fails,
 * matches no route or needs a session.
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

/** Throws the client error of a request that does not reach the plugin. */
function smokeCall(
  offer: PluginOffer,
  request: SmokeRequest,
  { signal, timeout, log }: SmokeLimits,
): PluginCall {
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  const found = requestedRoute(offer, { method: request.method, below: path, path });
  if ("allowed" in found) throw methodNotAllowed(request.method, found.allowed);
  const { route, params } = found;
  refuseUnfit(route, request);
  // Validation fills in defaults, and the manifest must not change.
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
