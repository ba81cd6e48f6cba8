/** Copies of sessions that another server keeps, for plugins here. */
import { createHash } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { type Log, RequestError } from "@slipway/sdk";
import { LRUCache } from "lru-cache";
import type { Configuration } from "../../configuration/configuration.js";
import { monotonicTime } from "../../system/time.js";
import type { Sessions } from "../open-sessions.js";
import { type SavedProject, ServerFault, SessionServer, serverError, type Taking } from "./session-server.js";

/** What was copied, as this process remembers it. */
interface KnownCopy {
  /** By `monotonicTime`, before the other server was asked. */
  asked: number;
  revision: number;
  download: SavedProject["download"];
  digest: string;
  locale: string;
}

/** A copying that runs, or waits for the one before it. */
interface Copying {
  /** Whether the other server is asked already, so that its answer may be older than a request that comes now. */
  isAsking: boolean;
  /** Requests that wait for it. */
  waiting: number;
  /** Aborted when no request waits any more. */
  abandoned: AbortController;
  outcome: Promise<void>;
}

/** What a request brings along that needs a session. */
export interface CopyRequest {
  /** Called before a session that is unknown here is asked for; may refuse it. */
  first(): Promise<void>;
  /** Runs the copying and counts the memory that it takes. */
  during(task: (take: (bytes: number) => void) => Promise<void>): Promise<void>;
  /** The copying is aborted once the signals of all that wait for it are. */
  signal: AbortSignal;
}

/** Copies that are remembered; the content of others is fetched again. */
const mostKnown = 20_000;
/** Milliseconds in which requests that come at once gather for one copying. */
const gathering = 10;

/** What the copies rest on. */
export interface SessionCopiesParts {
  configuration: Pick<Configuration, "eaiws" | "fetch" | "limits">;
  sessions: Pick<Sessions, "find" | "copy" | "close">;
  log: Log;
}

/**
 * Takes sessions that are unknown here from the server of `eaiws.server`, under the same ids, and keeps the copies as
 * young as `eaiws.maximumAge` wants.
 */
export class SessionCopies {
  private readonly known = new LRUCache<string, KnownCopy>({ max: mostKnown });
  private readonly copying = new Map<string, Copying>();
  private readonly ending = new AbortController();

  constructor(private readonly parts: SessionCopiesParts) {}

  /** Whether another server is configured. */
  get isOn(): boolean {
    return this.parts.configuration.eaiws.server !== undefined;
  }

  /**
   * Makes or renews the copy of a session, unless it is one of this host. A session that the other server does not know (any
   * more) is closed here. Rejects with 502 `session-server-error`, with 503 where there is no memory for the
   * project, and as opening a project does.
   */
  async renew(id: string, request: CopyRequest): Promise<void> {
    const record = await this.parts.sessions.find(id);
    if (record !== undefined && record.summary.isCopy !== true) return;
    if (record === undefined) await request.first();
    else if (this.isYoung(id, record.revision)) return;
    await this.shared(id, request);
  }

  /** Aborts what is being copied. */
  stop(): void {
    this.ending.abort(serverError("this host is stopping"));
  }

  private isYoung(id: string, revision: number): boolean {
    const known = this.known.get(id);
    const { maximumAge } = this.parts.configuration.eaiws;
    return known?.revision === revision && monotonicTime() - known.asked < maximumAge;
  }

  /** Joins a copying that has not asked yet; otherwise the next one, which begins after it. */
  private async shared(id: string, request: CopyRequest): Promise<void> {
    const before = this.copying.get(id);
    const isJoined = before !== undefined && !before.isAsking && !before.abandoned.signal.aborted;
    const copying = isJoined ? before : this.begin(id, request, before);
    await attended(copying, request.signal);
  }

  private begin(id: string, { during }: CopyRequest, before: Copying | undefined): Copying {
    const copying: Copying = {
      isAsking: false,
      waiting: 0,
      abandoned: new AbortController(),
      outcome: Promise.resolve(),
    };
    copying.outcome = during((take) => this.turn(id, copying, before, take)).finally(() => {
      if (this.copying.get(id) === copying) this.copying.delete(id);
    });
    this.copying.set(id, copying);
    return copying;
  }

  private async turn(
    id: string,
    copying: Copying,
    before: Copying | undefined,
    take: Taking["take"],
  ): Promise<void> {
    await before?.outcome.catch(() => undefined);
    if (before === undefined) await after(gathering);
    const signal = AbortSignal.any([this.ending.signal, copying.abandoned.signal]);
    signal.throwIfAborted();
    copying.isAsking = true;
    const record = await this.parts.sessions.find(id);
    if (record !== undefined && this.isYoung(id, record.revision)) return;
    await this.copy(id, record?.revision, { signal, take });
  }

  private async copy(id: string, revision: number | undefined, taking: Taking): Promise<void> {
    const { configuration, sessions, log } = this.parts;
    const { server: url } = configuration.eaiws;
    if (url === undefined) return;
    const server = new SessionServer(url, configuration, log);
    const asked = monotonicTime();
    const last = this.known.get(id);
    // Another host may have renewed the copy since.
    const known = last !== undefined && last.revision === revision ? last : undefined;
    const taken = await this.taken(server, id, known?.download, taking);
    if (taken === undefined) {
      this.known.delete(id);
      if (revision !== undefined) await sessions.close(id);
      return;
    }
    const { content, download, locale } = taken;
    const given = content && sha256(content);
    if (known !== undefined && (given ?? known.digest) === known.digest && locale === known.locale) {
      this.known.set(id, { ...known, asked, download });
      return;
    }
    const bytes = content ?? (await server.save(id, undefined, taking)).content;
    if (bytes === undefined) throw serverError("it gives no project");
    const project = { bytes, mediaType: "application/octet-stream", filename: "", locale };
    const record = await sessions.copy(id, project).catch((error: unknown) => {
      throw isUnreadable(error)
        ? serverError(`its project cannot be opened: ${error.message}`, error)
        : error;
    });
    const digest = given ?? sha256(bytes);
    this.known.set(id, { asked, revision: record.revision, download, digest, locale });
  }

  /** Undefined for a session that the other server does not know. */
  private async taken(server: SessionServer, id: string, known: SavedProject["download"], taking: Taking) {
    try {
      const [saved, locale] = await Promise.all([server.save(id, known, taking), server.locale(id, taking)]);
      return { ...saved, locale };
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      if (await server.knows(id, taking)) throw serverError(`it says: ${error.message}`, error);
      return undefined;
    }
  }
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Its outcome, unless the request ends before. */
async function attended(copying: Copying, signal: AbortSignal): Promise<void> {
  copying.waiting += 1;
  const left = new Promise<never>((_, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    await Promise.race([copying.outcome, left]);
  } finally {
    copying.waiting -= 1;
    // A copying that has ended may still clear up behind it.
    if (copying.waiting === 0 && signal.aborted)
      copying.abandoned.abort(serverError("the request that wanted it ended"));
  }
}

function isUnreadable(error: unknown): error is RequestError {
  return error instanceof RequestError && (error.code === 400 || error.code === 413 || error.code === 415);
}
