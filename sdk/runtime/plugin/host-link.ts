import { AsyncLocalStorage } from "node:async_hooks";
import type { ParametersOf, ServiceName } from "../messages/host-parameters.js";
import type { Part, Received } from "../messages/message.js";
import type { MetricsReport } from "../messages/metric-report.js";
import type { LogLine } from "../messages/request-messages.js";

/** A plugin's way to its host. What belongs to a request says so by `requestScope`. */
export interface HostLink {
  /** Asks for a service of the host on behalf of the request whose code is running. Rejects with a `RequestError`. */
  call<N extends ServiceName>(
    service: N,
    parameters: Omit<ParametersOf<N>, "request">,
    parts?: Part[],
  ): Promise<Received>;
  log(line: Omit<LogLine, "request">): void;
  metrics(report: MetricsReport): void;
}

/** The JSON of an answer's first part. The host is trusted: what it sends has the type that the protocol says. */
export function fromHost<T>({ parts }: Received): T {
  const value: T = JSON.parse(firstPart(parts).toString("utf8"));
  return value;
}

/** The same where no part stands for nothing. */
export function foundByHost<T>(received: Received): T | undefined {
  return received.parts.length === 0 ? undefined : fromHost<T>(received);
}

/** The first part of an answer, which has to have one. */
export function firstPart(parts: Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error("The host's answer lacks its content.");
  return first;
}

/** The request that the running code works for. */
export interface RequestScope {
  /** Its number in this instance. */
  request: number;
  signal: AbortSignal;
}

/** Follows a request through everything that its handler starts, so that the services of the host know whose deadline, session and address count. */
export const requestScope = new AsyncLocalStorage<RequestScope>();

/** What a call of a service says of the request whose code is running, and the signal of that request; none where no code of a request runs. */
export function scopedCall<P extends object>(
  parameters: P,
): { values: P & { request?: number }; signal: AbortSignal | undefined } {
  const scope = requestScope.getStore();
  if (scope === undefined) return { values: { ...parameters }, signal: undefined };
  return { values: { ...parameters, request: scope.request }, signal: scope.signal };
}
