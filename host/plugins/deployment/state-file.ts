/** The state file of the plugins. */
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, type Log, Validator } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { makeFolder, replaceSynced, syncFolder, unfinished } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { storageError } from "../../system/request-errors.js";
import type { Release } from "../releases.js";
import type { Candidate, Content } from "./candidates.js";
import * as rollout from "./rollout.js";
import { type Pin, PluginsMemory, type RolloutState, rolloutOf } from "./rollout-state.js";
import type { Available } from "./selection.js";

export interface StateFile {
  /** As it was changed last, on disk or not. */
  readonly current: PluginsMemory;
  /**
   * Resolves when the change is on disk. Rejects when it could not be written, which the log says too, with 503
   * `request-overloaded` where the disk is the reason; it is tried again until it is written.
   */
  update(change: (memory: PluginsMemory) => PluginsMemory): Promise<void>;
}

/** Reads the state file. One that is not there is empty; one that is broken is set aside, and the host begins anew. */
export async function openStateFile(file: string, log: Log): Promise<StateFile> {
  await makeFolder(dirname(file));
  await removeUnfinished(file);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    // A folder is as broken as a file can be.
    if (code === "EISDIR") return "";
    const problem = `The state of the plugins, ${file}, cannot be read (${code ?? String(error)})`;
    throw new Error(`${problem}; make it readable for this user, or move it away.`, { cause: error });
  });
  if (text === undefined) return new WrittenMemory(file, nothing, log);
  const result = parse(text);
  if (result.ok) return new WrittenMemory(file, result.value, log);
  await setAside(file, result.reason, log);
  return new WrittenMemory(file, nothing, log);
}

const nothing: PluginsMemory = { format: 1, plugins: {}, places: {} };

const check = new Validator({ lazy: true }).compile(PluginsMemory, "memory");

/** Milliseconds until a write that failed is tried again. */
const retryPause = 5000;

class WrittenMemory implements StateFile {
  private writing: Promise<unknown> = Promise.resolve();
  /** Carries every change from now on until it begins. */
  private next: Promise<void> | undefined;
  private readonly failures = new Set<string>();
  private retry: NodeJS.Timeout | undefined;
  /** What the file holds, but for its layout. */
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
    // What the next start could not read would cost everything that is remembered.
    const result = check(memory);
    if (!result.ok) return Promise.reject(new Error(result.violations.map(describe).join("; ")));
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
        // Why it failed again is known.
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

  /** Once for each kind, until it goes well again. */
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

async function setAside(file: string, reason: string, log: Log): Promise<void> {
  const aside = `${file}.broken-${new Date().toISOString().replaceAll(":", "-")}`;
  await rename(file, aside);
  await syncFolder(dirname(file));
  log.error("The state of the plugins is broken; it was set aside and the host begins with none", {
    file,
    aside,
    reason,
  });
}

/** What a host was writing when it was killed. */
async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${basename(file)}.`) && name.endsWith(unfinished)) await rm(join(folder, name));
  }
}

function textOf(memory: PluginsMemory): string {
  return `${JSON.stringify(memory, undefined, 2)}\n`;
}

/** What is remembered of one plugin. Each change is in force at once; its promise ends when it is on disk. */
export class RememberedRollout {
  constructor(
    private readonly name: string,
    private readonly file: StateFile,
    private readonly configuration: Pick<PluginsConfiguration, "keep">,
  ) {}

  get current(): RolloutState {
    return rolloutOf(this.file.current, this.name);
  }

  /** `isCurrent`: it is the current content of its source. */
  beginTrial(candidate: Candidate, isCurrent: boolean, before: Content | undefined): Promise<void> {
    return this.file.update((memory) => rollout.beginTrial(memory, candidate, isCurrent, before));
  }

  /** `isCurrent`: it is the current content of its source. */
  prove(candidate: Candidate, isCurrent: boolean): Promise<void> {
    const { keep } = this.configuration;
    return this.file.update((memory) => rollout.prove(memory, candidate, isCurrent, keep, now()));
  }

  quarantine(candidate: Candidate, reason: string): Promise<void> {
    return this.file.update((memory) => rollout.quarantine(memory, candidate, reason, now()));
  }

  fail(candidate: Candidate, reason: string): Promise<void> {
    return this.file.update((memory) => rollout.fail(memory, candidate, reason));
  }

  /** Versions that did not come up have another chance. */
  clearFailures(isCleared: (failed: { version: string; hash: string }) => boolean): Promise<void> {
    return this.changed((memory) => rollout.clearFailures(memory, this.name, isCleared));
  }

  fallBack<C extends Content>(order: Omit<rollout.FallbackOrder<C>, "at">): Promise<void> {
    return this.file.update((memory) => rollout.fallBack(memory, { ...order, at: now() }));
  }

  /** `from`: hash of what the admin leaves. */
  rollBack(release: string, pin: Omit<Pin, "at">, from: string | undefined): Promise<void> {
    return this.file.update((memory) =>
      rollout.rollBack(memory, this.name, release, { ...pin, at: now() }, from),
    );
  }

  /** `proven`: by release, what answers there and is not on trial. */
  endOutlivedPins<C extends Content>(
    proven: ReadonlyMap<Release, C>,
    available: Available<C>,
  ): Promise<void> {
    return this.changed((memory) => rollout.endOutlivedPins(memory, this.name, proven, available));
  }

  /** `serving`: by release. */
  noteReplaced<C extends Content>(
    releases: readonly Release[],
    serving: ReadonlyMap<string, Content>,
    available: Available<C>,
  ): Promise<void> {
    return this.changed((memory) => rollout.noteReplaced(memory, this.name, releases, serving, available));
  }

  disable(actor: string): Promise<void> {
    return this.file.update((memory) => rollout.disable(memory, this.name, actor, now()));
  }

  enable(version: string | undefined): Promise<void> {
    return this.file.update((memory) => rollout.enable(memory, this.name, version));
  }

  /** What changes nothing waits for nothing. */
  private async changed(change: (memory: PluginsMemory) => PluginsMemory): Promise<void> {
    if (change(this.file.current) !== this.file.current) await this.file.update(change);
  }
}

function now(): string {
  return new Date().toISOString();
}
