/**
 * Instances: the processes in which plugin versions run.
 *
 * Goes in: a snapshot, its settings, and the services that the host offers to plugins. Comes out: a `SupervisedPlugin`,
 * which answers calls as long as it is wanted. It starts a process, lets the plugin probe itself, sends the smoke and
 * warm-up requests of the manifest, and replaces a process that ends, hangs or takes too much memory.
 *
 * Owns the processes, their channels and the protocol on these; `child` is the program of such a process. Reports crashes
 * and answers to a `VersionObserver`. Does not choose versions; that is `deployment`.
 */
import { RequestError } from "@slipway/sdk";
import {
  type CallOrigin,
  callServiceOf,
  type LivePlugin,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  runScheduleOf,
  runSessionHookOf,
  type ScheduleCall,
  type ServiceAnswer,
  type ServiceCall,
  type SessionHookCall,
  tooManyServiceCalls,
  unavailable,
} from "@slipway/sdk/runtime/host";
import { monotonicTime, settlesWithin } from "../../system/time.js";
import type { Instance } from "./instance.js";
import {
  type InstanceObserver,
  InstanceSupervisor,
  type InstanceSupervisorOptions,
  type PreparedInstance,
} from "./instance-supervisor.js";

export type { PreparedInstance } from "./instance-supervisor.js";
export { instanceSchemas } from "./messages.js";
export { withSampleSession } from "./sample-session.js";

/** Observes the answers and failures of a version. */
export interface VersionObserver extends InstanceObserver {
  /** A request was answered; `failed`: it failed because of the version. */
  answered(failed: boolean): void;
}

export interface SupervisedOptions extends InstanceSupervisorOptions {
  observer: VersionObserver;
}

/**
 * Limit of concurrent service calls per plugin version. Further calls are refused: in a queue, calls could wait for
 * each other forever.
 */
const maximumServiceCalls = 256;

/** A plugin version that serves until the host stops it; its instances are replaced as needed. */
export class SupervisedPlugin implements LivePlugin {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  readonly hash: string;
  private offer: PluginOffer = {
    routes: [],
    services: [],
    requirements: [],
    schedules: [],
    sessionHooks: [],
  };
  /** As in calls. */
  private routeNames: ReadonlySet<string> = new Set();
  private serving = 0;
  private readonly asked = new Set<Promise<unknown>>();
  private readonly lease = new Lease();
  private readonly instances: InstanceSupervisor;

  constructor(private readonly options: SupervisedOptions) {
    const { name, version, hash, aliases } = options.snapshot;
    this.name = name;
    this.version = version;
    this.hash = hash;
    this.aliases = aliases;
    this.instances = new InstanceSupervisor(options);
  }

  /** Starts the first instance. Rejects with the reason when that fails. */
  async start(): Promise<void> {
    this.take(await this.instances.launch());
  }

  /**
   * Starts an instance with the present configuration, beside the serving one. Rejects with the reason when that fails.
   * Once it serves, what the version offers may have changed.
   */
  async prepare(): Promise<PreparedInstance> {
    const prepared = await this.instances.prepare();
    return {
      offer: prepared.offer,
      discard: prepared.discard,
      get isLost() {
        return prepared.isLost;
      },
      take: () => {
        prepared.take();
        this.take(prepared.offer);
      },
    };
  }

  private take(offer: PluginOffer): void {
    this.offer = offer;
    this.routeNames = new Set(offer.routes.map(({ method, path }) => `${method} ${path}`));
    const { sessionHooks } = offer;
    const hooks = sessionHooks.length === 0 ? undefined : sessionHooks.map(({ hook }) => hook);
    this.options.record.update({ services: serviceNames(offer), sessionHooks: hooks });
  }

  get routes(): PluginOffer["routes"] {
    return this.offer.routes;
  }

  get services(): PluginOffer["services"] {
    return this.offer.services;
  }

  get requirements(): PluginOffer["requirements"] {
    return this.offer.requirements;
  }

  get schedules(): PluginOffer["schedules"] {
    return this.offer.schedules;
  }

  get sessionHooks(): PluginOffer["sessionHooks"] {
    return this.offer.sessionHooks;
  }

  async call(call: PluginCall): Promise<PluginAnswer> {
    // Another configuration was taken since the route was found.
    if (!this.routeNames.has(call.route)) throw unavailable(`${this.name}@${this.version}`);
    return await this.observed(call, (instance) => instance.call(call));
  }

  async serve(call: ServiceCall): Promise<ServiceAnswer> {
    if (this.serving >= maximumServiceCalls) throw tooManyServiceCalls(`${this.name}@${this.version}`);
    this.serving += 1;
    try {
      return await this.observed(call, (instance) => callServiceOf(instance, call));
    } finally {
      this.serving -= 1;
    }
  }

  async run(call: ScheduleCall): Promise<void> {
    await this.observed(call, (instance) => runScheduleOf(instance, call));
  }

  async runHook(call: SessionHookCall): Promise<void> {
    await this.observed(call, (instance) => runSessionHookOf(instance, call));
  }

  /** Resolves when every current request is answered. */
  async answers(): Promise<void> {
    await Promise.allSettled(this.asked);
  }

  hold(): () => void {
    return this.lease.acquire();
  }

  /** Whether the version was asked to stop. */
  get isStopped(): boolean {
    return this.instances.stopped.aborted;
  }

  /** Sets the stage of the version. */
  become(stage: "live" | "standby", reason?: string): void {
    this.instances.become(stage, reason);
  }

  /** Waits until all holders have finished, at most for the drain timeout; then ends the instances. */
  async retire(): Promise<void> {
    this.instances.become("draining");
    const free = Promise.race([this.lease.whenIdle(), aborted(this.instances.stopped)]);
    await settlesWithin(free, this.options.configuration.drainTimeout);
    await this.stop();
  }

  /** Ends the instances; running requests get 503. */
  async stop(): Promise<void> {
    await this.instances.stop();
  }

  private async observed<A>(call: CallOrigin, ask: (instance: Instance) => Promise<A>): Promise<A> {
    const asked = this.instances.instance(call).then(ask);
    this.asked.add(asked);
    try {
      const answer = await asked;
      this.options.observer.answered(false);
      return answer;
    } catch (error) {
      if (!hasLeft(call)) this.options.observer.answered(isOwnFault(error));
      throw error;
    } finally {
      this.asked.delete(asked);
    }
  }
}

function serviceNames({ services }: PluginOffer): Record<string, string[]> {
  const names = new Set(services.map(({ service }) => service));
  const methods = (name: string): string[] =>
    services.filter(({ service }) => service === name).map(({ method }) => method);
  return Object.fromEntries([...names].map((name) => [name, methods(name)]));
}

/** Ids of errors that the plugin causes. */
const ownFaults = ["plugin-error", "plugin-unavailable", "request-timeout"];

function isOwnFault(error: unknown): boolean {
  return !(error instanceof RequestError) || ownFaults.includes(error.id);
}

/** Whether the client disconnected before the deadline. */
function hasLeft({ signal, deadline }: CallOrigin): boolean {
  return signal.aborted && monotonicTime() < deadline;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Counts the holders of a version, so that the last release can be awaited. */
class Lease {
  private count = 0;
  private waiting: (() => void)[] = [];

  /** Adds a holder. The result releases it; further calls have no effect. */
  acquire(): () => void {
    this.count += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.count -= 1;
      if (this.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
    };
  }

  /** Resolves when there are no holders. */
  async whenIdle(): Promise<void> {
    while (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
