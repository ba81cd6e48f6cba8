import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import { Turns } from "../system/concurrency.js";
import { isThere, makeFolder, unfinished } from "../system/durable-files.js";
import { storageError } from "../system/request-errors.js";
import { clockLead, monotonicTime, toMonotonic } from "../system/time.js";
import { bytesOf, nextRevisions, revisionOf } from "./revisions.js";
import {
  addFiles,
  assetFile,
  createFolder,
  projectFile,
  readEntry,
  removeFolder,
  type SessionEntry,
  sweepFolder,
  writeEntry,
} from "./session-folder.js";
import {
  refuseOverflow,
  type SessionStore,
  type SessionTerms,
  type SessionUsage,
  writtenLifetime,
} from "./session-store.js";

export interface FileSessionStoreOptions {
  folder: string;
  log: Log;
  /** Milliseconds by which lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
  /** Numbers of the revisions of a session that jobs still need; default: no revisions. */
  heldRevisions?: (id: string) => ReadonlySet<number>;
}

/**
 * The embedded store: one folder per session below `folder`, with all records in memory. One host owns the folder.
 * Every write ends with a synced rename, so that `kill -9` leaves a session in its state before or after the write.
 */
export function createFileSessionStore({
  folder,
  log,
  now = monotonicTime,
  heldRevisions = () => new Set(),
}: FileSessionStoreOptions): SessionStore {
  const entries = new Map<string, SessionEntry>();
  const turns = new Turns();
  const folderOf = (id: string): string => join(folder, id);

  const active = (id: string): SessionEntry | undefined => {
    const entry = entries.get(id);
    return entry !== undefined && endOf(entry) > now() ? entry : undefined;
  };

  /** By `now`: a change of the system clock ends no session. */
  const ends = new WeakMap<SessionEntry, number>();
  const endOf = (entry: SessionEntry): number => ends.get(entry) ?? toMonotonic(entry.record.expiresAt);
  const keep = (entry: SessionEntry, end: number): void => {
    ends.set(entry, end);
    entries.set(entry.record.id, entry);
  };

  /** With what is being written, so that concurrent writes do not take the same room. */
  const used: SessionUsage = { sessions: 0, bytes: 0 };
  const count = ({ sessions, bytes }: SessionUsage): void => {
    used.sessions += sessions;
    used.bytes += bytes;
  };
  const within = async (
    added: SessionUsage,
    terms: SessionTerms,
    work: () => Promise<void>,
  ): Promise<void> => {
    refuseOverflow(used, added, terms);
    count(added);
    try {
      await work();
    } catch (error) {
      count({ sessions: -added.sessions, bytes: -added.bytes });
      throw storageError(error);
    }
  };

  /** `end` is taken before the write, during which the clock may change. */
  const write = async (entry: SessionEntry, end: number): Promise<void> => {
    await writeEntry(folderOf(entry.record.id), entry);
    keep(entry, end);
  };

  const remove = (id: string): Promise<boolean> =>
    turns.take(id, async () => {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      const bytes = bytesOf(entry.revisions);
      entries.delete(id);
      count({ sessions: -1, bytes: -bytes });
      try {
        await removeFolder(folderOf(id));
      } catch (error) {
        // Otherwise the session would silently return after a restart.
        if (await isThere(folderOf(id))) {
          entries.set(id, entry);
          count({ sessions: 1, bytes });
        }
        throw storageError(error);
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
        count({ sessions: 1, bytes: bytesOf(entry.revisions) });
        await sweep(entry);
      }
    },

    create: (session, content, terms) =>
      turns.take(session.id, async () => {
        const before = active(session.id);
        if (before !== undefined) return before.record;
        const lifetime = writtenLifetime(terms.lifetime);
        const end = now() + lifetime;
        const created = Date.now();
        const record = { ...session, created, expiresAt: created + lifetime };
        const entry = { record, revisions: [revisionOf(record.revision, content)] };
        await within({ sessions: 1, bytes: bytesOf(entry.revisions) }, terms, () =>
          createFolder(folderOf(record.id), entry, content),
        );
        keep(entry, end);
        return record;
      }),

    replace: (session, content, terms) =>
      turns.take(session.id, async () => {
        const before = active(session.id);
        const revisions =
          before && nextRevisions(before.revisions, session.revision, content, heldRevisions(session.id));
        if (before === undefined || revisions === undefined) return undefined;
        const lifetime = writtenLifetime(terms.lifetime);
        const own = { end: now() + lifetime, expiresAt: Date.now() + lifetime };
        const former = { end: endOf(before), expiresAt: before.record.expiresAt };
        const { end, expiresAt } = own.end > former.end ? own : former;
        const record = { ...session, created: before.record.created, expiresAt };
        const entry = { ...before, record, revisions };
        const bytes = bytesOf(revisions) - bytesOf(before.revisions);
        await within({ sessions: 0, bytes }, terms, async () => {
          await addFiles(folderOf(record.id), record.revision, content);
          await write(entry, end);
        });
        await sweep(entry);
        return record;
      }),

    async use(id, lifetime) {
      const found = active(id);
      if (found === undefined) return undefined;
      const [today, moment, written] = [Date.now(), now(), writtenLifetime(lifetime)];
      const { expiresAt: announced } = found.record;
      // A later end than that of a session written now comes from a wrong clock.
      const isRight = announced >= today + lifetime && announced <= today + written;
      if (isRight && endOf(found) >= moment + lifetime) return found.record;
      return await turns.take(id, async () => {
        const entry = active(id);
        if (entry === undefined || endOf(entry) >= moment + written) return entry?.record;
        const renewed = { ...entry, record: { ...entry.record, expiresAt: today + written } };
        await stored(write(renewed, moment + written));
        return renewed.record;
      });
    },

    find: async (id) => active(id)?.record,

    list: async ({ after = "", limit }) =>
      [...entries.keys()]
        .filter((id) => id > after && active(id) !== undefined)
        .sort()
        .slice(0, limit)
        .flatMap((id) => {
          const entry = entries.get(id);
          return entry === undefined ? [] : [{ record: entry.record, bytes: bytesOf(entry.revisions) }];
        }),

    async project(id, revision) {
      const known = active(id)?.revisions.some((each) => each.revision === revision) ?? false;
      return known ? contentOf(projectFile(folderOf(id), revision)) : undefined;
    },

    asset: async (id, sha256) => (holds(id, sha256) ? contentOf(assetFile(folderOf(id), sha256)) : undefined),

    assets: async (id) => (active(id)?.revisions.at(-1)?.assets ?? []).map((asset) => asset.sha256),

    hasAsset: async (id, sha256) => holds(id, sha256),

    uploads: async (id) => active(id)?.uploads ?? [],

    changeUploads: (id, change) =>
      turns.take(id, async () => {
        const entry = active(id);
        if (entry === undefined) return false;
        await stored(write({ ...entry, uploads: change(entry.uploads ?? []) }, endOf(entry)));
        return true;
      }),

    remove: async (id) => active(id) !== undefined && (await remove(id)),

    async removeExpired(removed) {
      const expired = [...entries.values()].filter((entry) => endOf(entry) <= now());
      for (const { record } of expired) if (await remove(record.id)) removed(record.id);
    },

    async followClock() {
      for (const { record } of entries.values()) {
        await turns.take(record.id, async () => {
          const entry = active(record.id);
          if (entry === undefined) return;
          const end = endOf(entry);
          const expiresAt = Math.round(end + clockLead());
          await stored(write({ ...entry, record: { ...entry.record, expiresAt } }, end));
        });
      }
    },

    usage: async () => ({ ...used }),

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
