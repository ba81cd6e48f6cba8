import type { SuppressedError, Suppression } from "../errors.js";
import type { Log } from "./log.js";

/** What every handler has of the client's request that it works for. */
export interface HandlerContext<S> {
  /** The session that the request names; undefined for a route or method without one. */
  session: S;
  /** Of the session, or "en". */
  locale: string;
  /** Aborts at the deadline, when the caller gives up or the client goes away, and when the host stops. */
  signal: AbortSignal;
  /**
   * Reports an error that does not end the request. The host adds those of a route as `errors` to an object response;
   * those of a service method go to its caller.
   */
  suppress(suppression: Suppression | SuppressedError): void;
  /** Writes lines that carry plugin and request. */
  log: Log;
  /** The id that log lines of the host and of all plugins share for one request. */
  requestId: string;
}
