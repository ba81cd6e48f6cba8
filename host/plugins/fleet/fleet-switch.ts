/** Brings this host and the others from one agreement to the next, all together. */
import { isDeepStrictEqual } from "node:util";
import type { Log } from "@slipway/sdk";
import { isEngineUnavailable } from "../../system/request-errors.js";
import { monotonicTime, wait } from "../../system/time.js";
import {
  type CommittedAgreement,
  type OpenSwitch,
  type Proposal,
  type Refusal,
  refusalOf,
  type SwitchEnd,
  type SwitchOrder,
  type SwitchStore,
} from "./fleet-contract.js";
import { SwitchWaits } from "./switch-waits.js";

/** The plugins of this host, as far as switches concern them. */
export interface SwitchedPlugins {
  /** Starts what a switch needs, beside what serves. Rejects with the reason why this host cannot take it. */
  prepare(open: OpenSwitch): Promise<void>;
  /** Ends what was prepared, unless it serves. */
  release(plugin: string): void;
  /** Serves what was agreed on. Returns why this host cannot, and then serves nothing of the plugin. */
  obey(committed: CommittedAgreement): Promise<ServingProblem | undefined>;
  /** This host has entered service. */
  entered(): void;
}

/** Why this host cannot serve a plugin as agreed on. */
export interface ServingProblem {
  /** For clients: it has no paths. */
  reason: string;
  /** For the log. */
  error?: unknown;
}

interface FleetSwitchOptions {
  store: SwitchStore;
  plugins: SwitchedPlugins;
  ended(open: OpenSwitch, end: SwitchEnd): void;
  log: Log;
}

/** What this host has made of the agreement on a plugin. */
interface Obeyed extends CommittedAgreement {
  /** Why it cannot serve it. */
  reason?: string | undefined;
  /** Monotonic; when it is tried again. */
  retryAt?: number | undefined;
}

/** Milliseconds between reads while a switch is open. */
const interval = 1000;
/** Milliseconds until this host retries a plugin that it cannot serve. */
const retryPause = 10_000;
/**
 * One switch of a plugin at a time. Every host reads the open switches and the agreements; there is no leader. If a host is killed,
 * the others commit or abort its switch when its lease is over.
 */
export class FleetSwitch {
  private readonly obeyed = new Map<string, Obeyed>();
  /** Running work, by plugin. */
  private readonly obeying = new Map<string, Promise<void>>();
  private readonly preparing = new Map<string, Promise<void>>();
  private readonly deciding = new Map<string, Promise<void>>();
  /** Plugins to decide on once more: the running decision may not know the last vote. */
  private readonly undecided = new Set<string>();
  /** Plugins with prepared versions. */
  private readonly prepared = new Set<string>();
  private readonly ending = new AbortController();
  /** What calls wait for. */
  readonly waits: SwitchWaits;
  private endFollowing: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;
  private isWoken = false;
  private isUnsettled = true;
  private isOutage = false;
  private hasCaughtUp = false;

  constructor(private readonly options: FleetSwitchOptions) {
    this.waits = new SwitchWaits({
      store: options.store,
      obeyed: (plugin) => this.obeyed.get(plugin)?.generation,
      ending: this.ending.signal,
    });
  }

  /** Resolves when this host is in service, or knows what keeps it from that; rejects when it is stopped before. */
  async start(): Promise<void> {
    this.endFollowing = this.options.store.follow(() => this.look());
    this.running = this.run();
    await this.waits.until(
      () => this.hasCaughtUp && (this.options.store.isInService || this.problems.length > 0),
    );
  }

  async stop(): Promise<void> {
    this.ending.abort();
    this.endFollowing?.();
    this.look();
    await this.running;
    const works = [this.obeying, this.preparing, this.deciding];
    await Promise.allSettled(works.flatMap((work) => [...work.values()]));
  }

  /** The agreement that this host obeys. */
  agreement(plugin: string): CommittedAgreement | undefined {
    return this.obeyed.get(plugin);
  }

  /** Plugins that this host cannot serve as agreed on, with the reason. */
  get problems(): { plugin: string; reason: string }[] {
    return [...this.obeyed.values()].flatMap(({ plugin, reason }) =>
      reason === undefined ? [] : [{ plugin, reason }],
    );
  }

  /** Tries again at once to obey the agreement on a plugin. */
  again(plugin: string): void {
    const obeyed = this.obeyed.get(plugin);
    if (obeyed !== undefined) this.obeyed.set(plugin, { ...obeyed, retryAt: monotonicTime() });
    this.isUnsettled = true;
    this.look();
  }

  /** Reads at once what other hosts have changed. */
  look(): void {
    this.isWoken = true;
    this.wake();
    this.waits.notice();
  }

  async propose(order: SwitchOrder): Promise<Proposal> {
    const proposal = await this.options.store.propose(order);
    this.look();
    return proposal;
  }

  private async run(): Promise<void> {
    const { store } = this.options;
    while (!this.ending.signal.aborted) {
      if (this.isWoken || this.isUnsettled || !store.isInService) {
        this.isWoken = false;
        await this.lookOnce().then(
          () => {
            this.isOutage = false;
          },
          (error: unknown) => {
            this.isUnsettled = true;
            this.report(error);
          },
        );
      }
      if (this.isWoken) continue;
      const passing = new AbortController();
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      // Also without a change: a lease may be lost, or a notice.
      await Promise.race([woken, wait(interval, passing.signal)]);
      passing.abort();
    }
  }

