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
