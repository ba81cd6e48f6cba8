/** Host side of an instance: one plugin version in its own process. */
import { type Log, RequestError, type TSchema } from "@slipway/sdk";
import type { Message, Received } from "@slipway/sdk/runtime";
import {
  type AskedMethod,
  callPlugin,
  describedOffer,
  type HostServices,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  type PluginPeer,
  plain,
  pluginFailed,
  type RunningCall,
  RunningCalls,
  type SentCall,
  ServiceAccess,
  unavailable,
  untraced,
} from "@slipway/sdk/runtime/host";
import type { PluginGrants } from "../../configuration/plugin-grants.js";
import { type GrantedPlugin, memoryLimits } from "../../configuration/plugin-limits.js";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { logWith } from "../../observability/log.js";
import type { PluginMeasures } from "../../observability/measures.js";
import type { Confinement } from "../../system/confinement/confinement.js";
import { monotonicTime, settlesWithin, wait } from "../../system/time.js";
import { type GrantedPermissions, grantedPermissions } from "../permissions/permissions.js";
import { requireValidSchedule } from "../schedules/schedules.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { Channel, ChannelClosed } from "./channel.js";
import { InstanceProcess } from "./instance-process.js";
import { InstanceMetrics, readProgress } from "./instance-reports.js";
import { readFault, readSchema, readStep, speaksOurProtocol, startMessage } from "./messages.js";

/**
 * Why an instance should be recycled. `fault`: an uncaught exception. `use`: memory, or a handler that does not end.
 */
export type RecycleReason = "fault" | "use";

/** Callbacks for changes of an instance. */
export interface InstanceCallbacks {
  /** The instance still answers, but should be recycled. */
  recycle(instance: Instance, reason: string, cause: RecycleReason): void;
  /** The instance no longer answers; called once, before `ended`. */
  lost(instance: Instance): void;
  /** The process has ended; called once. */
  ended(instance: Instance, reason: string): void;
  /** The plugin has reported the schema of its configuration, which is not checked yet. */
  described(schema: TSchema): void;
}

export interface InstanceOptions {
  snapshot: Snapshot;
  settings: Record<string, unknown>;
  configuration: PluginsConfiguration;
  services: HostServices;
  confinement: Confinement;
  /** What a plugin is granted now. */
  grantsOf(plugin: GrantedPlugin): PluginGrants;
  measures?: PluginMeasures | undefined;
  log: Log;
  callbacks: InstanceCallbacks;
}

const unfinished = {
  process: "its process did not begin to load it",
  load: "its modules did not finish loading; a top-level `await` may never end",
  setup: "`setup` did not return",
  probe: "its probe or a smoke request did not finish",
};

const megabyte = 1024 * 1024;
/** Milliseconds that a process may outlive its channel. */
const afterChannel = 2000;

export class Instance implements PluginPeer {
  /** Resolves with the reason when the process has ended. */
  readonly gone: Promise<string>;
  /** Name and version, such as "oex@1.6.0". */
  readonly label: string;
  private readonly process: InstanceProcess;
  private readonly channel: Channel;
  private readonly permissions: GrantedPermissions;
  private readonly access: ServiceAccess;
  private readonly metrics: InstanceMetrics;
  readonly running = new RunningCalls();
  private readonly greeted: Promise<void>;
  private greet: (values: unknown) => void = () => undefined;
  private culprit: number | undefined;
  private isTorn = false;
  private step: keyof typeof unfinished = "process";