  private async lookOnce(): Promise<void> {
    const { store, plugins } = this.options;
    const { change, agreements, open } = await store.read();
    let isBehind = false;
    for (const plugin of this.obeyed.keys())
      if (!agreements.some((each) => each.plugin === plugin)) this.obeyed.delete(plugin);
    for (const committed of agreements) if (this.begin(committed)) isBehind = true;
    this.releaseOthers(agreements, open);
    this.isUnsettled = isBehind || open.length > 0 || this.problems.length > 0;
    if (!isBehind && !this.hasCaughtUp) {
      this.hasCaughtUp = true;
      this.look();
    }
    if (!(await this.mayServe(agreements))) return await this.leave();
    if (!store.isInService) {
      if (isBehind || !(await store.enter(change))) return;
      for (const { plugin, generation, reason } of this.obeyed.values())
        if (reason === undefined) await store.serves(plugin, generation);
      plugins.entered();
      this.look();
    }
    for (const each of open) this.takePart(each);
  }

  /** Releases what was prepared for aborted switches. */
  private releaseOthers(agreements: readonly CommittedAgreement[], open: readonly OpenSwitch[]): void {
    for (const plugin of this.prepared) {
      const isNeeded =
        this.preparing.has(plugin) ||
        this.obeying.has(plugin) ||
        open.some((each) => each.plugin === plugin) ||
        agreements.some(
          (each) => each.plugin === plugin && each.generation !== this.agreement(plugin)?.generation,
        );
      if (isNeeded) continue;
      this.prepared.delete(plugin);
      this.options.plugins.release(plugin);
    }
  }

  /** Begins to obey an agreement; false when this host does so already, or cannot at present. */
  private begin(committed: CommittedAgreement): boolean {
    const { plugin, generation, agreement } = committed;
    if (this.obeying.has(plugin)) return true;
    const known = this.obeyed.get(plugin);
    // A standby that took over may lack the last generation, and reuse its number for another agreement.
    const isNew = known?.generation !== generation || !isDeepStrictEqual(known.agreement, agreement);
    const isDue = known?.retryAt !== undefined && monotonicTime() >= known.retryAt;
    if (!isNew && !isDue) return false;
    const work = this.obey(committed)
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.obeying.delete(plugin);
        this.look();
      });
    this.obeying.set(plugin, work);
    return true;
  }

  private async obey(committed: CommittedAgreement): Promise<void> {
    const { store, plugins, log } = this.options;
    const { plugin, generation } = committed;
    const problem = await plugins
      .obey(committed)
      .catch((error: unknown): ServingProblem => ({ reason: refusalOf(error).reason, error }));
    const reason = problem?.reason;
    const before = this.obeyed.get(plugin);
    this.obeyed.set(plugin, {
      ...committed,
      ...(reason !== undefined && { reason, retryAt: monotonicTime() + retryPause }),
    });
    if (reason === undefined) {
      if (store.isInService) await store.serves(plugin, generation);
      if (before?.reason !== undefined) log.info("This host serves a plugin again as agreed on", { plugin });
      return;
    }
    // It may have served it until now.
    if (store.isInService) await store.serves(plugin, 0);
    if (before?.reason !== reason)
      log.error("This host cannot serve a plugin as the hosts have agreed on", {
        plugin,
        generation,
        ...problem,
      });
  }

  /**
   * Whether this host may answer. One that cannot serve what another one serves leaves the answers to that one; if no
   * host serves it, a broken plugin must not take the other plugins away.
   */
  private async mayServe(agreements: readonly CommittedAgreement[]): Promise<boolean> {
    for (const { plugin, generation } of agreements)
      if (this.obeyed.get(plugin)?.reason !== undefined)
        if ((await this.options.store.served(plugin, generation)).serving.length > 0) return false;
    return true;
  }

  /** At each look, because the engine may have missed it; the others would wait for the votes of this host. */
  private async leave(): Promise<void> {
    const { store, log } = this.options;
    if (store.isInService)
      log.warn("This host answers nothing for plugins until it can serve what the others do", {
        problems: this.problems,
      });
    await store.leave();
  }

  /** Prepares and votes once; decides as soon as the others have. */
  private takePart(open: OpenSwitch): void {
    const { store, plugins, log } = this.options;
    const { plugin, generation } = open;
    if (open.hasVoted) {
      this.beginDecision(open);
      return;
    }
    if (this.preparing.has(plugin)) return;
    const { signal } = this.ending;
    const vote = async (refusal?: Refusal): Promise<void> => {
      // A start that the stop has ended says nothing about the version.
      if (!signal.aborted) await store.vote(plugin, generation, refusal);
    };
    this.prepared.add(plugin);
    const work = plugins
      .prepare(open)
      .then(
        () => vote(),
        (error: unknown) => {
          if (!signal.aborted)
            log.warn("This host cannot take a switch of a plugin", { plugin, generation, error });
          return vote(refusalOf(error));
        },
      )
      .then(() => this.beginDecision(open))
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.preparing.delete(plugin);
        this.look();
      });
    this.preparing.set(plugin, work);
  }

  /** Not awaited by looks: all hosts decide at once, and those that come second see meanwhile what the first has committed. */
  private beginDecision(open: OpenSwitch): void {
    const { plugin } = open;
    if (this.deciding.has(plugin)) {
      this.undecided.add(plugin);
      return;
    }
    const work = this.decide(open)
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.deciding.delete(plugin);
        if (this.undecided.delete(plugin)) this.look();
      });
    this.deciding.set(plugin, work);
  }

  private async decide(open: OpenSwitch): Promise<void> {
    const { store, ended } = this.options;
    const end = await store.decide(open.plugin, open.generation);
    if (end === undefined) return;
    ended(open, end);
    this.look();
  }

  private report(error: unknown): void {
    // An outage of the engine has its own line in the log.
    if (isEngineUnavailable(error) || this.ending.signal.aborted || this.isOutage) return;
    this.isOutage = true;
    this.options.log.error("A switch of plugins could not go on; it is tried again", { error });
  }
}
