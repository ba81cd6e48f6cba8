import type { AbortingError, SuppressedError } from "../errors.js";
import type { Static, TSchema } from "../schema.js";

/** What a client gets for a request. */
export interface TestAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it travels. */
  readonly text: string;
  /** The body as a JSON object. Throws when it is none. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Any JSON value. Throws when the body is no JSON. */
  readonly value: unknown;
  /** What the plugin suppressed; empty for an answer without `errors`. */
  readonly errors: readonly SuppressedError[];
  /** The error object, when the status is 400 or more. */
  readonly error: AbortingError | undefined;
  /** The JSON value with the type of a schema, such as that of the route's answer. Throws with all that does not fit. */
  as<S extends TSchema>(schema: S): Static<S>;
}

/** One request to the plugin. */
export interface TestRequest {
  /** What JSON can hold; for POST and PUT. */
  body?: unknown;
  /** Beside those in the path. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** When it aborts, the client goes away: the request ends, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Only `X-Request-Id` reaches a plugin, as the id of the request. */
  headers?: Readonly<Record<string, string>>;
}
