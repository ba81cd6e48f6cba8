/** What the request path needs of a plugin that serves; how it runs is behind this. */
import type { SessionUse, TSchema } from "@slipway/sdk";

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

/** One validated request on its way to a plugin; only bytes and texts cross the process boundary. */
export interface PluginCall {
  requestId: string;
  /** `method path` of the route as declared. */
  route: string;
  /** JSON texts. */
  body: string;
  query: string;
  params: string;
  session: { id: string; locale: string; revision: number } | undefined;
  locale: string;
  /** Origin and prefix for absolute URLs, such as "http://127.0.0.1:8080". */
  baseUrl: string;
  /** Aborts at the deadline and when the client goes away. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}

export interface PluginAnswer {
  status: number;
  mediaType: string;
  /** JSON text or plain text. */
  body: string;
}

/** A plugin version that serves. `call` rejects with a `RequestError`. */
export interface LivePlugin {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  /** Hash of the snapshot. */
  readonly hash: string;
  readonly routes: readonly LiveRoute[];
  call(call: PluginCall): Promise<PluginAnswer>;
}

/** All that serves right now: release name to plugins. Frozen; a change is a new table. */
export interface RouteTable {
  readonly releases: ReadonlyMap<string, ReadonlyMap<string, LivePlugin>>;
  readonly defaultRelease: string;
}
