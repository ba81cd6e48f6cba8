/** One plugin version in a process of its own, seen from the host. */
import { type Log, RequestError } from "@slipway/sdk";
import type { Message, Received } from "@slipway/sdk/runtime";
import {
  describedOffer,
  type HostServices,
  handleMessage,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  plain,
  pluginFailed,
  RunningCall,
  RunningCalls,
  readAnswer,
  readServiceAnswer,
  ServiceAccess,
  type ServiceAnswer,
  type ServiceCall,
  serveMessage,
  unavailable,
  untraced,
} from "@slipway/sdk/runtime/host";
import { memoryLimits } from "../../configuration/plugin-limits.js";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { logWith } from "../../observability/log.js";
import type { PluginMeasures } from "../../observability/measures.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import { settlesWithin, wait } from "../../system/timing.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { Channel, ChannelClosed } from "./channel.js";
import { InstanceProcess } from "./instance-process.js";
import { InstanceMetrics } from "./instance-reports.js";
import { readFault, speaksOurProtocol, startMessage } from "./messages.js";

/** Why an instance should be recycled: `fault`, an uncaught exception; `use`, memory or a handler that does not end. */
export type RecycleReason = "fault" | "use";

/** Hears of changes of an instance. */
export interface InstanceCallbacks {
  /** It still answers, but should be recycled. */
  recycle(instance: Instance, reason: string, cause: RecycleReason): void;
  /** It answers nothing any more; called once, before `ended`. */
  lost(instance: Instance): void;
  /** Its process is gone; called once. */
  ended(instance: Instance, reason: string): void;
}

export interface InstanceOptions {
  snapshot: Snapshot;
  settings: Record<string, unknown>;
  configuration: PluginsConfiguration;
  services: HostServices;
  measures?: PluginMeasures | undefined;
  log: Log;
  callbacks: InstanceCallbacks;
}

const megabyte = 1024 * 1024;
/** How long a process may live on without its channel. */
const afterChannel = 2000;

export class Instance {
  /** Resolves with why, when the process is gone. */
  readonly gone: Promise<string>;
  private readonly label: string;
  private readonly process: InstanceProcess;
  private readonly channel: Channel;
  private readonly access: ServiceAccess;
  private readonly metrics: InstanceMetrics;
  private readonly running = new RunningCalls();
  private readonly greeted: Promise<void>;
  private greet: (values: unknown) => void = () => undefined;
  private culprit: number | undefined;

  /** Starts the process. Throws when the system refuses. */
  constructor(private readonly options: InstanceOptions) {
    const { snapshot, configuration, services, log } = options;
    this.label = `${snapshot.name}@${snapshot.version}`;
    const maximumFrame = configuration.message * megabyte;
    this.process = new InstanceProcess({
      label: this.label,
      folder: snapshot.folder,
      maximumFrame,
      sourceMaps: configuration.development,
      memory: memoryLimits(configuration, snapshot),
      log,
      logOf: (request) => this.running.logOf(request),
      aboveMemory: (limit, megabytes) => this.aboveMemory(limit, megabytes),
    });
    this.access = new ServiceAccess(
      { name: snapshot.name, version: snapshot.version },
      services,
      this.running,
      untraced(logWith(log, { plugin: this.label })),
    );
    this.metrics = new InstanceMetrics(snapshot, options.measures);
    this.greeted = new Promise((resolve) => {
      this.greet = (values) =>
        speaksOurProtocol(values) ? resolve() : this.kill("it speaks another protocol");
    });
    this.channel = new Channel({
      stream: this.process.stream,
      maximumFrame,
      serve: (service, message, signal) => this.access.call(service, message, signal),
      note: (kind, message) => this.note(kind, message),
      closed: (error) => this.torn(error),
    });
    this.gone = this.process.gone.then((reason) => this.finish(reason));
  }

  get processId(): number | undefined {
    return this.process.id;
  }

  /** Loads the plugin and sets it up. Rejects with what went wrong. */
  async start(): Promise<PluginOffer> {
    await this.orGone(this.greeted);
    const { snapshot, settings, configuration } = this.options;
    const message = startMessage(snapshot, settings, configuration.projectCache * megabyte);
    return describedOffer(await this.orGone(this.channel.call("start", message)));
  }

  /** Asks the plugin whether it is fit to serve. Rejects when not. */
  async probe(): Promise<void> {
    await this.orGone(this.channel.call("probe", plain));
  }

  /** Answers one request. Rejects with a `RequestError`. */
  async call(call: PluginCall): Promise<PluginAnswer> {
    const running = new RunningCall(call, this.label, call.route, undefined);
    return await this.run(running, "handle", (request) => handleMessage(call, request), readAnswer);
  }

  /** Runs a service method for another plugin. Rejects with a `RequestError`. */
  async serve(call: ServiceCall): Promise<ServiceAnswer> {
    const running = new RunningCall(call, this.label, `${call.service}.${call.method}`, call.caller);
    return await this.run(running, "serve", (request) => serveMessage(call, request), readServiceAnswer);
  }

  /** Ends when no request runs here any more; after `milliseconds` the rest are given up. */
  async drain(milliseconds: number): Promise<void> {
    if (await settlesWithin(Promise.race([this.running.drained(), this.gone]), milliseconds)) return;
    this.running.end(unavailable(this.label));
  }

