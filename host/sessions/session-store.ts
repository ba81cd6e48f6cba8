/** The store of open sessions. One contract for the embedded store and for stores shared by a fleet. */
import { type Static, Type } from "@slipway/sdk";
import type { SessionContents, StoredAsset } from "@slipway/sdk/runtime/host";
import { overloaded } from "../system/request-errors.js";

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
    isCopy: Type.Optional(Type.Boolean({ description: "Another server keeps the session; this is a copy." })),
  },
  { title: "ProjectSummary" },
);
export type ProjectSummary = Static<typeof ProjectSummary>;

/** An address at which a client may put a file for its session, and the file that lies there. */
export const Upload = Type.Object({
  /** The end of the address, unguessable. */
  address: Type.String(),
  file: Type.Optional(
    Type.Object({
      /** In the store of generated files. */
      id: Type.String(),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type Upload = Static<typeof Upload>;

/** Metadata as the opener of a project knows it; the store adds the times. */
export type SessionFacts = Omit<SessionRecord, "created" | "expiresAt">;

/** The bytes of a revision. */
export interface RevisionContent {
  /** The document as JSON. */
  project: Uint8Array;
  /** Those that the session does not have yet. */
  assets: StoredAsset[];
}

/** Settings that a store applies to a session that it writes. */
export interface SessionTerms {
  /** Milliseconds after the last use. */
  lifetime: number;
  /** Bounds of all sessions together. */
  maximumSessions: number;
  maximumBytes: number;
}

/** Number and total bytes of sessions. */
export interface SessionUsage {
  sessions: number;
  bytes: number;
}

/**
 * Stores decide by their own clock what has expired; clients get times of the system clock. Every writing method
 * resolves once its bytes are on disk (or in the shared store). Beyond the limits, or without space, it rejects with 503
 * `request-overloaded`, and the previous state remains.
 */
export interface SessionStore extends SessionContents {
  /** Reads the store and removes remains of earlier runs. */
  open(): Promise<void>;
  /**
   * Stores the first revision of a session. However many are created at once, the limits hold. Returns an existing session
   * unchanged: it belongs to an earlier request, which was sent again because it got no answer.
   */
  create(session: SessionFacts, content: RevisionContent, terms: SessionTerms): Promise<SessionRecord>;
  /**
   * Stores the next revision, with renewed lifetime. `kept` are the SHA-256 of the assets to keep. The previous revision
   * stays readable until the next replacement, for running requests; one that jobs of the engine name, until they have ended.
   * Undefined when the session is gone or its revision
   * is not the previous one.
   */
  replace(
    session: SessionFacts,
    content: RevisionContent & { kept: string[] },
    terms: SessionTerms,
  ): Promise<SessionRecord | undefined>;
  /**
   * The record of an active session, which from now on lives for `lifetime` milliseconds at least; never shortens its
   * lifetime.
   */
  use(id: string, lifetime: number): Promise<SessionRecord | undefined>;
  /** The record of an active session; undefined for an unknown or expired one. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** At most `limit` active sessions in the order of their ids; with `after`, those beyond this id. */
  list(page: { after?: string | undefined; limit: number }): Promise<StoredSession[]>;
  /** SHA-256 of the assets of the current revision. */
  assets(id: string): Promise<string[]>;
  /** The addresses for files of an active session, oldest first; empty for an unknown one. */
  uploads(id: string): Promise<readonly Upload[]>;
  /**
   * Replaces them; changes of one session happen one after the other, on all hosts. The store may call `change`
   * again. False for a session that is not active.
   */
  changeUploads(id: string, change: (uploads: readonly Upload[]) => readonly Upload[]): Promise<boolean>;
  /** Its uploads go with a session; their files stay for their lifetime. */
  remove(id: string): Promise<boolean>;
  /** Removes expired sessions; `removed` gets the id of each, also when a later one cannot be removed. */
  removeExpired(removed: (id: string) => void): Promise<void>;
  /** Rewrites the expiry times after a change of the system clock, so that lifetimes stay the same. */
  followClock(): Promise<void>;
  /** All sessions, including those that are being written. */
  usage(): Promise<SessionUsage>;
  close(): Promise<void>;
}

/**
 * Milliseconds until the end of a session that is written now: some more than its lifetime, so that a session in
 * constant use is written once in a while instead of with each request, and never ends before the announced time.
 */
export function writtenLifetime(lifetime: number): number {
  return lifetime + Math.min(Math.ceil(lifetime / 10), 300_000);
}

/** Throws 503 `request-overloaded` where more sessions, or bytes, would exceed the limits. */
export function refuseOverflow(
  used: SessionUsage,
  added: SessionUsage,
  { maximumSessions, maximumBytes }: Omit<SessionTerms, "lifetime">,
): void {
  const tooMany = added.sessions > 0 && used.sessions + added.sessions > maximumSessions;
  if (!tooMany && used.bytes + added.bytes <= maximumBytes) return;
  throw overloaded(
    tooMany
      ? "Too many sessions are open. Close some, or try again later."
      : "The space for open sessions is full. Close some, or try again later.",
    60,
  );
}
