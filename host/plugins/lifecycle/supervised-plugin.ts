import type { Log } from "@slipway/sdk";
import type {
  CallOrigin,
  LivePlugin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "../live-plugin.js";
import type { StateRecord } from "../plugin-state.js";
import type { PluginsConfiguration } from "../plugins-configuration.js";
import { tooManyServiceCalls, unavailable } from "../process/call-errors.js";
import type { Instance, InstanceCallbacks } from "../process/instance.js";
import type { Snapshot } from "../snapshots/snapshot-store.js";
import { settlesWithin, wait } from "../timing.js";
import { RestartPauses } from "./restart-pauses.js";

/** Brings up one instance that is fit to serve. Ends early when the signal aborts. */
export type BringUp = (
  callbacks: InstanceCallbacks,
  signal: AbortSignal,
) => Promise<{ instance: Instance; offer: PluginOffer }>;

export interface SupervisedOptions {
  snapshot: Snapshot;
  aliases: readonly string[];
  bringUp: BringUp;
  configuration: PluginsConfiguration;
  record: StateRecord;
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
  private offer: PluginOffer = { routes: [], services: [] };
  private serving = 0;
  private holds = 0;
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

  async call(call: PluginCall): Promise<PluginAnswer> {
    const instance = this.current ?? (await this.replacement(call));
    return await instance.call(call);
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
    this.holds += 1;
    return () => {
      this.holds -= 1;
    };
  }

  /** Ends its instances; requests that still run get 503. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.arrival.cancel();
    this.options.record.enter("draining");
    const { current } = this;
    this.current = undefined;
    if (current !== undefined) this.retire(current, 0);
    await this.replacing;
    await Promise.all(this.retiring);
    this.options.record.learn({ processId: undefined });
    this.options.record.enter("stopped");
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async launch(): Promise<PluginOffer> {
    const { bringUp, record } = this.options;
    const callbacks: InstanceCallbacks = {
      worn: (instance, reason) => this.worn(instance, reason),
      lost: (instance) => this.lost(instance),
      ended: (instance, reason) => this.ended(instance, reason),
    };
    const { instance, offer } = await bringUp(callbacks, this.stopping.signal);
    const old = this.current;
    if (this.stopped) {
      this.retire(instance, 0);
      return offer;
    }
    this.current = instance;
    record.learn({ processId: instance.processId });
    record.enter("live");
    this.arrival.announce(instance);
    if (old !== undefined) this.retire(old, this.options.configuration.drainTimeout);
    return offer;
  }

  private worn(instance: Instance, reason: string): void {
    if (this.current !== instance) return;
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
    this.replace();
  }

  private ended(instance: Instance, reason: string): void {
    if (this.lastLost !== instance) return;
    this.lastLost = undefined;
    this.options.log.error("An instance of a plugin ended", { ...this.fields(instance), reason });
    if (this.current === undefined) this.options.record.learn({ reason: `Its instance ended: ${reason}.` });
  }

  /** One replacement at a time; until it serves, the old instance does, if it can. */
  private replace(): void {
    if (this.replacing !== undefined || this.stopped) return;
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
      if (this.stopped) return;
      record.learn({ replacements: record.current.replacements + 1 });
      try {
        await this.launch();
        return;
      } catch (error) {
        if (this.stopped) return;
        log.error("A plugin could not be started again", { plugin: this.label, error });
        if (this.current === undefined)
          record.enter("failed", `It could not be started again: ${String(error)}`);
      }
    }
  }

  private retire(instance: Instance, patience: number): void {
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
    if (call.signal.aborted || this.stopped) leave();
    const patience = Math.min(this.options.configuration.replacementTimeout, call.deadline - Date.now());
    await settlesWithin(Promise.race([arrival.happened, given]), Math.max(0, patience));
    call.signal.removeEventListener("abort", leave);
    const instance = arrival.instance ?? this.current;
    if (instance === undefined || this.stopped) throw unavailable(this.label);
    return instance;
  }

  private get label(): string {
    return `${this.name}@${this.version}`;
  }

  private fields(instance: Instance): Record<string, unknown> {
    return { plugin: this.label, processId: instance.processId };
  }
}

/** The moment in which the next instance begins to serve, or in which it is certain that none will. */
class Arrival {
  instance: Instance | undefined;
  cancel: () => void = () => undefined;
  readonly happened = new Promise<void>((resolve) => {
    this.cancel = resolve;
  });

  announce(instance: Instance): void {
    this.instance = instance;
    this.cancel();
  }
}

/** The services of an offer with the names of their methods. */
function serviceNames({ services }: PluginOffer): Record<string, string[]> {
  const names = new Set(services.map(({ service }) => service));
  const methods = (name: string): string[] =>
    services.filter(({ service }) => service === name).map(({ method }) => method);
  return Object.fromEntries([...names].map((name) => [name, methods(name)]));
}