  /** Stops the plugin, then its process; what does not end is killed. */
  async stop(): Promise<void> {
    const stopped = this.channel.call("stop", plain);
    await settlesWithin(Promise.race([stopped, this.gone]), this.options.configuration.stopTimeout);
    await this.process.end("it was stopped");
  }

  /** Has it recycled, without losing a request. */
  recycle(reason: string, cause: RecycleReason = "use"): void {
    this.options.callbacks.recycle(this, reason, cause);
  }

  /** Ends the process at once. */
  kill(cause: string): void {
    this.process.kill(cause);
    this.channel.close(new ChannelClosed(cause));
  }

  private async run<A>(
    running: RunningCall,
    method: string,
    message: (request: number) => Message,
    read: (received: Received) => A | undefined,
  ): Promise<A> {
    const request = this.running.begin(running);
    try {
      if (this.channel.unsent > this.options.configuration.message * megabyte) throw unavailable(this.label);
      const abandoned = (settled: Promise<void>): void =>
        void watchAbandoned(running, settled, this, this.channel);
      const options = { signal: running.signal, abandoned };
      const answer = read(await this.channel.call(method, message(request), options));
      if (answer === undefined) throw pluginFailed(this.label, "its answer is invalid");
      return answer;
    } catch (error) {
      running.files.discard();
      throw await this.shown(error, request);
    } finally {
      this.running.finish(request);
    }
  }

  private aboveMemory(limit: "soft" | "hard", megabytes: number): void {
    if (limit === "soft") {
      this.recycle(`it takes ${megabytes} MB of memory`);
      return;
    }
    this.blameSingle();
    this.kill(`it took ${megabytes} MB of memory (hard of plugins.memory or plugins.limits)`);
  }

  private note(kind: string, { values }: Received): void {
    if (kind === "hello") this.greet(values);
    else if (kind === "log") this.process.log.write(values);
    else if (kind === "metrics") this.metrics.take(values);
    else if (kind === "fault") this.fault(values);
  }

  /** An uncaught exception: its request fails, the others finish, then this instance is replaced. */
  private fault(values: unknown): void {
    const fault = readFault(values);
    if (fault === undefined) return;
    const { kind, detail, request } = fault;
    const running = request === undefined ? undefined : this.running.get(request);
    const log = running?.origin.work.log ?? this.options.log;
    const fields = { plugin: this.label, processId: this.processId, detail };
    // A process that the host ends reports its exit too.
    if (!this.process.condemned) log.error("A plugin failed outside of its handlers", fields);
    if (kind === "exit") {
      this.culprit = request;
      return;
    }
    running?.end(pluginFailed(this.label));
    this.recycle("it had an uncaught exception", "fault");
  }

  /** An instance without its channel is useless, and a peer that broke the protocol is not trusted with another frame. */
  private torn(error: Error): void {
    this.options.callbacks.lost(this);
    if (!(error instanceof ChannelClosed)) this.process.kill(`it broke the protocol: ${error.message}`);
    else if (!this.process.condemned) {
      void settlesWithin(this.gone, afterChannel).then(
        (ended) => ended || this.process.kill("it closed its channel"),
      );
    }
  }

  private finish(reason: string): string {
    if (!this.process.condemned) this.blameSingle();
    this.access.end();
    this.channel.close(new ChannelClosed(reason));
    this.options.callbacks.ended(this, reason);
    return reason;
  }

  /** A process that ended on its own while it worked on one request ended because of that one. */
  private blameSingle(): void {
    this.culprit ??= this.running.single;
  }

  private async shown(error: unknown, request: number): Promise<RequestError> {
    if (error instanceof RequestError) return error;
    if (!(error instanceof ChannelClosed)) return pluginFailed(this.label, error);
    const reason = await this.gone;
    return this.culprit === request ? pluginFailed(this.label, reason) : unavailable(this.label, reason);
  }

  /** The reason why a process ended is more useful than the error of its closed channel. */
  private async orGone<T>(promise: Promise<T>): Promise<T> {
    const known = promise.catch((error: unknown) =>
      error instanceof ChannelClosed ? new Promise<T>(() => {}) : Promise.reject(error),
    );
    const gone = this.gone.then((reason) => Promise.reject(new Error(`Its process ended: ${reason}.`)));
    return await Promise.race([known, gone]);
  }
}

/** How long after a deadline an instance may keep silent, and a handler may go on. */
const afterDeadline = 2000;

/** The instance in which a call was given up. */
interface AffectedInstance {
  /** Resolves when its process is gone. */
  readonly gone: Promise<unknown>;
  kill(cause: string): void;
  recycle(reason: string): void;
}

/**
 * Watches a call that was abandoned: an instance that is still silent after the deadline is killed. `settled`
 * resolves when the handler is done, `ping` when the instance answers.
 */
export async function watchAbandoned(
  { what, origin }: RunningCall,
  settled: Promise<void>,
  instance: AffectedInstance,
  channel: { ping(): Promise<void> },
): Promise<void> {
  const { gone } = instance;
  const over = new AbortController();
  await Promise.race([settled, gone, wait(Math.max(0, origin.deadline - monotonicTime()), over.signal)]);
  over.abort();
  const sign = Promise.race([settled, gone, channel.ping()]);
  if (!(await settlesWithin(sign, afterDeadline))) {
    instance.kill(`it did not react for ${afterDeadline} ms after the deadline of ${what}`);
  } else if (!(await settlesWithin(Promise.race([settled, gone]), afterDeadline))) {
    instance.recycle(`the handler of ${what} goes on after its request ended`);
  }
}
