import { randomUUID } from "node:crypto";
import { RequestError } from "../../schema/errors.js";
import { pluginMistake } from "../calls/request-errors.js";

/** A stored value as JSON text. */
export interface KeptValue {
  value: string;
  revision: string;
}

/** Where values outlive the process. Methods are called one at a time for each plugin. */
export interface ValueStorage {
  /** The values of a plugin by key. */
  read(plugin: string): Promise<Map<string, KeptValue>>;
  /** Resolves when the value survives a crash. */
  write(plugin: string, key: string, kept: KeptValue): Promise<void>;
  remove(plugin: string, key: string): Promise<void>;
}

/** Limits of one plugin; bytes of JSON text. */
const most = { values: 1000, valueBytes: 64 * 1024, bytes: 8 * 1024 * 1024 };

interface SizedValue extends KeptValue {
  bytes: number;
}

/** The values that plugins store, in memory and in a storage. Changes of one plugin are made one after the other. */
export class PluginValues {
  private readonly plugins = new Map<string, Promise<Map<string, SizedValue>>>();
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly storage: ValueStorage) {}

  async get(plugin: string, key: string): Promise<KeptValue | undefined> {
    return await this.inTurn(plugin, async (values) => values.get(key));
  }

  async keys(plugin: string, beginning: string): Promise<string[]> {
    return await this.inTurn(plugin, async (values) =>
      [...values.keys()].filter((key) => key.startsWith(beginning)).sort(),
    );
  }

  /** Returns the new revision. */
  async set(plugin: string, key: string, value: string, expected?: string | null): Promise<string> {
    return await this.inTurn(plugin, async (values) => {
      requireExpected(key, values.get(key), expected);
      const kept = sized({ value, revision: randomUUID() });
      requireRoom(key, kept, values);
      await this.storage.write(plugin, key, kept);
      values.set(key, kept);
      return kept.revision;
    });
  }

  /** Returns whether there was a value. */
  async delete(plugin: string, key: string, expected?: string | null): Promise<boolean> {
    return await this.inTurn(plugin, async (values) => {
      requireExpected(key, values.get(key), expected);
      if (!values.has(key)) return false;
      await this.storage.remove(plugin, key);
      return values.delete(key);
    });
  }

  private async inTurn<T>(plugin: string, task: (values: Map<string, SizedValue>) => Promise<T>): Promise<T> {
    const before = this.last.get(plugin);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return await task(await this.valuesOf(plugin));
    })();
    this.last.set(plugin, turn);
    return await turn;
  }

  private async read(plugin: string): Promise<Map<string, SizedValue>> {
    const values = await this.storage.read(plugin);
    return new Map([...values].map(([key, kept]) => [key, sized(kept)]));
  }

  private async valuesOf(plugin: string): Promise<Map<string, SizedValue>> {
    const known = this.plugins.get(plugin) ?? this.read(plugin);
    this.plugins.set(plugin, known);
    try {
      return await known;
    } catch (error) {
      // The next request tries again.
      this.plugins.delete(plugin);
      throw error;
    }
  }
}

function sized(kept: KeptValue): SizedValue {
  return { ...kept, bytes: Buffer.byteLength(kept.value) };
}

function requireExpected(key: string, found: KeptValue | undefined, expected?: string | null): void {
  if (expected === undefined || expected === (found?.revision ?? null)) return;
  throw new RequestError({
    id: "request-conflict",
    code: 409,
    message: `The stored value "${key}" was changed by another request; nothing was changed.`,
  });
}

function requireRoom(key: string, { bytes }: SizedValue, values: ReadonlyMap<string, SizedValue>): void {
  if (bytes > most.valueBytes)
    throw pluginMistake(`host.store: "${key}" has ${bytes} bytes; a value can have ${most.valueBytes}.`);
  if (!values.has(key) && values.size >= most.values)
    throw pluginMistake(`host.store: with "${key}", the plugin has more than ${most.values} values.`);
  let all = bytes;
  for (const [name, kept] of values) if (name !== key) all += kept.bytes;
  if (all > most.bytes)
    throw pluginMistake(`host.store: with "${key}", the plugin has more than ${most.bytes} bytes.`);
}
