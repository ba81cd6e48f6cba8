/** Services between plugins, with schemas for validation and documentation. */
import type { SuppressedError } from "../schema/errors.js";
import type { Static, TSchema } from "../schema/schema.js";
import type { HandlerContext } from "./handler-context.js";
import type { ResultOf, WithoutSurplus } from "./handler-result.js";
import type { Duration, SchemaValue, SessionOf, SessionUse } from "./route.js";

/**
 * The context of a service method. The input is validated by its schema; everything else belongs to the client's
 * request.
 */
export interface ServiceMethodContext<I, S> extends HandlerContext<S> {
  /** The validated input with the defaults of its schema; undefined for a method without one. */
  input: I;
}

/** Options of `serviceMethod`. Types of the handler's context and result are derived from the schemas. */
export interface ServiceMethodOptions<
  I extends TSchema | undefined,
  O extends TSchema | undefined,
  U extends SessionUse,
  T = ResultOf<O> | Promise<ResultOf<O>>,
> {
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the input. Invalid input is a fault of the calling plugin: 500 `plugin-error`, details in the log. */
  input?: I;
  /** Schema of the handler's result. */
  output?: O;
  /** Whether the caller's request must have a session. */
  session?: U;
  /** Timeout of one call, in addition to the deadline of the client's request. */
  timeout?: Duration;
  /** Handles one call: returns JSON data, or a promise of it. A thrown `RequestError` reaches the caller. */
  handler(context: ServiceMethodContext<SchemaValue<I>, SessionOf<U>>): T;
}

/** A service method for the host; it keeps the schemas but not their types. */
export interface ServiceMethod {
  /** Identifies the object, independent of the copy of the SDK that created it. */
  readonly kind: "slipway-service-method";
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the input, if any. */
  input: TSchema | undefined;
  /** Schema of the handler's result. */
  output: TSchema | undefined;
  /** Whether the caller's request must have a session. */
  session: SessionUse;
  /** Timeout of one call, if any, in addition to the deadline of the request. */
  timeout: Duration | undefined;
  /** Handles one call with validated input. */
  handler(context: ServiceMethodContext<never, never>): unknown;
}

/**
 * Defines a method that other plugins may call; `setup` returns it in `services`. Types of the handler's context and
 * result are derived from the schemas.
 *
 * @example
 * ```ts
 * services: {
 *   greeter: {
 *     greet: serviceMethod({
 *       summary: "Greets somebody.",
 *       input: Type.Object({ name: Type.String({ minLength: 1 }) }),
 *       output: Type.Object({ text: Type.String() }),
 *       handler: ({ input }) => ({ text: `Hello, ${input.name}!` }),
 *     }),
 *   },
 * },
 * ```
 *
 * Another plugin calls it with `host.service("Greeting@^1.0.0", "greeter").call("greet", { name: "Ada" }, Greeting)`.
 */
export function serviceMethod<
  I extends TSchema | undefined = undefined,
  O extends TSchema | undefined = undefined,
  U extends SessionUse = "none",
  const T extends ResultOf<O> | Promise<ResultOf<O>> = ResultOf<O>,
>(options: ServiceMethodOptions<I, O, U, T> & WithoutSurplus<O, NoInfer<T>, "output">): ServiceMethod {
  return {
    kind: "slipway-service-method",
    summary: options.summary,
    input: options.input,
    output: options.output,
    session: options.session ?? "none",
    timeout: options.timeout,
    handler: options.handler,
  };
}

/** Methods by service name and method name. */
export type Services = Readonly<Record<string, Readonly<Record<string, ServiceMethod>>>>;

/** Result of a service call. */
export interface ServiceResult<T> {
  /** The method's result, validated by the caller's schema. */
  value: T;
  /** The service's suppressed errors; pass them to `suppress` unchanged. */
  errors: SuppressedError[];
}

/** A service of another plugin, for its callers. */
export interface OfferedService {
  /**
   * Calls a method within the current request: with its session, deadline and client. `output`: the caller's schema of
   * the result. Fails with the `RequestError` of the method, 503 `plugin-unavailable` if there is no such plugin,
   * version, service or method, 504 at the deadline, and 500 `plugin-error` if input or result is invalid or the plugin
   * failed. Only during a request.
   */
  call<O extends TSchema>(method: string, input: unknown, output: O): Promise<ServiceResult<Static<O>>>;
}
