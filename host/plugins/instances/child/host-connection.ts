import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
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

  /** A text with places in the plugin's sources instead of its bundle. */
  withSources(text: string): string {
    return this.places?.in(text) ?? text;
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
    const shown = { ...line, fields: this.withSources(line.fields) };
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

  /** Reports the schema of the plugin's configuration. */
  takes(schema: TSchema): void {
    this.channel.note("configuration", { schema });
  }

  fault(fault: Omit<Fault, "request">): void {
    const request = requestScope.getStore()?.request;
    const shown = { ...fault, detail: this.withSources(fault.detail) };
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

/**
 * Ends this process at once, with its child processes and those that confine it. As kill(2) has it, 0 stands for the group: its
 * number is another one in a namespace.
 */
function endProcessGroup(): void {
  process.kill(process.platform === "win32" ? process.pid : 0, "SIGKILL");
}

/**
 * Replaces places in a plugin's bundle by those in its sources, such as "index.ts:10:5". Node.js does the same with
 * `--enable-source-maps`, but reads the map at each start, not at the first error.
 */
class SourcePlaces {
  private map: SourceMap | undefined;
  private isRead = false;

  /** The URL of the bundle, as stacks name it; its source map is beside it. */
  constructor(private readonly bundle: string) {}

  /** Places that the map does not have, such as those of packages, stay as they are. */
  in(text: string): string {
    const [start = "", ...others] = text.split(`${this.bundle}:`);
    if (others.length === 0) return text;
    return start + others.map((part) => this.continued(part)).join("");
  }

  /** `part` is what follows the bundle and a colon. */
  private continued(part: string): string {
    const [place = "", line, column] = /^(\d+):(\d+)/.exec(part) ?? [];
    const source = line && column && this.source(Number(line), Number(column));
    return source ? `${source}${part.slice(place.length)}` : `${this.bundle}:${part}`;
  }

  private source(line: number, column: number): string | undefined {
    const entry = this.read()?.findEntry(line - 1, column - 1);
    if (entry === undefined || !("originalSource" in entry) || entry.originalSource === undefined)
      return undefined;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }

  private read(): SourceMap | undefined {
    if (this.isRead) return this.map;
    this.isRead = true;
    try {
      this.map = new SourceMap(JSON.parse(readFileSync(new URL(`${this.bundle}.map`), "utf8")));
    } catch {
      // Bundles of development hosts and of earlier versions have none.
    }
    return this.map;
  }
}
