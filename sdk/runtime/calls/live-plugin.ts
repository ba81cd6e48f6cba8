/** The request path's view of a live plugin, independent of how it runs. */
import type { Route } from "../../plugin/route.js";
import type { Schedule } from "../../plugin/schedule.js";
import type { ServiceMethod } from "../../plugin/service.js";
import type { SessionHookName } from "../../plugin/session-hooks.js";
import type { RequestProgress, SessionEvent, TextMediaType } from "../messages/request-messages.js";
import type { Artifact } from "./generated-files.js";
import type { RequestFiles } from "./request-files.js";
import type { Clock, Work } from "./work.js";

/** A route of a live plugin, ready for matching and validation. */
export interface LiveRoute
  extends Pick<
    Route,
    "path" | "summary" | "body" | "query" | "params" | "response" | "produces" | "session"
  > {
  method: string;
  redirects: boolean;
  /** Milliseconds; undefined means the host's default. */
  timeout: number | undefined;
}

/** A method of a service that a live plugin offers to others. */
export interface LiveServiceMethod extends Pick<ServiceMethod, "summary" | "input" | "output" | "session"> {
  service: string;
  method: string;
  /** Milliseconds; undefined means the caller's deadline only. */
  timeout: number | undefined;
}

/** A service of another plugin that a plugin requested during setup. */
export interface LiveRequirement {
  /** Name or alias, with or without "@" and a range. */
  plugin: string;
  service: string;
}

/** A schedule of a live plugin. */
export interface LiveSchedule extends Pick<Schedule, "name" | "cron" | "timeZone" | "summary"> {
  /** Milliseconds; undefined means the host's default. */
  timeout: number | undefined;
}

/** A session hook of a live plugin. */
export interface LiveSessionHook {
  hook: SessionHookName;
  /** Milliseconds; undefined means the host's default. */
  timeout: number | undefined;
}

/** The routes, services, schedules and session hooks of a plugin, and the services it requires. */
export interface PluginOffer {
  readonly routes: readonly LiveRoute[];
  readonly services: readonly LiveServiceMethod[];
  readonly requirements: readonly LiveRequirement[];
  readonly schedules: readonly LiveSchedule[];
  readonly sessionHooks: readonly LiveSessionHook[];
}

/** The client request behind a call, whether the host or another plugin makes the call. */
export interface CallOrigin {
  requestId: string;
  /** API key or address, for fairness between clients; undefined for the host's own calls. */
  client: string | undefined;
  /** The release that the client addressed; undefined for the host's own calls. */
  release: string | undefined;
  session: { id: string; locale: string; revision: number } | undefined;
  locale: string;
  /** Origin and prefix for absolute URLs, such as "http://127.0.0.1:8080". */
  baseUrl: string;
  /** Aborts at the deadline and when the client disconnects. */
  signal: AbortSignal;
  /** By the host's clock. */
  deadline: number;
  /** The work that the call is a step of. */
  work: Work;
  /** Receives the progress of a request to a route; undefined if the client does not follow it. */
  progress?: (progress: RequestProgress) => void;
}

/** A validated request to a plugin; only bytes and text cross the process boundary. */
export interface PluginCall extends CallOrigin {
  /** `method path` of the route as declared. */
  route: string;
  /** JSON texts. */
  body: string;
  query: string;
  params: string;
  /** Whether files that it creates outlive it. Default: true. */
  keepsFiles?: boolean;
}

/** The plugin call that requested a service of another plugin. */
export interface ServiceCaller {
  /** This call and the calls that led to it, the client's first, such as "oex@1.6.0 POST export". */
  readonly chain: readonly string[];
  /** Name and version of the calling plugin. */
  readonly plugin: string;
  readonly files: RequestFiles;
  /** For both deadlines. */
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

/** One run of a schedule. */
export interface ScheduleCall extends CallOrigin {
  /** Its name. */
  schedule: string;
  /** Milliseconds since the epoch. */
  due: number;
  /** Due times without a run since the last one. */
  missed: number;
}

/** One run of a session hook; `session` is the opened one. */
export interface SessionHookCall extends CallOrigin {
  event: SessionEvent;
}

/** JSON texts. */
export interface ServiceAnswer {
  value: string;
  /** A list of suppressed errors. */
  errors: string;
}

/** The answer of a plugin to a request. */
export interface PluginAnswer {
  headers: Readonly<Record<string, string>>;
  content:
    | { kind: "text"; mediaType: TextMediaType; body: string }
    | { kind: "file"; file: Artifact }
    /** An `http` or `https` address, or a relative one. */
    | { kind: "redirect"; location: string };
}

/** A live plugin version. `call`, `serve`, `run` and `runHook` reject with a `RequestError`. */
export interface LivePlugin extends PluginOffer {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  /** Hash of the snapshot. */
  readonly hash: string;
  call(call: PluginCall): Promise<PluginAnswer>;
  /** Runs a service method for another plugin. */
  serve(call: ServiceCall): Promise<ServiceAnswer>;
  /** Runs a schedule. */
  run(call: ScheduleCall): Promise<void>;
  /** Runs a session hook. */
  runHook(call: SessionHookCall): Promise<void>;
  /**
   * Keeps the version alive for a running request until the returned function is called, even when it is
   * replaced.
   */
  hold(): () => void;
}
