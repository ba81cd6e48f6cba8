import type { Duplex } from "node:stream";
import { RequestError, type TSchema } from "@slipway/sdk";
import {
  type HostLink,
  type LogLine,
  type Message,
  type MetricsReport,
  type ParametersOf,
  type Part,
  type Received,
  type RequestProgress,
  requestScope,
  type ServiceName,
  type StartStep,
  scopedCall,
} from "@slipway/sdk/runtime";
import { Channel } from "../channel.js";
import { FrameError } from "../frame.js";
import { type Fault, protocolVersion } from "../messages.js";
import { SourcePlaces } from "./source-places.js";

/** Answers the calls of the host. */
export interface CallServer {
  serve(method: string, message: Received, signal: AbortSignal): Promise<Message>;
}

/** The instance's end of the channel. The process ends with the channel. */
export class HostConnection implements HostLink {
  readonly progressInterval = 100;
  private readonly channel: Channel;
  private server: CallServer | undefined;
  private places: SourcePlaces | undefined;

  constructor(stream: Duplex, maximumFrame: number) {
    this.channel = new Channel({
      stream,
      maximumFrame,
      serve: (method, message, signal) => this.served().serve(method, message, signal),
      note: () => undefined,
      closed: endProcessGroup,
    });
  }

  /** Allows the host to call. */
  serveWith(server: CallServer): void {
    this.server = server;
    this.channel.note("hello", { protocol: protocolVersion });
  }

  /** From now on logs and faults name places in the sources of a bundle. */
  showSourcesOf(bundle: string): void {
    this.places = new SourcePlaces(bundle);
  }

  /** Calls a service of the host on behalf of the current request. */
  async call<N extends ServiceName>(
    service: N,
    parameters: Omit<ParametersOf<N>, "request">,
    parts: Part[] = [],
  ): Promise<Received> {
    const { values, signal } = scopedCall(parameters);
    try {
      return await this.channel.call(service, { values, parts }, signal && { signal });
    } catch (error) {
      throw error instanceof FrameError ? tooLarge(service, error) : error;
    }
  }

  log(line: Omit<LogLine, "request">): void {
    const request = requestScope.getStore()?.request;
    const shown = { ...line, fields: this.places?.in(line.fields) ?? line.fields };
    this.channel.note("log", request === undefined ? shown : { ...shown, request });
  }

  metrics(report: MetricsReport): void {
    this.channel.note("metrics", report);
  }

  progress(progress: RequestProgress): void {
    const request = requestScope.getStore()?.request;
    if (request !== undefined) this.channel.note("progress", { ...progress, request });
  }

  begins(step: StartStep): void {
    this.channel.note("step", { step });
  }

  /** Tells the schema of the plugin's configuration. */
  takes(schema: TSchema): void {
    this.channel.note("configuration", { schema });
  }

  fault(fault: Omit<Fault, "request">): void {
    const request = requestScope.getStore()?.request;
    const shown = { ...fault, detail: this.places?.in(fault.detail) ?? fault.detail };
    this.channel.note("fault", request === undefined ? shown : { ...shown, request });
  }

  private served(): CallServer {
    if (this.server === undefined) throw new Error("The instance is not ready.");
    return this.server;
  }
}

function tooLarge(service: string, error: FrameError): RequestError {
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: `The plugin passed more data to the host at once than a message can hold (${service}).`,
    reason: error,
  });
}

/** Ends this process at once, and what it has started: it leads a group of its own. */
function endProcessGroup(): void {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
}
