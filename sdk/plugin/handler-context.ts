import type { SuppressedError, Suppression } from "../errors.js";
import type { ProjectDocument } from "../project/document.js";

/** Request data and services available to every handler. */
export interface HandlerContext<S> {
  /** The session of the request; undefined for a route or method without one. */
  session: S;
  /** Locale of the session, or "en". */
  locale: string;
  /** Aborts at the deadline, when the caller or client disconnects, and when the host stops. */
  signal: AbortSignal;
  /**
   * Reports an error that does not end the request. The host adds a route's errors as `errors` to an object response;
   * errors of a service method are passed to its caller.
   */
  suppress(suppression: Suppression | SuppressedError): void;
  /** Writes log lines with the plugin and the request id. */
  log: Log;
  /** The request id, shared by the log lines of the host and all plugins. */
  requestId: string;
}

/** An open session, for handlers. */
export interface Session {
  /** UUID. */
  readonly id: string;
  /** For example "de_DE". */
  readonly locale: string;
  /** Increases with every replacement of the project. */
  readonly revision: number;
  /** The project, frozen; read from the store once per revision and cached. */
  project(): Promise<ProjectDocument>;
  /** The bytes of a project asset by its key; undefined if there is none. */
  asset(key: string): Promise<Uint8Array | undefined>;
}

/** Structured log. `fields` become members of the line; a field `error` is written with its stack. */
export interface Log {
  /** For debugging; only written if the server's log level includes it. */
  debug(message: string, fields?: Record<string, unknown>): void;
  /** For normal events. */
  info(message: string, fields?: Record<string, unknown>): void;
  /** For problems that an admin should check although the plugin continues. */
  warn(message: string, fields?: Record<string, unknown>): void;
  /** For failures. */
  error(message: string, fields?: Record<string, unknown>): void;
}
