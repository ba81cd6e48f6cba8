import { setMaxListeners } from "node:events";
import { type RunningCall, RunningCalls, ServiceAccess, untraced } from "../../runtime/host.js";
import {
  describeFailure,
  type HostLink,
  type LogLine,
  type Message,
  type MetricsReport,
  type ParametersOf,
  type Part,
  type Received,
  type RequestProgress,
  readFailure,
  requestScope,
  type ServiceName,
  scopedCall,
} from "../../runtime/index.js";
import type { MemoryParts } from "./memory-parts.js";

const never = new AbortController().signal;

/** A plugin's connection to its test host, and the calls running in the plugin. */
export class PluginLink implements HostLink {
  readonly running = new RunningCalls();
  /** Tests see all of it. */
  readonly progressInterval = 0;
  private readonly label: string;
  private readonly access: ServiceAccess;
  /** Request ids by call number, also of finished calls. */
  private readonly requestIds = new Map<number, string>();

  constructor(
    plugin: { name: string; version: string },
    private readonly parts: MemoryParts,
  ) {
    this.label = `${plugin.name}@${plugin.version}`;
    const own = untraced(parts.log.of({ plugin: this.label }));
    this.access = new ServiceAccess(plugin, parts.services, this.running, own, parts.clock);
  }

  /** Registers a running call. */
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

  progress(progress: RequestProgress): void {
    const request = requestScope.getStore()?.request;
    if (request !== undefined) this.running.get(request)?.origin.progress?.(progress);
  }

  /** Aborts the plugin's work outside requests. */
  end(): void {
    this.access.end();
  }
}

/** Handles a call of the other side. */
export type Serve = (message: Received, signal: AbortSignal) => Promise<Message>;

/**
 * Calls the other side without a process in between: values and errors go through JSON, and bytes are copied. Rejects as
 * soon as the signal aborts; then the other side's signal also aborts, and `late` gets a promise of its end.
 */
export function crossing(
  message: Message,
  serve: Serve,
  signal: AbortSignal,
  late: (settled: Promise<void>) => void = () => undefined,
): Promise<Received> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  // A handler may add any number of listeners.
  setMaxListeners(0, controller.signal);
  return new Promise((resolve, reject) => {
    const served = serve(received(message), controller.signal);
    const abort = (): void => {
      late(served.then(nothing, nothing));
      reject(signal.reason);
      controller.abort(new Error("the caller gave up"));
    };
    signal.addEventListener("abort", abort, { once: true });
    served
      .then((answer) => resolve(received(answer)))
      .catch((error: unknown) => reject(readFailure(crossed(error))))
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function received({ values, parts }: Message): Received {
  const copies = parts.map((part) => Buffer.from(typeof part === "string" ? part : new Uint8Array(part)));
  return { values: JSON.parse(JSON.stringify(values)), parts: copies };
}

/** An error whose additional information is not valid JSON loses its details. */
function crossed(error: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(describeFailure(error)));
  } catch (unfit) {
    return describeFailure(unfit);
  }
}

function nothing(): void {}
