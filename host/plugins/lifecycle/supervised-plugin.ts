import { type Log, RequestError } from "@slipway/sdk";
import type { Journal } from "../events/plugin-event.js";
import type {
  CallOrigin,
  LivePlugin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "../live-plugin.js";
import type { Stage, StateRecord } from "../plugin-state.js";
import type { PluginsConfiguration } from "../plugins-configuration.js";
import { tooManyServiceCalls, unavailable } from "../process/call-errors.js";
import type { Instance, InstanceCallbacks, WearCause } from "../process/instance.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { settlesWithin, wait } from "../timing.js";
import { Arrival } from "./arrival.js";
import { Holds } from "./holds.js";
import { RestartPauses } from "./restart-pauses.js";

/**
 * Brings up one instance that is fit to serve. `first` is false while another one serves. Ends early when the signal
 * aborts.
 */
export type BringUp = (
  callbacks: InstanceCallbacks,
  signal: AbortSignal,
  first: boolean,
) => Promise<{ instance: Instance; offer: PluginOffer }>;

/** What a version's owner wants to know of it. */
export interface VersionObserver {
  /** An instance ended, hung, or threw where nobody could catch it. Called at once, before anything else happens. */
  crashed(): void;
  /** Why, which may be known a little later. */
  explained(reason: string): void;
  /** It answered a request; `failed`: not, by its own fault. */
  answered(failed: boolean): void;
}

export interface SupervisedOptions {
  snapshot: Snapshot;
  aliases: readonly string[];
  bringUp: BringUp;
  configuration: PluginsConfiguration;
  record: StateRecord;
  observer: VersionObserver;
  journal: Journal;
  log: Log;
}

/**
 * That one plugin version runs at a time; more are refused at once. They do not wait in a queue, where calls could wait for
 * each other for ever.
 */
const maximumServiceCalls = 256;

/** A plugin version that serves for as long as the host wants it to, whatever becomes of its instances. */
export class SupervisedPlugin implements LivePlugin {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  readonly hash: string;
  private offer: PluginOffer = { routes: [], services: [], requirements: [] };
  private serving = 0;
  private readonly holds = new Holds();
  /** What it is while it has an instance. */
  private role: { stage: Stage; reason: string | undefined } = { stage: "probing", reason: undefined };
  private current: Instance | undefined;
  private lastLost: Instance | undefined;
  private replacing: Promise<void> | undefined;
  private readonly retiring = new Set<Promise<void>>();
  private readonly pauses = new RestartPauses();
  private readonly stopping = new AbortController();
  private arrival = new Arrival();

  constructor(private readonly options: SupervisedOptions) {
    this.name = options.snapshot.name;
    this.version = options.snapshot.version;
    this.hash = options.snapshot.hash;
    this.aliases = options.aliases;
  }

  /** Brings up the first instance. Rejects with why it cannot. */
  async start(): Promise<void> {
    this.offer = await this.launch();
    this.options.record.learn({ services: serviceNames(this.offer) });
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

  async call(call: PluginCall): Promise<PluginAnswer> {
    try {
      const instance = this.current ?? (await this.replacement(call));
      const answer = await instance.call(call);
      this.options.observer.answered(false);
      return answer;
    } catch (error) {
      if (!hasLeft(call)) this.options.observer.answered(isOwnFault(error));
      throw error;
    }
  }

  async serve(call: ServiceCall): Promise<ServiceAnswer> {
    if (this.serving >= maximumServiceCalls) throw tooManyServiceCalls(this.label);
    this.serving += 1;
    try {
      const instance = this.current ?? (await this.replacement(call));
      return await instance.serve(call);
    } finally {
      this.serving -= 1;
    }
  }

  hold(): () => void {
    return this.holds.take();
  }

  /** Whether it was asked to stop. */
  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** What it is from now on: it serves, or stands by. */
  become(stage: "live" | "standby", reason?: string): void {
    this.role = { stage, reason };
    if (this.current !== undefined) this.options.record.enter(stage, reason);
  }

  /** Lets everything finish that holds it, for as long as that may take; then ends its instances. */
  async retire(): Promise<void> {
    this.role = { stage: "draining", reason: undefined };
    this.options.record.enter("draining");
    await settlesWithin(
      Promise.race([this.holds.none(), aborted(this.stopping.signal)]),
      this.options.configuration.drainTimeout,
    );
    await this.stop();
  }

  /** Ends its instances; requests that still run get 503. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.arrival.cancel();
    this.options.record.enter("draining");
    const { current } = this;
    this.current = undefined;
    if (current !== undefined) this.dismiss(current, 0);
    await this.replacing;
    await Promise.all(this.retiring);
    this.options.record.learn({ processId: undefined });
    this.options.record.enter("stopped");
  }

  private async launch(): Promise<PluginOffer> {
    const { bringUp, record } = this.options;
    const callbacks: InstanceCallbacks = {
      worn: (instance, reason, cause) => this.worn(instance, reason, cause),
      lost: (instance) => this.lost(instance),
      ended: (instance, reason) => this.ended(instance, reason),
    };
    const { instance, offer } = await bringUp(callbacks, this.stopping.signal, this.current === undefined);
    const old = this.current;
    if (this.isStopped) {
      this.dismiss(instance, 0);
      return offer;
    }
    this.current = instance;
    record.learn({ processId: instance.processId });
    record.enter(this.role.stage, this.role.reason);
    this.arrival.announce(instance);
    if (old !== undefined) this.dismiss(old, this.options.configuration.drainTimeout);
    return offer;
  }

  private worn(instance: Instance, reason: string, cause: WearCause): void {
    if (this.current !== instance) return;
    if (cause === "fault") {
      this.options.observer.crashed();
      this.options.observer.explained(reason);
    }
    this.options.log.warn("An instance of a plugin will be replaced", { ...this.fields(instance), reason });
    this.replace();
  }

  private lost(instance: Instance): void {
    if (this.current !== instance) return;
    this.current = undefined;
    this.lastLost = instance;
    this.arrival = new Arrival();
    this.options.record.learn({ processId: undefined });
    this.options.record.enter("starting", "Its instance was lost.");
    this.options.observer.crashed();
    this.replace();
  }

  private ended(instance: Instance, reason: string): void {
    if (this.lastLost !== instance) return;
    this.lastLost = undefined;
    this.options.log.error("An instance of a plugin ended", { ...this.fields(instance), reason });
    const { name, version, hash } = this;
    this.options.observer.explained(reason);
    this.options.journal.note({ kind: "restart", plugin: name, version, hash, reason, actor: "host" });
    if (this.current === undefined) this.options.record.learn({ reason: `Its instance ended: ${reason}.` });
  }

  /** One replacement at a time; until it serves, the old instance does, if it can. */
  private replace(): void {
    if (this.replacing !== undefined || this.isStopped) return;
    this.replacing = this.replaceUntilDone().finally(() => {
      this.replacing = undefined;
      // It may have ended in the very moment in which it began to serve.
      if (this.current === undefined) this.replace();
    });
  }

  private async replaceUntilDone(): Promise<void> {
    const { record, log } = this.options;
    for (;;) {
      await wait(this.pauses.next(), this.stopping.signal);
      if (this.isStopped) return;
      record.learn({ replacements: record.current.replacements + 1 });
      try {
        await this.launch();
        return;
      } catch (error) {
        if (this.isStopped) return;
        log.error("A plugin could not be started again", { plugin: this.label, error });
        if (this.current === undefined)
          record.enter("failed", `It could not be started again: ${String(error)}`);
      }
    }
  }

  private dismiss(instance: Instance, patience: number): void {
    const retired = instance
      .drain(patience)
      .then(() => instance.stop())
      .catch((error: unknown) =>
        this.options.log.error("An instance did not stop", { plugin: this.label, error }),
      )
      .finally(() => this.retiring.delete(retired));
    this.retiring.add(retired);
  }

  /** The next instance that serves; 503 when it takes too long. */
  private async replacement(call: CallOrigin): Promise<Instance> {
    const { arrival } = this;
    let leave: () => void = () => undefined;
    const given = new Promise<void>((resolve) => {
      leave = resolve;
    });
    call.signal.addEventListener("abort", leave);
    if (call.signal.aborted || this.isStopped) leave();
    const patience = Math.min(this.options.configuration.replacementTimeout, call.deadline - Date.now());
    await settlesWithin(Promise.race([arrival.happened, given]), Math.max(0, patience));
    call.signal.removeEventListener("abort", leave);
    const instance = arrival.instance ?? this.current;
    if (instance === undefined || this.isStopped) throw unavailable(this.label);
    return instance;
  }

  private get label(): string {
    return `${this.name}@${this.version}`;
  }

  private fields(instance: Instance): Record<string, unknown> {
    return { plugin: this.label, processId: instance.processId };
  }
}

/** The services of an offer with the names of their methods. */
function serviceNames({ services }: PluginOffer): Record<string, string[]> {
  const names = new Set(services.map(({ service }) => service));
  const methods = (name: string): string[] =>
    services.filter(({ service }) => service === name).map(({ method }) => method);
  return Object.fromEntries([...names].map((name) => [name, methods(name)]));
}

/** Ids of errors that a plugin's requests end with because of the plugin. */
const ownFaults = ["plugin-error", "plugin-unavailable", "request-timeout"];

function isOwnFault(error: unknown): boolean {
  return !(error instanceof RequestError) || ownFaults.includes(error.id);
}

/** Whether a client went away before its deadline. */
function hasLeft({ signal, deadline }: CallOrigin): boolean {
  return signal.aborted && Date.now() < deadline;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
