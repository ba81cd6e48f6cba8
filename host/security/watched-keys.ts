import { stat } from "node:fs/promises";
import type { Log } from "@slipway/sdk";
import { errorMessage } from "../system/errors.js";
import { followFile } from "../system/followed-file.js";
import { KeyRing } from "./key-ring.js";
import { BrokenKeyFile, parseKeys, readKeyText, type StoredKey } from "./stored-keys.js";

export interface WatchedKeysOptions {
  file: string;
  log: Log;
  /** Hears of keys that came and went while the host runs. */
  changed(added: readonly StoredKey[], removed: readonly StoredKey[]): void;
}

/** Milliseconds; an unknown key is a reason to look, but not for each of many. */
const eagerPause = 250;

/**
 * The keys of a file that is watched. A change is in force within moments; a file that is broken, or gone, leaves the keys in
 * force that were: whoever saves half a file, or moves it for a moment, must not open the host by that.
 */
export class WatchedKeys {
  private ring = new KeyRing([]);
  /** What was read last, whether it could be used or not; undefined where there was no file. */
  private content: string | undefined;
  private exists = false;
  private problem: string | undefined;
  private turn: Promise<void> = Promise.resolve();
  private lastEagerLook = 0;
  private endFollowing: (() => void) | undefined;

  constructor(private readonly options: WatchedKeysOptions) {}

  /** Rejects with a message for people when the file is broken: a host must not start with fewer locks than it was given. */
  async open(): Promise<void> {
    const { file, log } = this.options;
    try {
      const text = await readKeyText(file);
      this.take(text);
    } catch (error) {
      if (!(error instanceof BrokenKeyFile)) throw error;
      throw new Error(
        `The host does not start, because ${error.message}. Put a good copy back, or move the file away and make new keys with "slipway key new".`,
        { cause: error },
      );
    }
    await this.warnOfWriters();
    this.endFollowing = followFile(file, () => void this.look(), log);
  }

  get current(): KeyRing {
    return this.ring;
  }

  /** Whether there was a key file, though perhaps an empty one, since the host runs. */
  get isThere(): boolean {
    return this.exists;
  }

  /** Why the file as it is now is not what is in force; undefined when it is. */
  get broken(): string | undefined {
    return this.problem;
  }

  /** Looks at once for a key that is not known, which may have been made a moment ago. */
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

  /** One look at a time. */
  private look(): Promise<void> {
    this.turn = this.turn.then(() => this.read());
    return this.turn;
  }

  private async read(): Promise<void> {
    const { file, log } = this.options;
    try {
      const text = await readKeyText(file);
      if (text === this.content && this.problem === undefined) return;
      if (text === undefined) throw new BrokenKeyFile(`the key file ${file} is gone`);
      const before = this.ring.keys;
      this.take(text);
      this.problem = undefined;
      this.tell(before, this.ring.keys);
    } catch (error) {
      const problem = errorMessage(error);
      if (problem === this.problem) return;
      this.problem = problem;
      log.error("Changed keys were refused; the previous ones stay in force", { error: problem });
    }
  }

  private take(text: string | undefined): void {
    this.ring = new KeyRing(text === undefined ? [] : parseKeys(text, this.options.file));
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

  private async warnOfWriters(): Promise<void> {
    const { file, log } = this.options;
    const mode = await stat(file).then(
      (found) => found.mode,
      () => 0,
    );
    if ((mode & 0o022) !== 0)
      log.warn(
        "The key file is writable by other users, who could create keys for themselves; fix it with chmod 600",
        {
          file,
        },
      );
  }
}

/** A key as logs and the audit trail name it, such as "deploy (k3f9x2ab)". */
export function nameAndId({ name, id }: Pick<StoredKey, "name" | "id">): string {
  return `${name} (${id})`;
}

/** A key that has other roles from now on is another one. */
function without(keys: readonly StoredKey[], others: readonly StoredKey[]): StoredKey[] {
  const known = new Set(others.map((key) => JSON.stringify(key)));
  return keys.filter((key) => !known.has(JSON.stringify(key)));
}
