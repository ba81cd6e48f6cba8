/** Services: what plugins offer each other, described well enough to validate it. */
import type { SuppressedError } from "../errors.js";
import type { Static, TSchema } from "../schema.js";
import type { HandlerContext } from "./handler-context.js";
import type { Duration, SchemaValue, SessionOf, SessionUse } from "./route.js";

/** What a service method gets. The input passed its schema; everything else is that of the client's request. */
export interface ServiceMethodContext<I, S> extends HandlerContext<S> {
  /** The checked input, filled with the defaults of its schema; undefined for a method without one. */
  input: I;
}

/** What `serviceMethod` takes. Types of the handler's context and of what it gives follow from the schemas. */
export interface ServiceMethodOptions<
  I extends TSchema | undefined,
  O extends TSchema | undefined,
  U extends SessionUse,
> {
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the input. What does not fit is the calling plugin's mistake: 500 `plugin-error`, details in the log. */
  input?: I;
  /** Schema of what the handler gives. */
  output?: O;
  /** Whether the caller's request has to have a session. */
  session?: U;
  /** Longest time of one call; the deadline of the client's request ends it in any case. */
  timeout?: Duration;
  /** Answers one call: gives what JSON can hold, or a promise of it. A `RequestError` that it throws reaches the caller. */
  handler(
    context: ServiceMethodContext<SchemaValue<I>, SessionOf<U>>,
  ): O extends TSchema ? Static<O> | Promise<Static<O>> : unknown;
}

/** A service method as the host sees it; the types of its schemas are gone, the schemas are not. */
export interface ServiceMethod {
  /** Tells it apart from other objects, whichever copy of the SDK made it. */
  readonly kind: "slipway-service-method";
  /** One sentence for the documentation. */
  summary: string;
  /** Schema of the input, if it takes any. */
  input: TSchema | undefined;
  /** Schema of what the handler gives. */
  output: TSchema | undefined;
  /** Whether the caller's request has to have a session. */
  session: SessionUse;
  /** Longest time of one call, if there is one beside the deadline of the request. */
  timeout: Duration | undefined;
  /** Answers one call; the host gives it what the schema allows. */
  handler(context: ServiceMethodContext<never, never>): unknown;
}

/**
 * Defines a method that other plugins may call; it goes into `services` of what `setup` gives. The types of the
 * handler's context and of what it gives follow from the schemas.
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
 * Another plugin calls it by `host.service("Greeting@^1.0.0", "greeter").call("greet", { name: "Ada" }, Greeting)`.
 */
export function serviceMethod<
  I extends TSchema | undefined = undefined,
  O extends TSchema | undefined = undefined,
  U extends SessionUse = "none",
>(options: ServiceMethodOptions<I, O, U>): ServiceMethod {
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

/** Methods by the name of their service and their own. */
export type Services = Readonly<Record<string, Readonly<Record<string, ServiceMethod>>>>;

/** What a call of a service gives. */
export interface ServiceResult<T> {
  /** What the method gave, checked against the schema that the caller named. */
  value: T;
  /** What the service suppressed; `suppress` takes them as they are. */
  errors: SuppressedError[];
}

/** A service of another plugin, as its callers see it. */
export interface OfferedService {
  /**
   * Calls a method as a part of the running request: with its session, its deadline, its client. `output` is what the
   * caller expects of the value. Ends with the `RequestError` of the method, 503 `plugin-unavailable` when there is no such
   * plugin, version, service or method, 504 at the deadline, 500 `plugin-error` when input or value do not fit or the
   * plugin failed. During a request only.
   */
  call<O extends TSchema>(method: string, input: unknown, output: O): Promise<ServiceResult<Static<O>>>;
}
