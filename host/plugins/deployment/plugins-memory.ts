/** The memory of the plugins: what of them survives a restart, and its file, `var/plugins.json`. */
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, type Log, type Static, Type } from "@slipway/sdk";
import { PluginGrants } from "../../configuration/plugin-grants.js";
import { makeFolder, replaceSynced, setAside, unfinished } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { hostCheck } from "../../system/host-check.js";
import { storageError } from "../../system/request-errors.js";
import { KeptVersion, Pin, QuarantinedVersion } from "../administration/administration.js";
import type { SnapshotReference } from "../snapshots/snapshots.js";

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: "date-time", description: "UTC." });
const content = {
  version: Type.String(),
  hash: Type.String({ description: "SHA-256 of the plugin's own files, hexadecimal." }),
};

/** Rollout state of one plugin. */
export const RolloutState = Type.Object(
  {
    /** Present while an admin has disabled the plugin. */
    disabled: Type.Optional(Type.Object({ at: Time, actor: Type.String() }, closed)),
    /** What admins have granted the plugin, beside the host's configuration. */
    grants: Type.Optional(PluginGrants),
    /** By release. */
    pins: Type.Record(Type.String(), Pin),
    quarantined: Type.Array(QuarantinedVersion),
    /** The last one to serve comes first. */
    kept: Type.Array(KeptVersion),
    /** By release: source hashes of the contents that an admin rolled back from, latest first. */
    left: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /**
     * By release: source hashes of earlier contents of sources that a sound content has replaced and that have not served the
     * release since.
     */
    replaced: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /** Source hashes of contents released from quarantine that have not proven themselves since, latest first. */
    released: Type.Optional(Type.Array(Type.String())),
    /** Contents whose last start failed, with the reason; with the hash of all that was started. */
    failed: Type.Optional(
      Type.Array(Type.Object({ version: Type.String(), hash: Type.String(), reason: Type.String() }, closed)),
    ),
  },
  closed,
);
export type RolloutState = Static<typeof RolloutState>;

const RememberedSource = Type.Object(
  {
    name: Type.String(),
    ...content,
    /** The content of the source that is on trial. */
    trial: Type.Optional(Type.Object(content, closed)),
  },
  closed,
);
export type RememberedSource = Static<typeof RememberedSource>;

/** The state file. */
export const PluginsMemory = Type.Object(
  {
    format: Type.Literal(1),
    /** By public name. */
    plugins: Type.Record(Type.String(), RolloutState),
    /** By path of a source: its last proven content. */
    places: Type.Record(Type.String(), RememberedSource),
  },
  closed,
);
export type PluginsMemory = Static<typeof PluginsMemory>;

/** The state of an unknown plugin. */
const unknownRollout: RolloutState = { pins: {}, quarantined: [], kept: [] };

/** How a snapshot is known: on every host, and over upgrades of the host. */
export interface SnapshotId {
  /** Of all that runs, with packages of the host: differs on a host of another version. */
  readonly hash: string;
  /** Of the plugin's own files: the same on every host. */
  readonly sourceHash: string;
}

/** Whether a remembered id names a snapshot: its source hash, or its hash if an earlier host remembered it. */
export function isNamed(id: string, { hash, sourceHash }: SnapshotId): boolean {
  return id === sourceHash || id === hash;
}

/** Whether one of the ids names a snapshot. */
export function isAmong(ids: readonly string[], content: SnapshotId): boolean {
  return ids.some((id) => isNamed(id, content));
}

/** The remembered state of a plugin. Own members only: a name may be "constructor". */
export function rolloutOf({ plugins }: PluginsMemory, name: string): RolloutState {
  return (Object.hasOwn(plugins, name) ? plugins[name] : undefined) ?? unknownRollout;
}

/** The pin of a release, if it was rolled back. */
export function pinnedFor({ pins }: RolloutState, release: string): Pin | undefined {
  return Object.hasOwn(pins, release) ? pins[release] : undefined;
}

