import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, type Log } from "@slipway/sdk";
import { makeFolder, replaceSynced, setAside, unfinished } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { hostCheck } from "../../system/host-check.js";
import { storageError } from "../../system/request-errors.js";
import { type PluginsMemory, type RolloutState, rolloutOf } from "./rollout-state.js";

export interface StateFile {
  /** Includes changes that are not on disk yet. */
  readonly current: PluginsMemory;
  /**
   * Resolves when the change is on disk. Rejects when the write fails: with 503 `request-overloaded` if the disk is the
   * reason. The failure is logged, and the write is retried until it succeeds. A change to an invalid state is logged and
   * rejects, too, and then `current` stays as it was.
   */
  update(change: (memory: PluginsMemory) => PluginsMemory): Promise<void>;
}

/** Opens the state file. A missing file is empty; a broken file is set aside, and the host starts with empty state. */
export async function openStateFile(file: string, log: Log): Promise<StateFile> {
  await makeFolder(dirname(file));
  await removeUnfinished(file);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    // A folder in place of the file counts as a broken file.
    if (code === "EISDIR") return "";
    const problem = `The state of the plugins, ${file}, cannot be read (${code ?? String(error)})`;
    throw new Error(`${problem}; make it readable for this user, or move it away.`, { cause: error });
  });
  if (text === undefined) return new WrittenMemory(file, nothing, log);
  const result = parse(text);
  if (result.ok) return new WrittenMemory(file, result.value, log);
  const { reason } = result;
  const aside = await setAside(file);
  log.error("The state of the plugins is broken; it was set aside and the host starts without it", {
    file,
    aside,
    reason,
  });
  return new WrittenMemory(file, nothing, log);
}

const nothing: PluginsMemory = { format: 1, plugins: {}, places: {} };

const check = hostCheck<typeof PluginsMemory>("memory", "plugins-memory");

/** Milliseconds until a failed write is retried. */
const retryPause = 5000;

class WrittenMemory implements StateFile {
  private writing: Promise<unknown> = Promise.resolve();
  /** The next write; it includes every change made until it begins. */
  private next: Promise<void> | undefined;
  private readonly failures = new Set<string>();
  private retry: NodeJS.Timeout | undefined;
  /** The text of the file. */
  private stored: string;

  constructor(
    private readonly file: string,
    private memory: PluginsMemory,
    private readonly log: Log,
  ) {
    this.stored = textOf(memory);
  }

  get current(): PluginsMemory {
    return this.memory;
  }

  update(change: (memory: PluginsMemory) => PluginsMemory): Promise<void> {
    const memory = change(this.memory);
    // An invalid file would lose the whole state at the next start.
    const result = check(memory);
    if (!result.ok) {
      const reason = result.violations.map(describe).join("; ");
      this.log.error("A change of the state of the plugins is invalid and was not made", { reason });
      return Promise.reject(new Error(reason));
    }
    this.memory = memory;
    this.next ??= this.writeNext();
    return this.next;
  }

  private writeNext(): Promise<void> {
    const written = this.writing.then(() => {
      this.next = undefined;
      return this.write();
    });
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async write(): Promise<void> {
    const text = textOf(this.memory);
    if (text === this.stored) return;
    try {
      await replaceSynced(this.file, text);
      this.stored = text;
    } catch (error) {
      this.noteFailure(error);
      this.retry ??= setTimeout(() => {
        this.retry = undefined;
        // The failure is already logged.
        this.update((memory) => memory).catch(() => undefined);
      }, retryPause).unref();
      throw storageError(
        error,
        "what was asked for holds until the host restarts, and for good once it is stored",
      );
    }
    if (this.failures.size > 0)
      this.log.info("The state of the plugins is written again", { file: this.file });
    this.failures.clear();
  }

  /** Logs each kind of failure once until a write succeeds. */
  private noteFailure(error: unknown): void {
    const kind = errorCode(error) ?? String(error);
    if (this.failures.has(kind)) return;
    this.failures.add(kind);
    this.log.error(
      "The state of the plugins could not be written; a restart would not know of its last changes",
      {
        file: this.file,
        error,
      },
    );
  }
}

function parse(text: string): { ok: true; value: PluginsMemory } | { ok: false; reason: string } {
  try {
    const result = check(JSON.parse(text));
    return result.ok ? result : { ok: false, reason: result.violations.map(describe).join("; ") };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
}

/** Removes files that a killed host left unfinished. */
async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${basename(file)}.`) && name.endsWith(unfinished)) await rm(join(folder, name));
  }
}

function textOf(memory: PluginsMemory): string {
  return `${JSON.stringify(memory, undefined, 2)}\n`;
}

/** A transition of `rollout.ts`; `at` is now. */
export type MemoryChange = (memory: PluginsMemory, at: string) => PluginsMemory;

/** The remembered state of one plugin. */
export class RememberedRollout {
  constructor(
    readonly name: string,
    private readonly file: StateFile,
  ) {}

  get current(): RolloutState {
    return rolloutOf(this.file.current, this.name);
  }

  /** The transition is in force at once. Resolves when it is on disk, or at once when it changes nothing. */
  async change(transition: MemoryChange): Promise<void> {
    const next = transition(this.file.current, new Date().toISOString());
    if (next !== this.file.current) await this.file.update(() => next);
  }
}
