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
import { tellLongWaits } from "../../system/long-waits.js";
import { monotonicTime, settlesWithin } from "../../system/time.js";
import { backgroundOrigin } from "../background-work.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { Instance, type InstanceOptions } from "./instance.js";
import { sampleSession } from "./sample-session.js";

/** Receives the progress of a start. */
interface StartProgress {
  /** Between setup and probe. */
  probing(): void;
  /** Only on a development host: what it has waited for longer than a second, as a sentence; once per wait. */
  waiting(reason: string): void;
}

interface StartOptions extends InstanceOptions {
  /** Whether clients wait for the instance: it is then not warmed up. */
  isAwaited: boolean;
}

/**
 * Starts an instance, probes it and runs the requests of its manifest. When it is not ready in time or the signal aborts,
 * leaves nothing running and rejects with a sentence for admins.
 */
export async function startInstance(
  options: StartOptions,
  signal: AbortSignal,
  { probing, waiting }: StartProgress,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const { startTimeout, development, warmUp } = options.configuration;
  const current = () => ({ key: instance.unfinished, text: `Up to now, ${instance.unfinished}.` });
  const endTelling = development ? tellLongWaits(current, waiting) : undefined;
  const { snapshot, log } = options;
  const up = (async () => {
    const offer = await instance.start();
    probing();
    await instance.probe();
    const starting = { instance, offer, signal, timeout: startTimeout, log };
    await runSmokeRequests(starting, snapshot.smoke);
    return starting;
  })();
  try {
    if (!(await settlesWithin(up, startTimeout)))
      throw new Error(`It was not ready after ${startTimeout} ms: ${instance.unfinished}.`);
    const starting = await up;
    if (warmUp && !development && !options.isAwaited) await runWarmUpRequests(starting, snapshot.warmUp);
    if (instance.isLost) throw new Error(`Its process ended: ${await instance.gone}.`);
    return { instance, offer: starting.offer };
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

/** Milliseconds for all warm-up requests of an instance: it is worth more that it serves. */
const warmUpTime = 5000;

/** A request of the manifest. */
type StartRequest = Snapshot["smoke"][number];

/** An instance that has been set up. */
interface StartingInstance {
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
async function runSmokeRequests(
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
async function runWarmUpRequests(
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
