/** The store of open sessions. One contract for the embedded store and for stores shared by a fleet. */
import { type Static, Type } from "@slipway/sdk";
import type { SessionContents, StoredAsset } from "@slipway/sdk/runtime/host";

/** Metadata of a session, without its project. */
export interface SessionRecord {
  /** UUID. */
  id: string;
  /** Such as "de_DE". */
  locale: string;
  /** 1 for the first project, incremented with each replacement. */
  revision: number;
  /** Milliseconds since the epoch. */
  created: number;
  expiresAt: number;
  /** For lists: name and size of the project. */
  summary: ProjectSummary;
}

/** A session in a store. */
export interface StoredSession {
  record: SessionRecord;
  /** Size in bytes, including the previous revision. */
  bytes: number;
}

/** Metadata of a project. */
export const ProjectSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    number: Type.String(),
    currency: Type.String(),
    languages: Type.Array(Type.String()),
    items: Type.Integer({ minimum: 0 }),
    articles: Type.Integer({ minimum: 0, description: "Of the items." }),
    views: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    schemes: Type.Array(Type.String(), { description: "Its pricing procedures." }),
  },
  { title: "ProjectSummary" },
);
export type ProjectSummary = Static<typeof ProjectSummary>;

/**
 * Every writing method resolves once its bytes are on disk (or in the shared store). Without space it rejects with 503
 * `request-overloaded`, and the previous state remains.
 */
export interface SessionStore extends SessionContents {
  /** Reads the store and removes remains of earlier runs. */
  open(): Promise<void>;
  create(record: SessionRecord, project: Uint8Array, assets: StoredAsset[]): Promise<void>;
  /**
   * Replaces the project; the record has the new revision. `assets` are new to the session, `kept` are the SHA-256 of
   * those to keep. The previous revision stays readable until the next replacement, for running requests. Returns false
   * when the session is gone or its revision is not the previous one.
   */
  replace(
    record: SessionRecord,
    project: Uint8Array,
    assets: StoredAsset[],
    kept: string[],
  ): Promise<boolean>;
  /** Extends the lifetime; never shortens it. */
  renew(id: string, expiresAt: number): Promise<void>;
  /** The record of an active session; undefined for an unknown or expired one. */
  find(id: string): Promise<SessionRecord | undefined>;
  list(): Promise<StoredSession[]>;
  /** SHA-256 of the assets of the current revision. */
  assets(id: string): Promise<string[]>;
  remove(id: string): Promise<boolean>;
  /** Removes expired sessions; `removed` gets the id of each, also when a later one cannot be removed. */
  removeExpired(now: number, removed: (id: string) => void): Promise<void>;
  /** Rewrites the expiry times after a change of the system clock, so that lifetimes stay the same. */
  followClock(): Promise<void>;
  /** Number and total size of all sessions. */
  usage(): Promise<{ sessions: number; bytes: number }>;
  close(): Promise<void>;
}
