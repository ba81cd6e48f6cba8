import type { Procedures, ProjectDocument } from "@slipway/sdk";
import type { Artifact } from "@slipway/sdk/runtime/host";
import { LRUCache } from "lru-cache";
import type { UploadMemory } from "../api/receive-project.js";
import type { Configuration } from "../configuration/configuration.js";
import type { ArtifactStore } from "../files/files.js";
import type { RequestContext } from "../http/request-state.js";
import { FairShare } from "../security/fair-share.js";
import type { SessionRecord, Sessions } from "../sessions/sessions.js";

/** What the session service rests on. */
export interface SessionServiceParts {
  configuration: Configuration;
  sessions: Sessions;
  artifacts: ArtifactStore;
  projects: RecentProjects;
  /** Pricing procedures of the host, for projects without one. */
  procedures: Procedures;
  /** Memory for projects that are received and opened, shared with the rest of the API. */
  room: UploadMemory;
  /** Changes of sessions that are made or wait, each with its request. */
  changes: FairShare;
  /** 429 `request-rate-limited` when a client opens too many sessions. */
  limitOpening(ctx: RequestContext): Promise<void>;
}

/** Changes at a time, of all clients. */
const mostChanges = 200;

export function sessionChanges(): FairShare {
  return new FairShare(() => mostChanges);
}

/** Items of all projects that are kept. */
const mostItems = 50_000;
/** Milliseconds. */
const keptFor = 60_000;

/** Files that sessions were saved as. */
const mostFiles = 10_000;

const keyOf = ({ id, revision }: SessionRecord): string => `${id} ${revision}`;

/**
 * Projects that were read lately, as clients ask for one project in many small requests; and the files that they were
 * saved as, because other servers ask again and again for a project that has not changed.
 */
export class RecentProjects {
  private readonly kept = new LRUCache<string, ProjectDocument, SessionRecord>({
    maxSize: mostItems,
    ttl: keptFor,
    ttlAutopurge: true,
  });

  private readonly files = new LRUCache<string, Artifact>({ max: mostFiles });

  constructor(private readonly sessions: Pick<Sessions, "document">) {}

  /** The file that the same revision of a session was saved as, if it lives for some more time. */
  async savedFile(record: SessionRecord, artifacts: ArtifactStore): Promise<Artifact | undefined> {
    const known = this.files.get(keyOf(record));
    const isFresh = known !== undefined && Date.now() < (known.created + known.expiresAt) / 2;
    return isFresh ? await artifacts.find(known.id) : undefined;
  }

  rememberFile(record: SessionRecord, file: Artifact): void {
    this.files.set(keyOf(record), file);
  }

  /** The project of a session in its revision; undefined when the session is gone. */
  async of(record: SessionRecord): Promise<ProjectDocument | undefined> {
    const key = keyOf(record);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const read = await this.sessions.document(record);
    if (read !== undefined) this.kept.set(key, read, { size: 1 + record.summary.items });
    return read;
  }
}