  /** Throws when the system refuses to start the process. */
  constructor(private readonly options: InstanceOptions) {
    const { snapshot, configuration, services, log } = options;
    this.label = `${snapshot.name}@${snapshot.version}`;
    const maximumFrame = configuration.message * megabyte;
    this.permissions = grantedPermissions(
      snapshot.permissions,
      options.grantsOf(snapshot),
      options.confinement.mode,
    );
    this.process = new InstanceProcess({
      label: this.label,
      folder: snapshot.folder,
      packageFolder: snapshot.packageFolder,
      confinement: options.confinement,
      permissions: this.permissions,
      maximumFrame,
      sourceMaps: configuration.development,
      memory: memoryLimits(configuration, snapshot),
      log,
      logOf: (request) => this.running.logOf(request),
      aboveMemory: (limit, megabytes) => this.aboveMemory(limit, megabytes),
    });
    this.access = new ServiceAccess(
      { name: snapshot.name, version: snapshot.version, permits: this.permissions },
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

  /** Whether it no longer answers. */
  get isLost(): boolean {
    return this.isTorn;
  }

  get processId(): number | undefined {
    return this.process.id;
  }

  /** What a start that does not end is waiting for, as a sentence without its full stop. */
  get unfinished(): string {
    return unfinished[this.step];
  }

  /** Loads the plugin and sets it up. Rejects with the reason when that fails. */
  async start(): Promise<PluginOffer> {
    await this.orGone(this.greeted);
    const { snapshot, settings, configuration } = this.options;
    const message = startMessage(snapshot, {
      settings,
      projectCache: configuration.projectCache * megabyte,
      folders: this.permissions.folders,
    });
    const offer = describedOffer(await this.orGone(this.channel.call("start", message)));
    for (const schedule of offer.schedules) requireValidSchedule(schedule);
    this.step = "probe";
    return offer;
  }

  /** Runs the plugin's own probe. Rejects when the plugin is not fit to serve. */
  async probe(): Promise<void> {
    await this.orGone(this.channel.call("probe", plain));
  }

  /** Answers one request. Rejects with a `RequestError`. */
  async call(call: PluginCall): Promise<PluginAnswer> {
    return await callPlugin(this, call);
  }

  /** Resolves when no request is running; after `milliseconds` the remaining ones get 503. */
  async drain(milliseconds: number): Promise<void> {
    if (await settlesWithin(Promise.race([this.running.drained(), this.gone]), milliseconds)) return;
    this.running.end(unavailable(this.label));
  }

  /** Stops the plugin, then its process; kills it after a timeout. */
  async stop(): Promise<void> {
    const stopped = this.channel.call("stop", plain);
    await settlesWithin(Promise.race([stopped, this.gone]), this.options.configuration.stopTimeout);
    await this.process.end("it was stopped");
  }

  /** Requests a replacement without losing a request. */
  recycle(reason: string, cause: RecycleReason = "use"): void {
    this.options.callbacks.recycle(this, reason, cause);
  }

  kill(cause: string): void {
    this.process.kill(cause);
    this.channel.close(new ChannelClosed(cause));
  }

  /** Sends a call to the process. */
  async ask(method: AskedMethod, message: Message, { running }: SentCall): Promise<Received> {
    if (this.channel.unsent > this.options.configuration.message * megabyte) throw unavailable(this.label);
    const abandoned = (settled: Promise<void>): void =>
      void watchAbandoned(running, settled, this, this.channel);
    return await this.channel.call(method, message, { signal: running.signal, abandoned });
  }

  /** The error of a failed call: a failure of the plugin, or the end of its process. */
  async shown(error: unknown, request: number): Promise<RequestError> {
    if (error instanceof RequestError) return error;
    if (!(error instanceof ChannelClosed)) return pluginFailed(this.label, error);
    const reason = await this.gone;
    return this.culprit === request ? pluginFailed(this.label, reason) : unavailable(this.label, reason);
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
    else if (kind === "progress") this.takeProgress(values);
    else if (kind === "metrics") this.metrics.take(values);
    else if (kind === "step") this.step = readStep(values) ?? this.step;
    else if (kind === "fault") this.fault(values);
    else if (kind === "configuration") this.describe(readSchema(values));
  }

  private takeProgress(values: unknown): void {
    const note = readProgress(values);
    if (note === undefined) return;
    const { request, ...progress } = note;
    this.running.get(request)?.origin.progress?.(progress);
  }

  private describe(schema: TSchema | undefined): void {
    if (schema !== undefined) this.options.callbacks.described(schema);
  }

  /** Handles an uncaught exception: its request fails, the others finish, then the instance is replaced. */
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

  /** An instance without a channel cannot serve; one that broke the protocol is killed. */
  private torn(error: Error): void {
    this.isTorn = true;
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

  /** A process that ends on its own while it runs a single request is assumed to end because of it. */
  private blameSingle(): void {
    this.culprit ??= this.running.single;
  }

  /** The reason for the end of a process is more useful than the error of its closed channel. */
  private async orGone<T>(promise: Promise<T>): Promise<T> {
    const known = promise.catch((error: unknown) =>
      error instanceof ChannelClosed ? new Promise<T>(() => {}) : Promise.reject(error),
    );
    const gone = this.gone.then((reason) => Promise.reject(new Error(`Its process ended: ${reason}.`)));
    return await Promise.race([known, gone]);
  }
}

/** Milliseconds after a deadline for an instance to respond, and then for a handler to end. */
const afterDeadline = 2000;

/** The instance of an abandoned call. */
interface AffectedInstance {
  /** Resolves when its process is gone. */
  readonly gone: Promise<unknown>;
  kill(cause: string): void;
  recycle(reason: string): void;
}

/**
 * Watches an abandoned call: kills an instance that does not respond after the deadline, and recycles one whose handler
 * does not end. `settled` resolves when the handler is done, `ping` when the instance answers.
 */
async function watchAbandoned(
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
