/** The two kinds of error of the interface document, sections 2.5 and 7. */
import { type Static, Type } from "./schema.js";

const errorFields = {
  id: Type.String(),
  type: Type.String(),
  message: Type.String(),
  cause: Type.Array(Type.String()),
  additionalInformation: Type.Record(Type.String(), Type.Unknown()),
};

/** An error that ends the request; the whole body of a response with status `code`. */
export const AbortingError = Type.Object(
  {
    code: Type.Integer(),
    ...errorFields,
    scopes: Type.Array(Type.Enum(["WARN", "ERROR"])),
  },
  { title: "AbortingError" },
);
/**
 * An error that ends the request: the whole body of a response with status `code`. Ids have the form `<type>-<what>`.
 */
export type AbortingError = Static<typeof AbortingError>;

/** An error listed under `errors` of a successful response. */
export const SuppressedError = Type.Object(
  {
    ...errorFields,
    scopes: Type.Array(Type.Enum(["WARN", "ERROR"])),
  },
  { title: "SuppressedError" },
);
/** An error listed under `errors` of a successful response. */
export type SuppressedError = Static<typeof SuppressedError>;

/** A suppressed error as reported by a handler; missing members get defaults. */
export interface Suppression {
  /** `<type>-<what>`, such as "item-text-error"; the type is the part before the first hyphen. */
  id: string;
  /** One human-readable sentence. Visible to clients: no paths, no secrets. */
  message: string;
  /** Severity; default: `"ERROR"`. */
  scope?: "WARN" | "ERROR";
  /** Human-readable causes; default: none. */
  cause?: string[];
  /** JSON data for programs, such as `{ itemId }`. */
  additionalInformation?: Record<string, unknown>;
}

/**
 * The error object of a suppression, with the default scope `ERROR`. An existing error object is returned unchanged.
 */
export function suppressedError(suppression: Suppression | SuppressedError): SuppressedError {
  if ("scopes" in suppression) return suppression;
  return {
    id: suppression.id,
    type: errorType(suppression.id),
    message: suppression.message,
    cause: suppression.cause ?? [],
    additionalInformation: suppression.additionalInformation ?? {},
    scopes: [suppression.scope ?? "ERROR"],
  };
}

/** Options of a `RequestError`. */
export interface RequestErrorOptions {
  /** `<type>-<what>`; the type of the error object is the part before the first hyphen. */
  id: string;
  /** HTTP status, 400 to 599. */
  code: number;
  /** Human-readable. Visible to clients: no paths, no secrets. */
  message: string;
  /** Messages of underlying exceptions, visible to clients. */
  cause?: string[];
  /** JSON data for programs, such as `{ violations }`. */
  additionalInformation?: Record<string, unknown>;
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Underlying error, for the log only. */
  reason?: unknown;
}

/**
 * Ends a request with an aborting error. May be thrown in a handler, in a service method and in functions that they
 * call. Any other thrown error is a fault of the plugin: 500 `plugin-error`, with the stack in the log only.
 *
 * @example
 * ```ts
 * throw new RequestError({ id: "project-empty", code: 422, message: "There is nothing to print." });
 * ```
 */
export class RequestError extends Error {
  /** Always "RequestError", for stacks and logs. */
  override readonly name = "RequestError";
  /** `<type>-<what>`, such as "project-empty". */
  readonly id: string;
  /** HTTP status, 400 to 599. */
  readonly code: number;
  /** Response headers; only `Retry-After` reaches a client. */
  readonly headers: Record<string, string>;
  private readonly causes: string[];
  private readonly additionalInformation: Record<string, unknown>;

  constructor(options: RequestErrorOptions) {
    super(options.message, { cause: options.reason });
    this.id = options.id;
    this.code = options.code;
    this.headers = options.headers ?? {};
    this.causes = options.cause ?? [];
    this.additionalInformation = options.additionalInformation ?? {};
  }

  /** The error object for the client. */
  toObject(): AbortingError {
    return {
      code: this.code,
      id: this.id,
      type: errorType(this.id),
      message: this.message,
      cause: this.causes,
      additionalInformation: this.additionalInformation,
      scopes: [],
    };
  }

  /** Restores the error from an error object that crossed a process boundary. */
  static from(object: AbortingError, headers: Record<string, string> = {}): RequestError {
    return new RequestError({ ...object, headers });
  }
}

function errorType(id: string): string {
  return id.split("-", 1)[0] ?? id;
}

/** Limits the response to a request with, for example, 100,000 unknown ids. */
const mostListed = 100;

/**
 * Suppresses an error for each value, at most 100. The last one has the number of omitted errors in
 * `additionalInformation.more`.
 */
export function suppressEach<Value>(
  values: readonly Value[],
  errorOf: (value: Value) => Suppression,
  suppress: (suppression: Suppression) => void,
): void {
  const listed = values.slice(0, mostListed).map(errorOf);
  const last = values.length > mostListed ? listed.pop() : undefined;
  for (const error of listed) suppress(error);
  if (last === undefined) return;
  const more = values.length - mostListed;
  suppress({
    ...last,
    message: `${last.message} ${more} more like it are not listed.`,
    additionalInformation: { ...last.additionalInformation, more },
  });
}

/** The message of an error; accepts any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