/** Ids of the snapshots from which an admin rolled a release back. */
export function leftIn(rollout: RolloutState, release: string): readonly string[] {
  const pin = pinnedFor(rollout, release);
  const isRemembered = Object.hasOwn(rollout.left ?? {}, release);
  // Earlier hosts stored these hashes only in the pin.
  if (!isRemembered && pin !== undefined && pin.actor !== "host") return pin.over;
  return ofRelease(rollout.left, release);
}

/** Ids of earlier contents of sources that a release takes only when nothing else serves it. */
export function replacedIn({ replaced }: RolloutState, release: string): readonly string[] {
  return ofRelease(replaced, release);
}

/** Undefined for a snapshot that is not in quarantine. */
export function quarantineOf(
  { quarantined }: RolloutState,
  content: SnapshotId,
): RolloutState["quarantined"][number] | undefined {
  return quarantined.find(({ hash }) => isNamed(hash, content));
}

export function isQuarantined(rollout: RolloutState, content: SnapshotId): boolean {
  return quarantineOf(rollout, content) !== undefined;
}

/** Why the start of a snapshot failed; undefined when it succeeded or was not tried. */
export function failureOf({ failed = [] }: RolloutState, hash: string): string | undefined {
  return failed.find((each) => each.hash === hash)?.reason;
}

/** Whether a snapshot was released from quarantine and has not proven itself yet. */
export function isReleased({ released = [] }: RolloutState, content: SnapshotId): boolean {
  return isAmong(released, content);
}

/** Whether a snapshot has proven itself and has not failed since. */
export function isProven(rollout: RolloutState, content: SnapshotId): boolean {
  return rollout.kept.some(({ hash }) => isNamed(hash, content)) && !isReleased(rollout, content);
}

/**
 * Earlier contents of a source that may serve again: the one on trial, then the proven one. Only for the plugin `name`.
 */
export function earlierOf(source: RememberedSource | undefined, name: string): SnapshotReference[] {
  if (source === undefined || source.name !== name) return [];
  const { version, hash, trial } = source;
  return trial === undefined
    ? [{ name, version, hash }]
    : [
        { name, ...trial },
        { name, version, hash },
      ];
}

function ofRelease(
  hashes: Readonly<Record<string, readonly string[]>> = {},
  release: string,
): readonly string[] {
  return (Object.hasOwn(hashes, release) ? hashes[release] : undefined) ?? [];
}

/** A version as every host knows it: bundles differ by host, the plugin's own files do not. */
export const AgreedVersion = Type.Object(
  { version: Type.String(), source: Type.String({ description: "SHA-256 of the plugin's own files." }) },
  closed,
);
export type AgreedVersion = Static<typeof AgreedVersion>;

/** The agreement on one plugin. */
export const Agreement = Type.Object(
  {
    /** The versions in the folders of all hosts. */
    contents: Type.Array(AgreedVersion),
    /** By release. */
    assignment: Type.Record(Type.String(), AgreedVersion),
    /** Pins, quarantine and kept versions; not what failed on one host. */
    standing: RolloutState,
  },
  closed,
);
export type Agreement = Static<typeof Agreement>;

/** Before the first agreement. */
export const noAgreement: Agreement = {
  contents: [],
  assignment: {},
  standing: { pins: {}, quarantined: [], kept: [] },
};

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
  if (text === undefined) return new StateFile(file, nothing, log);
  const result = parse(text);
  if (result.ok) return new StateFile(file, result.value, log);
  const { reason } = result;
  const aside = await setAside(file);
  log.error("The state of the plugins is broken; it was set aside and the host starts without it", {
    file,
    aside,
    reason,
  });
  return new StateFile(file, nothing, log);
}

const nothing: PluginsMemory = { format: 1, plugins: {}, places: {} };

const check = hostCheck<typeof PluginsMemory>("memory", "plugins-memory");

/** Milliseconds until a failed write is retried. */
const retryPause = 5000;

/** The state file; opened by `openStateFile`. */
export class StateFile {
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

  /** Includes changes that are not on disk yet. */
  get current(): PluginsMemory {
    return this.memory;
  }

  /**
   * Resolves when the change is on disk. Rejects when the write fails: with 503 `request-overloaded` if the disk is the
   * reason. The failure is logged, and the write is retried until it succeeds. A change to an invalid state is logged and
   * rejects, too, and then `current` stays as it was.
   */
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
