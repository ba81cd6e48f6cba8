import { parse } from "node:querystring";
import { inspect } from "node:util";
import {
  artifactHeaders,
  bodyTooLarge,
  errorBody,
  type LiveRoute,
  type PluginAnswer,
  parsedJsonBody,
  pluginCall,
  requestedRoute,
  requestedSession,
  requestTimedOut,
  sessionNotFound,
  takesBody,
  validInput,
} from "../../runtime/host.js";
import { AbortingError, RequestError, SuppressedError } from "../../schema/errors.js";
import { isRecord } from "../../schema/record.js";
import { type Static, type TSchema, Type } from "../../schema/schema.js";
import { Validator } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import type { StoredTestFile, TestAnswer, TestRequest } from "../test-answer.js";
import type { TestLogLine } from "../test-host.js";
import { baseUrl, defaultTimeout, largestBody, type MemoryParts, memoryOrigin } from "./memory-parts.js";
import type { MemoryPlugin } from "./memory-plugin.js";
import type { SessionState } from "./memory-sessions.js";

/** A request sent to a plugin. */
export interface ComingRequest extends TestRequest {
  method: string;
  /** Below the plugin's base path, with its query. */
  path: string;
  requestId: string;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
  file?: StoredTestFile;
}

/**
 * Answers a request like the middleware of a host. Rejects with the reason of the request's signal when it
 * aborts.
 */
export async function answerRequest(
  parts: MemoryParts,
  plugin: MemoryPlugin,
  request: ComingRequest,
): Promise<ReceivedAnswer> {
  const { name, version } = plugin;
  const general = { "x-request-id": request.requestId, "slipway-plugin": `${name}@${version}` };
  const answer = await answered(parts, plugin, request).catch((error: unknown) =>
    refused(error, request, parts),
  );
  request.signal?.throwIfAborted();
  const text = request.method === "HEAD" ? "" : answer.text;
  return new ReceivedAnswer(answer.status, { ...general, ...answer.headers }, text, answer.file);
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
    const { progress } = request;
    const followed = progress === undefined ? origin : { ...origin, progress };
    const { content, headers } = await plugin.call(pluginCall(route, input, followed));
    return withHeaders(contentAnswer(content, parts), lowerCased(headers));
  } finally {
    within.end();
  }
}

function contentAnswer(content: PluginAnswer["content"], { files }: MemoryParts): Answered {
  if (content.kind === "redirect") {
    const headers = { "cache-control": "no-store", location: content.location };
    return { status: 303, headers, text: "" };
  }
  if (content.kind === "text")
    return { status: 200, headers: answerHeaders(content.mediaType), text: content.body };
  const file = files.named(content.file.id);
  const isBareText = /^text\/[^;]*$/.test(file.mediaType);
  const headers = {
    ...lowerCased(artifactHeaders(content.file)),
    "content-type": isBareText ? `${file.mediaType}; charset=utf-8` : file.mediaType,
    "content-length": String(file.bytes.byteLength),
  };
  return { status: 200, headers, text: Buffer.from(file.bytes).toString("utf8"), file };
}

function withHeaders(answer: Answered, headers: Record<string, string>): Answered {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The deadline of a request and its abort signal. */
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
    throw new TypeError(`${path}: expected a path below the plugin's base, without a leading "/"`);
  const url = new URL(`${baseUrl}${pluginBase(plugin)}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each));
  }
  return url;
}

/** The body after a round trip through JSON; only POST and PUT have one. */
function jsonBody(route: LiveRoute, body: unknown): unknown {
  if (body === undefined || !takesBody(route)) return undefined;
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError("A body must be a JSON value");
  if (Buffer.byteLength(text) > largestBody) throw bodyTooLarge(largestBody);
  return parsedJsonBody(text);
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

/** Converts the error of a request into an answer; anything but a `RequestError` is a bug in the test. */
function refused(error: unknown, request: ComingRequest, { log, printsFailures }: MemoryParts): Answered {
  if (!(error instanceof RequestError)) throw error;
  const { requestId } = request;
  if (printsFailures && error.id === "plugin-error") printFailure(request, log.lines);
  const headers = { ...answerHeaders("application/json"), ...lowerCased(error.headers) };
  return { status: error.code, headers, text: JSON.stringify(errorBody(error, requestId)) };
}

/** Prints why a plugin failed: its client gets only the error id, so an assertion on the answer cannot show it. */
function printFailure({ method, path, requestId }: ComingRequest, lines: readonly TestLogLine[]): void {
  const own = lines.filter((line) => line.requestId === requestId);
  const text = own.map(({ level, plugin, message, fields }) => {
    const { error, ...others } = fields;
    const facts = Object.keys(others).length === 0 ? "" : ` ${JSON.stringify(others)}`;
    const cause = error === undefined ? "" : `\n${typeof error === "string" ? error : inspect(error)}`;
    return `${level.toUpperCase()} ${plugin}: ${message}${facts}${cause}`;
  });
  const shown = [`${method} ${path} failed (request ${requestId}). Log of the request:`, ...text].join("\n");
  process.stderr.write(`${shown.replaceAll("\n", "\n    ")}\n`);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const Errors = Type.Object({ errors: Type.Array(SuppressedError) });

/** An answer whose body is parsed on demand. */
class ReceivedAnswer implements TestAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly text: string,
    readonly file: StoredTestFile | undefined,
  ) {}

  get value(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new Error(`The answer (${this.shown}) is no JSON.`, { cause: error });
    }
  }

  get json(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (isRecord(value)) return value;
    throw new Error(`The answer (${this.shown}) is no JSON object.`);
  }

  get errors(): readonly SuppressedError[] {
    return this.fitting(Errors)?.errors ?? [];
  }

  get error(): AbortingError | undefined {
    return this.status < 400 ? undefined : this.fitting(AbortingError);
  }

  as<S extends TSchema>(schema: S): Static<S> {
    const result = new Validator().compile(schema, "answer")(this.value);
    if (result.ok) return result.value;
    throw new Error(`The answer (${this.shown}) does not fit: ${result.violations.map(describe).join("; ")}`);
  }

  private get shown(): string {
    return `${this.status} ${this.text.slice(0, 500)}`;
  }

  private fitting<S extends TSchema>(schema: S): Static<S> | undefined {
    if (!/^application\/json\b/.test(this.headers["content-type"] ?? "") || this.text === "")
      return undefined;
    const result = new Validator().compile(schema, "answer")(this.value);
    return result.ok ? result.value : undefined;
  }
}
