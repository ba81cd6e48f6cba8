import type { RunningCall } from "../../runtime/calls/running-call.js";
import { RunningCalls } from "../../runtime/calls/running-calls.js";
import { untraced } from "../../runtime/calls/work.js";
import type { ParametersOf, ServiceName } from "../../runtime/messages/host-parameters.js";
import type { Part, Received } from "../../runtime/messages/message.js";
import type { MetricsReport } from "../../runtime/messages/metric-report.js";
import type { LogLine } from "../../runtime/messages/request-messages.js";
import { type HostLink, requestScope, scopedCall } from "../../runtime/plugin/host-link.js";
import { ServiceAccess } from "../../runtime/services/service-access.js";
import { crossing, type Serve } from "./crossing.js";
import type { MemoryParts } from "./memory-parts.js";

const never = new AbortController().signal;

/** A plugin's way to its test host, and the calls that run in the plugin. */
export class PluginLink implements HostLink {
  readonly running = new RunningCalls();
  private readonly label: string;
  private readonly access: ServiceAccess;
  /** Of the requests that the plugin has worked for, by their number there. */
  private readonly requestIds = new Map<number, string>();

  constructor(
    plugin: { name: string; version: string },
    private readonly parts: MemoryParts,
  ) {
    this.label = `${plugin.name}@${plugin.version}`;
    const own = untraced(parts.log.of({ plugin: this.label }));
    this.access = new ServiceAccess(plugin, parts.services, this.running, own, parts.clock);
  }

  /** Notes a call that runs in the plugin under a number. */
  began(request: number, { origin }: RunningCall): void {
    this.requestIds.set(request, origin.requestId);
  }

  call<N extends ServiceName>(
    service: N,
    parameters: Omit<ParametersOf<N>, "request">,
    parts: Part[] = [],
  ): Promise<Received> {
    const { values, signal = never } = scopedCall(parameters);
    const serve: Serve = (message, ends) => this.access.call(service, message, ends);
    return crossing({ values, parts }, serve, signal);
  }

  log(line: Omit<LogLine, "request">): void {
    const requestId = this.requestIds.get(requestScope.getStore()?.request ?? 0);
    this.parts.log.add(line, { plugin: this.label, ...(requestId !== undefined && { requestId }) });
  }

  metrics(report: MetricsReport): void {
    this.parts.metrics.take(this.label, report);
  }

  /** Ends what the plugin does for itself. */
  end(): void {
    this.access.end();
  }
}
