import { AsyncLocalStorage } from "node:async_hooks";
import type { ParametersOf, ServiceName } from "../messages/host-parameters.js";
import type { Part, Received } from "../messages/message.js";
import type { MetricsReport } from "../messages/metric-report.js";
import type { LogLine, RequestProgress } from "../messages/request-messages.js";

/** A plugin's connection to its host. Calls carry the request of the current `requestScope`. */
export interface HostLink {
  /** Calls a host service for the current request. Rejects with a `RequestError`. */
  call<N extends ServiceName>(
    service: N,
    parameters: Omit<ParametersOf<N>, "request">,
    parts?: Part[],
  ): Promise<Received>;
  log(line: Omit<LogLine, "request">): void;
  metrics(report: MetricsReport): void;
  /** Milliseconds between two messages of a request, because handlers may report many small steps. */
  readonly progressInterval: number;
  /** Of the current request. */
  progress(progress: RequestProgress): void;
}

/** Parses the first part of an answer as JSON. The host is trusted, so the type is not checked. */
export function fromHost<T>({ parts }: Received): T {
  const value: T = JSON.parse(firstPart(parts).toString("utf8"));
  return value;
}

/** Like `fromHost`, but an answer without parts means undefined. */
export function foundByHost<T>(received: Received): T | undefined {
  return received.parts.length === 0 ? undefined : fromHost<T>(received);
}

/** The first part of an answer. Throws without one. */
export function firstPart(parts: Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error("The host's answer lacks its content.");
  return first;
}

/** The request that the running code belongs to. */
export interface RequestScope {
  /** Its number in this instance. */
  request: number;
  signal: AbortSignal;
}

/**
 * Follows a request through all async work of its handler, so that host services use its deadline, session
 * and address.
 */
export const requestScope = new AsyncLocalStorage<RequestScope>();

/**
 * Adds the current request to the parameters of a service call, together with its signal; neither is set
 * outside a request.
 */
export function scopedCall<P extends object>(
  parameters: P,
): { values: P & { request?: number }; signal: AbortSignal | undefined } {
  const scope = requestScope.getStore();
  if (scope === undefined) return { values: { ...parameters }, signal: undefined };
  return { values: { ...parameters, request: scope.request }, signal: scope.signal };
}
