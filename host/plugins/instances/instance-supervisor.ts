/**
 * Runs the instances of one version, one at a time: replaces an instance that is lost or to be recycled while the
 * version is wanted.
 */
import { type CallOrigin, type PluginOffer, unavailable } from "@slipway/sdk/runtime/host";
import type { Journal } from "../../observability/events/plugin-event.js";
import { errorMessage } from "../../system/errors.js";
import { restartPause } from "../../system/supervised-process.js";
import { monotonicTime, settlesWithin, wait } from "../../system/time.js";
import type { PluginConfigurations } from "../configuration/configuration.js";
import type { Stage, StateRecord } from "../plugin-state.js";
import type { Instance, InstanceCallbacks, InstanceOptions, RecycleReason } from "./instance.js";
import { startInstance } from "./start-instance.js";

/** Milliseconds; the first replacement is immediate. */
const pauses = { first: 500, longest: 30_000 };

/** Milliseconds after which a replacement no longer counts. */
const pauseWindow = 5 * 60_000;

/** Observes failures of a version's instances. */
export interface InstanceObserver {
  /** An instance ended, hung, or had an uncaught exception. Called synchronously, before it is replaced. */
  crashed(): void;
  /** The reason of a crash, which may become known later. */
  explained(reason: string): void;
}

export interface InstanceSupervisorOptions extends Omit<InstanceOptions, "settings" | "callbacks"> {
  record: StateRecord;
  observer: InstanceObserver;
  journal: Journal;
  configurations: PluginConfigurations;
}

/** An instance with another configuration, which does not serve yet. */
export interface PreparedInstance {
  readonly offer: PluginOffer;
  /** Whether it no longer answers. */
  readonly isLost: boolean;
  /** Lets it serve and drains the previous one; later instances have its configuration. */
  take(): void;
  discard(): void;
}

export class InstanceSupervisor {
  /** Stage of the version while it has an instance. */
  private role: { stage: Stage; reason: string | undefined } = { stage: "probing", reason: undefined };
  private current: Instance | undefined;
  private lastLost: Instance | undefined;
  private replacing: Promise<void> | undefined;
  private readonly leaving = new Set<Promise<void>>();
  /** Times of replacements. */
  private replaced: number[] = [];
  private readonly stopping = new AbortController();
  private ending: Promise<void> | undefined;
  private nextInstance = new NextInstance();
  private readonly prepared = new Set<Instance>();
  private settings: InstanceOptions["settings"];

  constructor(private readonly options: InstanceSupervisorOptions) {
    this.settings = options.configurations.settingsOf(options.snapshot);
  }

  /** Aborts when the version is stopped. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Sets the stage of the version while it has an instance. */
  become(stage: Stage, reason?: string): void {
    this.role = { stage, reason };
    if (this.current !== undefined) this.options.record.transition(stage, reason);
  }

  /** The serving instance, or the next one; 503 after the replacement timeout. */
  async instance(call: CallOrigin): Promise<Instance> {
    return this.current ?? (await this.replacement(call));
  }

  /** Ends all instances; running requests get 503. */
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
    for (const instance of this.prepared) this.discard(instance);
    await this.replacing;
    await Promise.all(this.leaving);
    this.options.record.update({ processId: undefined });
    this.options.record.transition("stopped");
  }

  /** Starts an instance and drains the previous one. Rejects with the reason when the start fails. */
  async launch(): Promise<PluginOffer> {
    const { options, settings } = this;
    const { record } = options;
    // The stage does not change while another instance serves.
    const isFirst = this.current === undefined;
    if (isFirst) record.transition("starting", whyAgain(record));
    const { instance, offer } = await startInstance(
      {
        ...options,
        settings,
        callbacks: this.callbacks(),
        isAwaited: isFirst && this.replacing !== undefined,
      },
      this.stopping.signal,
      {
        probing: () => {
          if (isFirst) record.transition("probing");
        },
        waiting: (reason) => {
          if (isFirst) record.update({ reason });
        },
      },
    );
    if (this.isStopped) {
      this.drainAndStop(instance, 0);
      return offer;
    }
    if (settings !== this.settings) {
      // Another configuration was taken meanwhile.
      this.drainAndStop(instance, 0);
      return await this.launch();
    }
    this.serveBy(instance);
    return offer;
  }

  /** Starts an instance with the present configuration, beside the serving one. Rejects with the reason when that fails. */
  async prepare(): Promise<PreparedInstance> {
    const { options } = this;
    const settings = options.configurations.settingsOf(options.snapshot);
    const progress = { probing: () => undefined, waiting: () => undefined };
    const starting = { ...options, settings, callbacks: this.callbacks(), isAwaited: false };
    const started = await startInstance(starting, this.stopping.signal, progress);
    const { instance, offer } = started;
    this.prepared.add(instance);
    return {
      offer,
      get isLost() {
        return instance.isLost;
      },
      take: () => {
        if (!this.prepared.delete(instance)) return;
        this.settings = settings;
        if (instance.isLost) this.replace();
        else this.serveBy(instance);
      },
      discard: () => this.discard(instance),
    };
  }

  private discard(instance: Instance): void {
    if (this.prepared.delete(instance)) this.drainAndStop(instance, 0);
  }

  private callbacks(): InstanceCallbacks {
    const { configurations, snapshot } = this.options;
    return {
      recycle: (instance, reason, cause) => this.recycle(instance, reason, cause),
      lost: (instance) => this.lost(instance),
      ended: (instance, reason) => this.ended(instance, reason),
      described: (schema) => configurations.noteSchema(snapshot, schema),
    };
  }

  private serveBy(instance: Instance): void {
    const { record, configuration } = this.options;
    const old = this.current;
    this.current = instance;
    record.update({ processId: instance.processId });
    record.transition(this.role.stage, this.role.reason);
    this.nextInstance.resolve();
    if (old !== undefined) this.drainAndStop(old, configuration.drainTimeout);
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

  /** One replacement at a time; the old instance serves until then, if it can. */
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

  /** The next instance that serves; 503 after the replacement timeout. */
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

/** Why an instance is restarted; undefined for the first start. */
function whyAgain({ current: { stage, reason } }: StateRecord): string | undefined {
  return stage === "starting" ? reason : undefined;
}
