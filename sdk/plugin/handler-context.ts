import type { SuppressedError, Suppression } from "../errors.js";
import type { Log } from "./log.js";

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
