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
/** An error that ends the request: the whole body of a response with status `code`. Ids are `<type>-<what>`. */
export type AbortingError = Static<typeof AbortingError>;

/** An error that a successful response reports under `errors`. */
export const SuppressedError = Type.Object(
  {
    ...errorFields,
    scopes: Type.Array(Type.Enum(["WARN", "ERROR"])),
  },
  { title: "SuppressedError" },
);
/** An error that a successful response lists under `errors`. */
export type SuppressedError = Static<typeof SuppressedError>;

/** What a handler says of a suppressed error; what it leaves out is filled in. */
export interface Suppression {
  /** `<type>-<what>`, such as "item-text-error"; the type is the part before the first hyphen. */
  id: string;
  /** One sentence for people; goes to the client, so it names no path and no secret. */
  message: string;
  /** How bad it is; `"ERROR"` unless it says otherwise. */
  scope?: "WARN" | "ERROR";
  /** Texts of what lies behind it, for people; none unless it says so. */
  cause?: string[];
  /** Facts for programs, such as `{ itemId }`: what JSON can hold. */
  additionalInformation?: Record<string, unknown>;
}

/** The error object of a suppression; its scope is `ERROR` unless it says otherwise. One that came from elsewhere stays as it is. */
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

/** What a `RequestError` is made of. */
export interface RequestErrorOptions {
  /** `<type>-<what>`; the type of the error object is the part before the first hyphen. */
  id: string;
  /** HTTP status, 400 to 599. */
  code: number;
  /** For people; goes to the client, so it names no path and no secret. */
  message: string;
  /** Texts of underlying exceptions that a client may see. */
  cause?: string[];
  /** Facts for programs, such as `{ violations }`: what JSON can hold. */
  additionalInformation?: Record<string, unknown>;
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** For the log only. */
  reason?: unknown;
}

/**
 * Ends a request with an aborting error, wherever it is thrown: in a handler, in a service method, in what they call.
 * Any other error that is thrown is a fault of the plugin: 500 `plugin-error`, with its stack in the log only.
 *
 * @example
 * ```ts
 * throw new RequestError({ id: "project-empty", code: 422, message: "There is nothing to print." });
 * ```
 */
export class RequestError extends Error {
  /** Always "RequestError", as stacks and logs show it. */
  override readonly name = "RequestError";
  /** `<type>-<what>`, such as "project-empty". */
  readonly id: string;
  /** HTTP status, 400 to 599. */
  readonly code: number;
  /** Response headers; `Retry-After` is the only one that reaches a client. */
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

  /** The error object that the client gets. */
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

  /** The error that an error object came from, for crossing a process boundary. */
  static from(object: AbortingError, headers: Record<string, string> = {}): RequestError {
    return new RequestError({ ...object, headers });
  }
}

function errorType(id: string): string {
  return id.split("-", 1)[0] ?? id;
}

/** A request can name 100,000 things that there are not; an answer that repeats them all helps nobody. */
const mostTold = 100;

/** Suppresses an error for each value, at most 100; the last one says in `additionalInformation.more` how many are left out. */
export function suppressEach<Value>(
  values: readonly Value[],
  errorOf: (value: Value) => Suppression,
  suppress: (suppression: Suppression) => void,
): void {
  const told = values.slice(0, mostTold).map(errorOf);
  const last = values.length > mostTold ? told.pop() : undefined;
  for (const error of told) suppress(error);
  if (last === undefined) return;
  const more = values.length - mostTold;
  suppress({
    ...last,
    message: `${last.message}; ${more} more like it are not listed`,
    additionalInformation: { ...last.additionalInformation, more },
  });
}

/** What an error says; anything can be thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
