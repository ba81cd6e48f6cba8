import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { StoredAsset } from "@slipway/sdk/runtime/host";
import { Turns } from "../system/concurrency.js";
import { isThere, makeFolder, unfinished } from "../system/durable-files.js";
import { storageError } from "../system/request-errors.js";
import { clockLead, monotonicTime, toMonotonic } from "../system/time.js";
import {
  addFiles,
  assetFile,
  createFolder,
  projectFile,
  type Revision,
  readEntry,
  removeFolder,
  type SessionEntry,
  sweepFolder,
  writeEntry,
} from "./session-folder.js";
import type { SessionStore } from "./session-store.js";

/**
 * The embedded store: one folder per session below `folder`, with all records in memory. One host owns the folder.
 * Every write ends with a synced rename, so that `kill -9` leaves a session in its state before or after the write.
 */
export function createFileSessionStore({ folder, log }: { folder: string; log: Log }): SessionStore {
  const entries = new Map<string, SessionEntry>();
  const turns = new Turns();
  const folderOf = (id: string): string => join(folder, id);

  const active = (id: string): SessionEntry | undefined => {
    const entry = entries.get(id);
    return entry !== undefined && endOf(entry) > monotonicTime() ? entry : undefined;
  };

  /** By `monotonicTime`: a clock change ends no session. */
  const ends = new WeakMap<SessionEntry, number>();
  const endOf = (entry: SessionEntry): number => ends.get(entry) ?? toMonotonic(entry.record.expiresAt);
  const keep = (entry: SessionEntry, end: number): void => {
    ends.set(entry, end);
    entries.set(entry.record.id, entry);
  };

  /** `end` is the end of the record, taken before the write, during which the clock may change. */
  const write = async (entry: SessionEntry, end = toMonotonic(entry.record.expiresAt)): Promise<void> => {
    await stored(writeEntry(folderOf(entry.record.id), entry));
    keep(entry, end);
  };

  const remove = (id: string): Promise<boolean> =>
    turns.take(id, async () => {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      entries.delete(id);
      try {
        await stored(removeFolder(folderOf(id)));
      } catch (error) {
        // Otherwise the session would silently return after a restart.
        if (await isThere(folderOf(id))) entries.set(id, entry);
        throw error;
      }
      return true;
    });

  /** Unreferenced files only waste space. */
  const sweep = async (entry: SessionEntry): Promise<void> => {
    await sweepFolder(folderOf(entry.record.id), entry).catch((error: unknown) =>
      log.warn("A session could not be tidied up", { session: entry.record.id.slice(0, 8), error }),
    );
  };

  const holds = (id: string, sha256: string): boolean =>
    active(id)?.revisions.some(({ assets }) => assets.some((asset) => asset.sha256 === sha256)) ?? false;

  return {
    async open() {
      await makeFolder(folder);
      for (const name of await readdir(folder)) {
        if (name.endsWith(unfinished)) {
          await rm(join(folder, name), { recursive: true, force: true });
          continue;
        }
        const entry = await readEntry(join(folder, name));
        if (entry === undefined || entry.record.id !== name) {
          log.error("A folder of the session store has no record that can be read; it is left alone", {
            name,
          });
          continue;
        }
        keep(entry, toMonotonic(entry.record.expiresAt));
        await sweep(entry);
      }
    },

    create: (record, project, assets) =>
      turns.take(record.id, async () => {
        const end = toMonotonic(record.expiresAt);
        const entry = { record, revisions: [revisionOf(record.revision, project, assets.map(sizeOf))] };
        await stored(createFolder(folderOf(record.id), entry, project, assets));
        keep(entry, end);
      }),

    replace: (record, project, assets, kept) =>
      turns.take(record.id, async () => {
        const before = active(record.id);
        const current = before?.revisions.at(-1);
        if (before === undefined || current?.revision !== record.revision - 1) return false;
        const own = toMonotonic(record.expiresAt);
        const [expiresAt, end] =
          own > endOf(before) ? [record.expiresAt, own] : [before.record.expiresAt, endOf(before)];
        await stored(addFiles(folderOf(record.id), record.revision, project, assets));
        const held = current.assets.filter((asset) => kept.includes(asset.sha256));
        const next = revisionOf(record.revision, project, [...held, ...assets.map(sizeOf)]);
        await write({ record: { ...record, expiresAt }, revisions: [current, next] }, end);
        await sweep({ record, revisions: [current, next] });
        return true;
      }),

    renew: (id, expiresAt) =>
      turns.take(id, async () => {
        const entry = active(id);
        if (entry === undefined || endOf(entry) >= toMonotonic(expiresAt)) return;
        await write({ ...entry, record: { ...entry.record, expiresAt } });
      }),

    find: async (id) => active(id)?.record,

    list: async () =>
      [...entries.keys()].flatMap((id) => {
        const entry = active(id);
        return entry === undefined ? [] : [{ record: entry.record, bytes: bytesOf(entry) }];
      }),

    async project(id, revision) {
      const known = active(id)?.revisions.some((each) => each.revision === revision) ?? false;
      return known ? contentOf(projectFile(folderOf(id), revision)) : undefined;
    },

    asset: async (id, sha256) => (holds(id, sha256) ? contentOf(assetFile(folderOf(id), sha256)) : undefined),

    assets: async (id) => (active(id)?.revisions.at(-1)?.assets ?? []).map((asset) => asset.sha256),

    hasAsset: async (id, sha256) => holds(id, sha256),

    remove: async (id) => active(id) !== undefined && (await remove(id)),

    async removeExpired(now, removed) {
      const expired = [...entries.values()].filter((entry) => endOf(entry) <= toMonotonic(now));
      for (const { record } of expired) if (await remove(record.id)) removed(record.id);
    },

    async followClock() {
      for (const { record } of entries.values()) {
        await turns.take(record.id, async () => {
          const entry = active(record.id);
          if (entry === undefined) return;
          const end = endOf(entry);
          const expiresAt = Math.round(end + clockLead());
          await write({ ...entry, record: { ...entry.record, expiresAt } }, end);
        });
      }
    },

    usage: async () => ({
      sessions: entries.size,
      bytes: [...entries.values()].reduce((sum, entry) => sum + bytesOf(entry), 0),
    }),

    close: () => turns.settled(),
  };
}

function stored(writing: Promise<void>): Promise<void> {
  return writing.catch((error: unknown) => {
    throw storageError(error);
  });
}

/** Undefined for a file that is being removed or replaced. */
async function contentOf(file: string): Promise<Uint8Array | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function sizeOf(asset: StoredAsset): { sha256: string; bytes: number } {
  return { sha256: asset.sha256, bytes: asset.content.byteLength };
}

function revisionOf(revision: number, project: Uint8Array, assets: Revision["assets"]): Revision {
  return { revision, bytes: project.byteLength, assets };
}

/** Assets shared by two revisions count once. */
function bytesOf(entry: SessionEntry): number {
  const assets = new Map(
    entry.revisions.flatMap((each) => each.assets.map(({ sha256, bytes }) => [sha256, bytes])),
  );
  const projects = entry.revisions.reduce((sum, each) => sum + each.bytes, 0);
  return [...assets.values()].reduce((sum, bytes) => sum + bytes, projects);
}
