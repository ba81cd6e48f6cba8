import type { Log } from "@slipway/sdk";
import { errorMessage } from "../system/errors.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import { KeyRing } from "./key-ring.js";
import type { KeySource } from "./key-source.js";
import { BrokenKeys, parseKeys, type StoredKey } from "./stored-keys.js";

export interface WatchedKeysOptions {
  source: KeySource;
  log: Log;
  /** Called with added and removed keys while the host runs. */
  changed(added: readonly StoredKey[], removed: readonly StoredKey[]): void;
}

/** Milliseconds between reads that unknown keys cause. */
const eagerPause = 250;

/**
 * The keys of a watched source. Changes are in force within moments. While the source is broken, missing or away, the previous
 * keys stay in force, so that an unfinished save does not open the host.
 */
export class WatchedKeys {
  private ring = new KeyRing([]);
  /** The last text read, valid or not; undefined without one. */
  private content: string | undefined;
  private exists = false;
  private problem: string | undefined;
  private turn: Promise<void> = Promise.resolve();
  private lastEagerLook = 0;
  private endFollowing: (() => void) | undefined;

  constructor(private readonly options: WatchedKeysOptions) {}

  /**
   * Rejects with a message for users when the keys are broken: a host must not start with fewer keys than configured.
   */
  async open(): Promise<void> {
    const { source } = this.options;
    try {
      this.take(await source.read());
    } catch (error) {
      if (!(error instanceof BrokenKeys)) throw error;
      throw new Error(
        `The host does not start, because ${error.message}. Put a good copy back, or take them away and make new keys with "slipway key new".`,
        { cause: error },
      );
    }
    this.endFollowing = source.follow(() => void this.look());
  }

  get current(): KeyRing {
    return this.ring;
  }

  /** Whether keys have been stored, perhaps none, since the start. */
  get isThere(): boolean {
    return this.exists;
  }

  /** Why the stored keys are not in force; undefined when it is. */
  get broken(): string | undefined {
    return this.problem;
  }

  /** Reads the keys at once for an unknown key, which may be new. */
  async lookFor(given: string): Promise<void> {
    if (this.ring.hasIdOf(given)) return;
    const now = performance.now();
    if (now - this.lastEagerLook >= eagerPause) {
      this.lastEagerLook = now;
      this.look();
    }
    await this.turn;
  }

  async close(): Promise<void> {
    this.endFollowing?.();
    await this.turn;
  }

  /** Reads one at a time. */
  private look(): Promise<void> {
    this.turn = this.turn.then(() => this.read());
    return this.turn;
  }

  private async read(): Promise<void> {
    const { source, log } = this.options;
    try {
      const text = await source.read();
      if (text === this.content && this.problem === undefined) return;
      if (text === undefined) throw new BrokenKeys(`${source.name} is gone`);
      const before = this.ring.keys;
      this.take(text);
      this.problem = undefined;
      this.tell(before, this.ring.keys);
    } catch (error) {
      // `Availability` logs an outage of the engine, which says nothing about the keys.
      if (isEngineUnavailable(error)) return;
      const problem = errorMessage(error);
      if (problem === this.problem) return;
      this.problem = problem;
      log.error("Changed keys were refused; the previous ones stay in force", { error: problem });
    }
  }

  private take(text: string | undefined): void {
    this.ring = new KeyRing(text === undefined ? [] : parseKeys(text, this.options.source.name));
    this.content = text;
    this.exists ||= text !== undefined;
  }

  private tell(before: readonly StoredKey[], after: readonly StoredKey[]): void {
    const added = without(after, before);
    const removed = without(before, after);
    if (added.length === 0 && removed.length === 0) return;
    this.options.log.info("Changed keys are in force", {
      added: added.map(nameAndId),
      removed: removed.map(nameAndId),
    });
    this.options.changed(added, removed);
  }
}

/** A key in logs and the audit trail, such as "deploy (k3f9x2ab)". */
export function nameAndId({ name, id }: Pick<StoredKey, "name" | "id">): string {
  return `${name} (${id})`;
}

/** A key with changed roles counts as another key. */
function without(keys: readonly StoredKey[], others: readonly StoredKey[]): StoredKey[] {
  const known = new Set(others.map((key) => JSON.stringify(key)));
  return keys.filter((key) => !known.has(JSON.stringify(key)));
}
