/** Waits of calls for what becomes of switches, which all hosts decide together. */
import { isEngineUnavailable } from "../../system/request-errors.js";
import { monotonicTime, wait } from "../../system/time.js";
import type { SwitchEnd, SwitchStore } from "./fleet-contract.js";

/** Milliseconds between the questions of a waiting call; a notice of the engine comes earlier. */
const answerInterval = 250;
/** Milliseconds without the engine after which waiting calls fail. */
const longestOutage = 30_000;

interface SwitchWaitsOptions {
  store: SwitchStore;
  /** The generation that this host obeys. */
  obeyed(plugin: string): number | undefined;
  /** Aborted when the host stops. */
  ending: AbortSignal;
}

/** Each call asks the engine until it has its answer. */
export class SwitchWaits {
  private readonly waiters = new Set<() => void>();

  constructor(private readonly options: SwitchWaitsOptions) {}

  /** Something has changed: every waiting call asks at once. */
  notice(): void {
    for (const waiter of this.waiters) waiter();
  }

  /** Resolves when a switch has ended. */
  async ended(plugin: string, generation: number): Promise<SwitchEnd> {
    let end: SwitchEnd | undefined;
    await this.until(async () => {
      end = await this.options.store.endOf(plugin, generation);
      return end !== undefined;
    });
    return end ?? { state: "aborted" };
  }

  /** Resolves when no switch of the plugin is under way and this host obeys the last agreement. */
  async settled(plugin: string): Promise<void> {
    await this.until(async () => {
      const { agreements, open } = await this.options.store.read();
      if (open.some((each) => each.plugin === plugin)) return false;
      const committed = agreements.find((each) => each.plugin === plugin);
      return committed?.generation === this.options.obeyed(plugin);
    });
  }

  /**
   * Resolves when all living hosts in service serve a generation or a later one, or after some milliseconds; with their names,
   * and those that it was not waited for any longer.
   */
  async served(
    plugin: string,
    generation: number,
    patience: number,
  ): Promise<{ serving: string[]; waiting: string[] }> {
    const end = monotonicTime() + patience;
    let found: { serving: string[]; waiting: string[] } = { serving: [], waiting: [] };
    await this.until(async () => {
      found = await this.options.store.served(plugin, generation);
      return (found.waiting.length === 0 && found.serving.length > 0) || monotonicTime() > end;
    });
    return found;
  }

  /**
   * Asks again after each notice, and regularly. Rejects when the host stops, and with 503 when the engine stays away: the
   * switch continues without this host.
   */
  async until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    let lastAnswer = monotonicTime();
    for (;;) {
      let isNoticed = false;
      let noticed = (): void => undefined;
      const waiter = (): void => {
        isNoticed = true;
        noticed();
      };
      // Before the question, so that no notice is lost in between.
      this.waiters.add(waiter);
      try {
        if (this.options.ending.aborted) throw new Error("The host stops.");
        if (await isTrue()) return;
        lastAnswer = monotonicTime();
      } catch (error) {
        if (!isEngineUnavailable(error) || monotonicTime() - lastAnswer > longestOutage) {
          this.waiters.delete(waiter);
          throw error;
        }
      }
      const passing = new AbortController();
      const notice = new Promise<void>((resolve) => {
        noticed = resolve;
        if (isNoticed) resolve();
      });
      await Promise.race([notice, wait(answerInterval, passing.signal)]);
      passing.abort();
      this.waiters.delete(waiter);
    }
  }
}
