/** Services: what plugins offer each other, described well enough to validate it. */
import type { SuppressedError } from "./errors.js";
import type { HandlerContext } from "./handler-context.js";
import type { Duration, SchemaValue, SessionOf, SessionUse } from "./route.js";
import type { Static, TSchema } from "./schema.js";

/** What a service method gets. The input passed its schema; everything else is that of the client's request. */
export interface ServiceMethodContext<I, S> extends HandlerContext<S> {
  input: I;
}

export interface ServiceMethodOptions<
  I extends TSchema | undefined,
  O extends TSchema | undefined,
  U extends SessionUse,
> {
  /** One sentence for the documentation. */
  summary: string;
  input?: I;
  /** Schema of what the handler gives. */
  output?: O;
  /** Whether the caller's request has to have a session. */
  session?: U;
  /** Longest time of one call; the deadline of the client's request ends it in any case. */
  timeout?: Duration;
  handler(
    context: ServiceMethodContext<SchemaValue<I>, SessionOf<U>>,
  ): O extends TSchema ? Static<O> | Promise<Static<O>> : unknown;
}

/** A service method as the host sees it; the types of its schemas are gone, the schemas are not. */
export interface ServiceMethod {
  readonly kind: "slipway-service-method";
  summary: string;
  input: TSchema | undefined;
  output: TSchema | undefined;
  session: SessionUse;
  timeout: Duration | undefined;
  handler(context: ServiceMethodContext<never, never>): unknown;
}

/** Defines a service method. The types of the handler's context and of what it gives follow from the schemas. */
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
