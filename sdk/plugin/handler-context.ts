import type { ProjectDocument } from "../project/document.js";
import type { SuppressedError, Suppression } from "../schema/errors.js";

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
  /** The bytes of a project asset by its key, as they were uploaded, if any. */
  asset(key: string): Promise<Uint8Array | undefined>;
  /**
   * A picture of the project by its key, in a form that every program can show, if any. The host
   * converts a picture only once.
   */
  picture(key: string): Promise<Picture | PictureProblem | undefined>;
}

/** A picture that all programs show alike: upright, in sRGB, with at most 8 bits per channel, without animation. */
export interface Picture {
  /** Of the bytes, which may be of another type than the asset. */
  mediaType: "image/png" | "image/jpeg";
  /** A complete file. */
  content: Uint8Array;
  /** Pixels at which it appears in its natural size; a drawing (SVG) has more of them. */
  width: number;
  /** Pixels, like the width. */
  height: number;
}

/** A picture that cannot be shown. */
export interface PictureProblem {
  /** The reason, to continue a sentence such as "it is left out:"; without a full stop. */
  problem: string;
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
