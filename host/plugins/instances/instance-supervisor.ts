/** The instances of one version, one after the other: what is worn or lost is replaced for as long as it is wanted. */
import type { Log } from "@slipway/sdk";
import { type CallOrigin, type PluginOffer, unavailable } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { errorMessage } from "../../system/errors.js";
import { steadyTime } from "../../system/monotonic-time.js";
import type { Stage, StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { settlesWithin, wait } from "../timing.js";
import type { Instance, InstanceCallbacks, WearCause } from "./instance.js";

const first = 500;

const longest = 30_000;

const memory = 5 * 60_000;

/**
 * Brings up one instance that is fit to serve. `first` is false while another one serves. Ends early when the signal
 * aborts.
 */
export type BringUp = (
  callbacks: InstanceCallbacks,
  signal: AbortSignal,
  first: boolean,
) => Promise<{ instance: Instance; offer: PluginOffer }>;

/** What becomes of a version's instances. */
export interface InstanceObserver {
  /** An instance ended, hung, or threw where nobody could catch it. Called at once, before anything else happens. */
  crashed(): void;
  /** Why, which may be known a little later. */
  explained(reason: string): void;
}

export interface SuccessionOptions {
  snapshot: Snapshot;
  bringUp: BringUp;
  configuration: PluginsConfiguration;
  record: StateRecord;
  observer: InstanceObserver;
  journal: Journal;
  log: Log;
}

export class InstanceSuccession {
  /** What the version is while it has an instance. */
  private role: { stage: Stage; reason: string | undefined } = { stage: "probing", reason: undefined };
  private current: Instance | undefined;
  private lastLost: Instance | undefined;
  private replacing: Promise<void> | undefined;
  private readonly leaving = new Set<Promise<void>>();
  private readonly pauses = new RestartPauses();
  private readonly stopping = new AbortController();
  private ending: Promise<void> | undefined;
  private arrival = new Arrival();

  constructor(private readonly options: SuccessionOptions) {}

  /** Aborts when nothing is wanted any more. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** The version's stage from now on, as long as it has an instance. */
  become(stage: Stage, reason?: string): void {
    this.role = { stage, reason };
    if (this.current !== undefined) this.options.record.transition(stage, reason);
  }

  /** The instance that serves, or the next one; 503 when that takes too long. */
  async instance(call: CallOrigin): Promise<Instance> {
    return this.current ?? (await this.replacement(call));
  }

  /** Ends all instances; requests that still run get 503. */
  stop(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    this.arrival.cancel();
    this.options.record.transition("draining");
    const { current } = this;
    this.current = undefined;
    if (current !== undefined) this.dismiss(current, 0);
    await this.replacing;
    await Promise.all(this.leaving);
    this.options.record.update({ processId: undefined });
    this.options.record.transition("stopped");
  }

  /** Brings up an instance and lets the one before finish. Rejects with why it cannot. */
  async launch(): Promise<PluginOffer> {
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
    record.update({ processId: instance.processId });
    record.transition(this.role.stage, this.role.reason);
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
    this.options.record.update({ processId: undefined });
    this.options.record.transition("starting", "Its instance was lost.");
    this.options.observer.crashed();
    this.replace();
  }

  private ended(instance: Instance, reason: string): void {
    if (this.lastLost !== instance) return;
    this.lastLost = undefined;
    this.options.log.error("An instance of a plugin ended", { ...this.fields(instance), reason });
    const { name, version, hash } = this.options.snapshot;
    this.options.observer.explained(reason);
    this.options.journal.note({ kind: "restart", plugin: name, version, hash, reason, actor: "host" });
    if (this.current === undefined) this.options.record.update({ reason: `Its instance ended: ${reason}.` });
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
      record.update({ replacements: record.current.replacements + 1 });
      try {
        await this.launch();
        return;
      } catch (error) {
        if (this.isStopped) return;
        log.error("A plugin could not be started again", { plugin: this.label, error });
        if (this.current === undefined) this.notStarted(error);
      }
    }
  }

  /** Clients get as little of it as of one that crashes. */
  private notStarted(error: unknown): void {
    const reason = errorMessage(error);
    this.options.record.transition("failed", `It could not be started again: ${reason}`);
    this.options.observer.crashed();
    this.options.observer.explained(`it could not be started again: ${reason.replace(/\.$/, "")}`);
  }

  private dismiss(instance: Instance, patience: number): void {
    const retired = instance
      .drain(patience)
      .then(() => instance.stop())
      .catch((error: unknown) =>
        this.options.log.error("An instance did not stop", { plugin: this.label, error }),
      )
      .finally(() => this.leaving.delete(retired));
    this.leaving.add(retired);
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
    const patience = Math.min(this.options.configuration.replacementTimeout, call.deadline - steadyTime());
    await settlesWithin(Promise.race([arrival.happened, given]), Math.max(0, patience));
    call.signal.removeEventListener("abort", leave);
    const instance = arrival.instance ?? this.current;
    if (instance === undefined || this.isStopped) throw unavailable(this.label);
    return instance;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private get label(): string {
    return `${this.options.snapshot.name}@${this.options.snapshot.version}`;
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

/** How long to wait before an instance is replaced: not at all at first, longer and longer when it keeps ending. */
class RestartPauses {
  private replaced: number[] = [];

  /** Milliseconds; counts as one replacement. */
  next(now = steadyTime()): number {
    this.replaced = this.replaced.filter((moment) => now - moment < memory);
    const before = this.replaced.length;
    this.replaced.push(now);
    return before === 0 ? 0 : Math.min(longest, first * 2 ** (before - 1));
  }
}
