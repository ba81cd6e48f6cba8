/** What the request path needs of a plugin that serves; how it runs is behind this. */
import type { SessionUse } from "../../plugin/route.js";
import type { TSchema } from "../../schema.js";
import type { RequestFiles } from "./request-files.js";
import type { Clock, Work } from "./work.js";

/** A route of a live plugin, ready to match and to validate. */
export interface LiveRoute {
  method: string;
  /** Below the plugin's base, parameters as `:name`. */
  path: string;
  summary: string;
  body: TSchema | undefined;
  query: TSchema | undefined;
  params: TSchema | undefined;
  response: TSchema | undefined;
  session: SessionUse;
  /** Milliseconds; undefined means the host's default. */
  timeout: number | undefined;
}

/** A method of a service that a live plugin offers to others. */
export interface LiveServiceMethod {
  service: string;
  method: string;
  summary: string;
  input: TSchema | undefined;
  output: TSchema | undefined;
  session: SessionUse;
  /** Milliseconds; undefined leaves the caller's deadline alone. */
  timeout: number | undefined;
}

/** A service of another plugin that a plugin asked for while it was set up. */
export interface LiveRequirement {
  /** Name or alias, with or without "@" and a range. */
  plugin: string;
  service: string;
}

/** What a plugin answers, and what it asks others for. */
export interface PluginOffer {
  readonly routes: readonly LiveRoute[];
  readonly services: readonly LiveServiceMethod[];
  readonly requirements: readonly LiveRequirement[];
}

/** The client's request for which a plugin is called, by the host or by another plugin. */
export interface CallOrigin {
  requestId: string;
  /** Key or address that it counts for where clients take turns; undefined for what the host asks itself. */
  client: string | undefined;
  /** Under which the client asked; undefined for what the host asks itself. */
  release: string | undefined;
  session: { id: string; locale: string; revision: number } | undefined;
  locale: string;
  /** Origin and prefix for absolute URLs, such as "http://127.0.0.1:8080". */
  baseUrl: string;
  /** Aborts at the deadline and when the client goes away. */
  signal: AbortSignal;
  /** By the clock of the host. */
  deadline: number;
  /** What the call is a step of. */
  work: Work;
}

/** One validated request on its way to a plugin; only bytes and texts cross the process boundary. */
export interface PluginCall extends CallOrigin {
  /** `method path` of the route as declared. */
  route: string;
  /** JSON texts. */
  body: string;
  query: string;
  params: string;
}

/** The call inside a plugin that asks for a service of another one. */
export interface ServiceCaller {
  /** Itself and those that led to it, the client's first, such as "oex@1.6.0 POST export". */
  readonly chain: readonly string[];
  /** Name and version of the plugin that asks. */
  readonly plugin: string;
  readonly files: RequestFiles;
  /** Of the deadlines of both. */
  readonly clock: Clock;
}

/** One call of a service method; its input is not validated yet. */
export interface ServiceCall extends CallOrigin {
  service: string;
  method: string;
  /** JSON text. */
  input: string;
  caller: ServiceCaller;
}

/** JSON texts. */
export interface ServiceAnswer {
  value: string;
  /** A list of suppressed errors. */
  errors: string;
}

/** What a plugin answers a request with. */
export interface PluginAnswer {
  status: number;
  mediaType: string;
  headers: Readonly<Record<string, string>>;
  /** JSON text or plain text. */
  body: string;
}

/** A plugin version that serves. `call` and `serve` reject with a `RequestError`. */
export interface LivePlugin extends PluginOffer {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  /** Hash of the snapshot. */
  readonly hash: string;
  /** Answers a request. */
  call(call: PluginCall): Promise<PluginAnswer>;
  /** Runs a service method for another plugin. */
  serve(call: ServiceCall): Promise<ServiceAnswer>;
  /** Keeps it serving for a request that has begun, until the result is called: a version that is replaced waits for it. */
  hold(): () => void;
}
