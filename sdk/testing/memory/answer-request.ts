import { parse } from "node:querystring";
import { RequestError } from "../../errors.js";
import type { LiveRoute } from "../../runtime/calls/live-plugin.js";
import {
  bodyTooLarge,
  errorBody,
  requestTimedOut,
  sessionNotFound,
} from "../../runtime/calls/request-errors.js";
import { pluginCall } from "../../runtime/request/plugin-call.js";
import { requestedRoute, takesBody } from "../../runtime/request/requested-route.js";
import { requestedSession } from "../../runtime/request/requested-session.js";
import { validInput } from "../../runtime/request/valid-input.js";
import { badRequest } from "../../validation.js";
import type { TestRequest } from "../test-answer.js";
import { baseUrl, defaultTimeout, largestBody, type MemoryParts, memoryOrigin } from "./memory-parts.js";
import type { MemoryPlugin } from "./memory-plugin.js";
import type { SessionState } from "./memory-sessions.js";
import { ReceivedAnswer } from "./received-answer.js";

/** A request on its way to a plugin. */
export interface ComingRequest extends TestRequest {
  method: string;
  /** Below the plugin's base, with its query. */
  path: string;
  requestId: string;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Answers as the middleware of a host does. Rejects with the reason of the request's own signal when it aborts. */
export async function answerRequest(
  parts: MemoryParts,
  plugin: MemoryPlugin,
  request: ComingRequest,
): Promise<ReceivedAnswer> {
  const { name, version } = plugin;
  const general = { "x-request-id": request.requestId, "slipway-plugin": `${name}@${version}` };
  const answer = await answered(parts, plugin, request).catch((error: unknown) => refused(error, request));
  request.signal?.throwIfAborted();
  const text = request.method === "HEAD" ? "" : answer.text;
  return new ReceivedAnswer(answer.status, { ...general, ...answer.headers }, text);
}

async function answered(parts: MemoryParts, plugin: MemoryPlugin, request: ComingRequest): Promise<Answered> {
  const { requestId } = request;
  const url = requestUrl(plugin.name, request);
  const base = pluginBase(plugin.name);
  const below = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : "";
  const found = requestedRoute(plugin, { method: request.method, below, path: url.pathname });
  if ("allowed" in found) {
    return { status: 204, headers: { allow: found.allowed.join(", ") }, text: "" };
  }
  const { route, params } = found;
  const given = { body: jsonBody(route, request.body), query: { ...parse(url.search.slice(1)) }, params };
  const within = new RequestTime(parts, route, request.signal);
  try {
    const session = foundSession(parts, requestedSession(plugin, route, given));
    const input = validInput(plugin, route, given);
    const label = `${plugin.name}@${plugin.version}`;
    const { signal, deadline } = within;
    const origin = memoryOrigin(parts, label, { requestId, session, signal, deadline });
    const { status, mediaType, headers, body } = await plugin.call(pluginCall(route, input, origin));
    return { status, headers: { ...answerHeaders(mediaType), ...lowerCased(headers) }, text: body };
  } finally {
    within.end();
  }
}

/** The time that a request has, and what ends it before. */
class RequestTime {
  /** By the clock of the test host. */
  readonly deadline: number;
  private readonly controller = new AbortController();
  private readonly stopTimer: () => void;

  constructor(
    { clock }: Pick<MemoryParts, "clock">,
    { timeout = defaultTimeout }: LiveRoute,
    private readonly client: AbortSignal | undefined,
  ) {
    this.deadline = clock.now() + timeout;
    this.stopTimer = clock.after(timeout, () => this.controller.abort(requestTimedOut(timeout)));
    client?.addEventListener("abort", this.leave);
    if (client?.aborted) this.leave();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    this.stopTimer();
    this.client?.removeEventListener("abort", this.leave);
  }

  private readonly leave = (): void => this.controller.abort(new Error("The client went away"));
}

function pluginBase(name: string): string {
  return `/EAIWS/plugins/${name}/`;
}

function requestUrl(plugin: string, { path, query = {} }: ComingRequest): URL {
  if (path.startsWith("/"))
    throw new TypeError(`${path}: a path is below the plugin's base and begins without "/"`);
  const url = new URL(`${baseUrl}${pluginBase(plugin)}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each));
  }
  return url;
}

/** The body as it arrives; only POST and PUT have one. */
function jsonBody(route: LiveRoute, body: unknown): unknown {
  if (body === undefined || !takesBody(route)) return undefined;
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError("A body is what JSON can hold");
  if (Buffer.byteLength(text) > largestBody) throw bodyTooLarge(largestBody);
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null) return value;
  const received = "invalid JSON, only supports object and array";
  throw badRequest("The body cannot be read", [{ path: "body", expected: "JSON", received }]);
}

function foundSession({ sessions }: MemoryParts, id: string | undefined): SessionState | undefined {
  if (id === undefined) return undefined;
  const session = sessions.find(id);
  if (session === undefined) throw sessionNotFound(id);
  return session;
}

function answerHeaders(mediaType: string): Record<string, string> {
  const type = mediaType === "application/json" ? "application/json; charset=utf-8" : mediaType;
  return { "content-type": type, "cache-control": "no-store" };
}

/** What ends a request; what is no `RequestError` is a mistake of the test. */
function refused(error: unknown, { requestId }: ComingRequest): Answered {
  if (!(error instanceof RequestError)) throw error;
  const headers = { ...answerHeaders("application/json"), ...lowerCased(error.headers) };
  return { status: error.code, headers, text: JSON.stringify(errorBody(error, requestId)) };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
