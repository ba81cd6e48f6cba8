/** Where open sessions live. One contract for the embedded store and for stores that a fleet shares. */
import { type Static, Type } from "@slipway/sdk";
import type { SessionContents, StoredAsset } from "@slipway/sdk/runtime/host";

/** What is known of a session without reading its project. */
export interface SessionRecord {
  /** UUID. */
  id: string;
  /** Such as "de_DE". */
  locale: string;
  /** 1 for the first project, one more for each replacement. */
  revision: number;
  /** Milliseconds since the epoch. */
  created: number;
  expiresAt: number;
  /** For lists: what the project is called and how large it is. */
  summary: ProjectSummary;
}

/** A session as a store holds it. */
export interface StoredSession {
  record: SessionRecord;
  /** What it takes, the revision before the last included. */
  bytes: number;
}

/** What is known of a project without reading it. */
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
 * Every method that writes has its bytes on disk (or in the shared store) before it ends. Where there is no room, it
 * rejects with 503 `request-overloaded` and what was there before is still there.
 */
export interface SessionStore extends SessionContents {
  /** Sweeps what is left over of earlier runs. */
  open(): Promise<void>;
  create(record: SessionRecord, project: Uint8Array, assets: StoredAsset[]): Promise<void>;
  /**
   * Replaces the project; the record carries the new revision. `assets` are those that the session did not hold yet,
   * `kept` the SHA-256 of those that it keeps. The revision before stays readable until the next replacement, so that
   * running requests can finish with it. False when the session is gone or its revision is not the one before.
   */
  replace(
    record: SessionRecord,
    project: Uint8Array,
    assets: StoredAsset[],
    kept: string[],
  ): Promise<boolean>;
  /** Moves the end of the lifetime; never nearer. */
  renew(id: string, expiresAt: number): Promise<void>;
  /** The record of an active session, or undefined; also undefined for one that expired. */
  find(id: string): Promise<SessionRecord | undefined>;
  list(): Promise<StoredSession[]>;
  /** SHA-256 of the assets of the current revision. */
  assets(id: string): Promise<string[]>;
  remove(id: string): Promise<boolean>;
  /** Removes what expired; says how many. */
  removeExpired(now: number): Promise<number>;
  /** Stores anew when sessions end, after the machine's clock has jumped: they live on as long as they would have. */
  followClock(): Promise<void>;
  /** What all active sessions together take. */
  usage(): Promise<{ sessions: number; bytes: number }>;
  close(): Promise<void>;
}
