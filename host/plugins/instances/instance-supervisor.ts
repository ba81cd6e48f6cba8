/** The instances of one version, one after the other: one that is to be recycled or was lost is replaced for as long as the version is wanted. */
import type { Log } from "@slipway/sdk";
import { type CallOrigin, type PluginOffer, unavailable } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { errorMessage } from "../../system/errors.js";
import { monotonicTime } from "../../system/monotonic-time.js";
import { restartPause } from "../../system/supervised-process.js";
import { settlesWithin, wait } from "../../system/timing.js";
import type { Stage, StateRecord } from "../plugin-state.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { Instance, InstanceCallbacks, RecycleReason } from "./instance.js";

/** Milliseconds; none for the first time. */
const pauses = { first: 500, longest: 30_000 };

/** Replacements that are longer ago do not count. */
const pauseWindow = 5 * 60_000;

/** Brings up one instance that is ready to serve. Calls `probing` once it is set up. Ends early when the signal aborts. */
export type BringUp = (
  callbacks: InstanceCallbacks,
  signal: AbortSignal,
  probing: () => void,
) => Promise<{ instance: Instance; offer: PluginOffer }>;

/** Hears of failures of a version's instances. */
export interface InstanceObserver {
  /** An instance ended, hung, or had an uncaught exception. Called synchronously, before it is replaced. */
  crashed(): void;
  /** The reason, which may be known a little later. */
  explained(reason: string): void;
}

export interface InstanceSupervisorOptions {
  snapshot: Snapshot;
  bringUp: BringUp;
  configuration: PluginsConfiguration;
  record: StateRecord;
  observer: InstanceObserver;
  journal: Journal;
  log: Log;
}

export class InstanceSupervisor {
  /** Stage of the version while it has an instance. */
  private role: { stage: Stage; reason: string | undefined } = { stage: "probing", reason: undefined };
  private current: Instance | undefined;
  private lastLost: Instance | undefined;
  private replacing: Promise<void> | undefined;
  private readonly leaving = new Set<Promise<void>>();
  /** When instances were replaced. */
  private replaced: number[] = [];
  private readonly stopping = new AbortController();
  private ending: Promise<void> | undefined;
  private nextInstance = new NextInstance();

  constructor(private readonly options: InstanceSupervisorOptions) {}

  /** Aborts when the version is stopped. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Sets the stage of the version for as long as it has an instance. */
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
    this.nextInstance.resolve();
    this.options.record.transition("draining");
    const { current } = this;
    this.current = undefined;
    if (current !== undefined) this.drainAndStop(current, 0);
    await this.replacing;
    await Promise.all(this.leaving);
    this.options.record.update({ processId: undefined });
    this.options.record.transition("stopped");
  }

  /** Brings up an instance and drains the one before. Rejects with the reason when it does not come up. */
  async launch(): Promise<PluginOffer> {
    const { bringUp, record } = this.options;
    const callbacks: InstanceCallbacks = {
      recycle: (instance, reason, cause) => this.recycle(instance, reason, cause),
      lost: (instance) => this.lost(instance),
      ended: (instance, reason) => this.ended(instance, reason),
    };
    // While another instance serves, the stage of the version stays as it is.
    const isFirst = this.current === undefined;
    if (isFirst) record.transition("starting", whyAgain(record));
    const { instance, offer } = await bringUp(callbacks, this.stopping.signal, () => {
      if (isFirst) record.transition("probing");
    });
    const old = this.current;
    if (this.isStopped) {
      this.drainAndStop(instance, 0);
      return offer;
    }
    this.current = instance;
    record.update({ processId: instance.processId });
    record.transition(this.role.stage, this.role.reason);
    this.nextInstance.resolve();
    if (old !== undefined) this.drainAndStop(old, this.options.configuration.drainTimeout);
    return offer;
  }

  private recycle(instance: Instance, reason: string, cause: RecycleReason): void {
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
    this.nextInstance = new NextInstance();
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
      // The new instance may already be lost.
      if (this.current === undefined) this.replace();
    });
  }

  private async replaceUntilDone(): Promise<void> {
    const { record, log } = this.options;
    for (;;) {
      const now = monotonicTime();
      this.replaced = this.replaced.filter((moment) => now - moment < pauseWindow);
      const pause = restartPause(this.replaced.length, pauses);
      this.replaced.push(now);
      await wait(pause, this.stopping.signal);
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

  private notStarted(error: unknown): void {
    const reason = errorMessage(error);
    this.options.record.transition("failed", `It could not be started again: ${reason}`);
    this.options.observer.crashed();
    this.options.observer.explained(`it could not be started again: ${reason.replace(/\.$/, "")}`);
  }

  private drainAndStop(instance: Instance, timeout: number): void {
    const retired = instance
      .drain(timeout)
      .then(() => instance.stop())
      .catch((error: unknown) =>
        this.options.log.error("An instance did not stop", { plugin: this.label, error }),
      )
      .finally(() => this.leaving.delete(retired));
    this.leaving.add(retired);
  }

  /** The next instance that serves; 503 when it takes too long. */
  private async replacement(call: CallOrigin): Promise<Instance> {
    let giveUp: () => void = () => undefined;
    const given = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    call.signal.addEventListener("abort", giveUp);
    if (call.signal.aborted || this.isStopped) giveUp();
    const timeout = Math.min(this.options.configuration.replacementTimeout, call.deadline - monotonicTime());
    await settlesWithin(Promise.race([this.nextInstance.promise, given]), Math.max(0, timeout));
    call.signal.removeEventListener("abort", giveUp);
    const instance = this.current;
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

/** A promise of the next instance that serves; also resolves when the version stops. */
class NextInstance {
  resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
}

/** Why an instance is started again; undefined for the first one. */
function whyAgain({ current: { stage, reason } }: StateRecord): string | undefined {
  return stage === "starting" ? reason : undefined;
}
