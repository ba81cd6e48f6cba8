import { randomInt, randomUUID } from "node:crypto";
import {
  Asset,
  badRequest,
  checked,
  checkProject,
  type ProjectDocument,
  parseLocale,
  type ReadWarning,
  RequestError,
  type SessionEndReason,
  shownValue,
  Type,
  Validator,
} from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { Turns } from "../system/concurrency.js";
import type { OpenedProject } from "./open-project.js";
import type { WrittenFormat } from "./opening-messages.js";
import type { DeclaredFormat } from "./project-format.js";
import type { ProjectOpener } from "./project-opener.js";
import {
  refuseOverflow,
  type SessionFacts,
  type SessionRecord,
  type SessionStore,
  type StoredSession,
  type Upload,
} from "./session-store.js";

const checkStored = new Validator({ lazy: true }).compile(
  Type.Object({ assets: Type.Optional(Type.Record(Type.String(), Asset)) }),
  "project",
);

/** Sessions that a store is asked for at a time. */
const pageLength = 2000;

/** A project to be opened. */
export interface IncomingProject extends DeclaredFormat {
  bytes: Uint8Array;
  /** Takes precedence over the locale in the body. Default: the configured locale, or that of the session. */
  locale: string | undefined;
}

export interface OpenSession {
  record: SessionRecord;
  warnings: ReadWarning[];
}

/** Receives session start (with pictures) and end events. It is not awaited, and must not throw. */
export interface SessionObserver {
  opened(id: string, pictures: OpenedProject["assets"]): void;
  closed(id: string, reason: SessionEndReason): void;
}

/** What becomes of a session; what is missing stays as it is. */
export interface SessionChange {
  project?: ProjectDocument;
  locale?: string;
}

/** Below this the first revision of a copy is chosen; stores have 32 bits for revisions. */
const firstRevisions = 2 ** 30;

/** Attempts at a change, if another host is faster each time. */
const changeAttempts = 10;

/** Opens, renews and replaces sessions; applies lifetime and limits. */
export class Sessions {
  private opened = 0;
  private expired = 0;
  private readonly changing = new Turns();

  constructor(
    private readonly store: SessionStore,
    private readonly opener: ProjectOpener,
    private readonly configuration: Configuration["sessions"],
    private readonly observer: SessionObserver,
  ) {}

  /** Numbers of opened and expired sessions since the start. */
  get counts(): { opened: number; expired: number } {
    return { opened: this.opened, expired: this.expired };
  }

  /** `reserved`: a random id of the request (base64url), which is the same when it is sent again; it makes one session. */
  async open(incoming: IncomingProject, reserved?: string): Promise<OpenSession> {
    await this.refuseOverflow(1, incoming.bytes.byteLength);
    const opened = await this.opener.open(incoming.bytes, incoming);
    const session: SessionFacts = {
      id: reserved === undefined ? randomUUID() : uuidOf(reserved),
      locale: localeOf(incoming, opened, this.configuration.locale),
      revision: 1,
      summary: opened.summary,
    };
    const record = await this.store.create(session, opened, this.configuration);
    this.opened += 1;
    this.observer.opened(record.id, opened.assets);
    return { record, warnings: opened.warnings };
  }

  /**
   * Replaces the project of a session; undefined for an unknown session. 409 after a concurrent replacement, and for a
   * copy of another server's session.
   */
  async replace(id: string, incoming: IncomingProject): Promise<OpenSession | undefined> {
    const before = await this.store.find(id);
    if (before === undefined) return undefined;
    refuseCopy(before);
    await this.refuseOverflow(0, incoming.bytes.byteLength);
    const opened = await this.opener.open(incoming.bytes, incoming, new Set(await this.store.assets(id)));
    const session: SessionFacts = {
      id,
      locale: localeOf(incoming, opened, before.locale),
      revision: before.revision + 1,
      summary: opened.summary,
    };
    const record = await this.store.replace(session, opened, this.configuration);
    if (record === undefined) throw replacedMeanwhile();
    return { record, warnings: opened.warnings };
  }

  /**
   * Opens a copy of another server's session under its id, or replaces the present one unless it is equal. A
   * session of this host with that id is left alone.
   */
  async copy(id: string, incoming: IncomingProject): Promise<SessionRecord> {
    return await this.changing.take(id, async () => {
      for (let attempt = 0; attempt < changeAttempts; attempt += 1) {
        const copied = await this.copyOnce(id, incoming);
        if (copied !== undefined) return copied;
      }
      throw replacedMeanwhile();
    });
  }

  /** Undefined when another host was faster. */
  private async copyOnce(id: string, incoming: IncomingProject): Promise<SessionRecord | undefined> {
    const before = await this.store.find(id);
    if (before !== undefined && before.summary.isCopy !== true) return before;
    await this.refuseOverflow(before === undefined ? 1 : 0, incoming.bytes.byteLength);
    const opened = await this.opener.open(incoming.bytes, incoming);
    const session: SessionFacts = {
      id,
      locale: localeOf(incoming, opened, this.configuration.locale),
      // A copy may be made again after it has ended, and plugins keep projects by id and revision.
      revision: before === undefined ? randomInt(1, firstRevisions) : before.revision + 1,
      summary: { ...opened.summary, isCopy: true },
    };
    if (before !== undefined) {
      const stored = await this.project(before);
      const isSame = stored !== undefined && Buffer.compare(stored, opened.project) === 0;
      if (isSame && before.locale === session.locale) return before;
      return await this.store.replace(session, { ...opened, kept: [] }, this.configuration);
    }
    try {
      const record = await this.store.create(session, opened, this.configuration);
      if (record.revision !== session.revision) {
        // Another host has opened it, perhaps with an older project, or one that has expired is still there.
        await this.removeExpired();
        return undefined;
      }
      this.opened += 1;
      this.observer.opened(record.id, opened.assets);
      return record;
    } catch (error) {
      // One that has expired is still there.
      if ((await this.removeExpired()) === 0 && (await this.store.find(id)) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * Changes a session depending on its content; undefined for an unknown one. Changes of one session happen one after the other;
   * one that another host overtakes is repeated. `change` must not change the document that it gets. 400 for a project
   * that is not valid then. `take` gets the bytes of the document before and after, and may refuse them.
   */
  async change(
    id: string,
    change: (project: ProjectDocument, record: SessionRecord) => SessionChange | Promise<SessionChange>,
    take: (bytes: number) => void = () => undefined,
  ): Promise<SessionRecord | undefined> {
    return await this.changing.take(id, async () => {
      for (let attempt = 0; attempt < changeAttempts; attempt += 1) {
        const changed = await this.changeOnce(id, change, take);
        if (changed !== "overtaken") return changed;
      }
      throw replacedMeanwhile();
    });
  }

  /** Reads a project file without opening a session; rejects as `open` does. `take` gets the bytes of the document. */
  async read(
    bytes: Uint8Array,
    declared: DeclaredFormat,
    take: (bytes: number) => void,
  ): Promise<ProjectDocument> {
    const { project } = await this.opener.open(bytes, declared);
    take(project.byteLength);
    return documentOf(project);
  }

  private async changeOnce(
    id: string,
    change: Parameters<Sessions["change"]>[1],
    take: (bytes: number) => void,
  ): Promise<SessionRecord | undefined | "overtaken"> {
    const before = await this.store.find(id);
    if (before === undefined) return undefined;
    refuseCopy(before);
    // One at a time, so that at most one is in memory that was not counted before.
    const stored = await this.changing.take("read", async () => {
      const bytes = await this.project(before);
      take(bytes?.byteLength ?? 0);
      return bytes;
    });
    if (stored === undefined) return undefined;
    const document = documentOf(stored);
    const { project = document, locale = before.locale } = await change(document, before);
    const bytes = Buffer.from(JSON.stringify(project));
    take(bytes.byteLength);
    await this.refuseOverflow(0, bytes.byteLength);
    const held = new Set(await this.store.assets(id));
    const opened = await this.opener.open(bytes, { mediaType: "application/json", filename: "" }, held);
    const session = { id, locale, revision: before.revision + 1, summary: opened.summary };
    const record = await this.store.replace(session, opened, this.configuration);
    if (record !== undefined) return record;
    return (await this.store.find(id)) === undefined ? undefined : "overtaken";
  }

  /** The session of a request; renews its lifetime. */
  use(id: string): Promise<SessionRecord | undefined> {
    return this.store.use(id, this.configuration.lifetime);
  }

  find(id: string): Promise<SessionRecord | undefined> {
    return this.store.find(id);
  }

  /** In the order in which they were opened. */
  async list(): Promise<StoredSession[]> {
    const all: StoredSession[] = [];
    for (;;) {
      const page = await this.store.list({ after: all.at(-1)?.record.id, limit: pageLength });
      all.push(...page);
      if (page.length < pageLength) break;
    }
    return all.sort((one, other) => one.record.created - other.record.created);
  }

  /** Closes a session for a client; false for an unknown one. */
  async close(id: string): Promise<boolean> {
    const closed = await this.store.remove(id);
    if (closed) this.observer.closed(id, "closed");
    return closed;
  }

  /** The addresses for files of a session, oldest first. */
  uploads(id: string): Promise<readonly Upload[]> {
    return this.store.uploads(id);
  }

  /** As the store does; returns those that were replaced, or undefined for an unknown session. */
  async changeUploads(
    id: string,
    change: (uploads: readonly Upload[]) => readonly Upload[],
  ): Promise<readonly Upload[] | undefined> {
    let replaced: readonly Upload[] = [];
    const isKnown = await this.store.changeUploads(id, (uploads) => {
      replaced = uploads;
      return change(uploads);
    });
    return isKnown ? replaced : undefined;
  }

  /** Removes expired sessions; returns their number. */
  async removeExpired(): Promise<number> {
    const before = this.expired;
    await this.store.removeExpired((id) => {
      this.expired += 1;
      this.observer.closed(id, "expired");
    });
    return this.expired - before;
  }

  /** Rewrites the expiry times after a change of the system clock, so that lifetimes stay the same. */
  followClock(): Promise<void> {
    return this.store.followClock();
  }

  /** The document as JSON bytes, assets by their SHA-256. */
  project(record: SessionRecord): Promise<Uint8Array | undefined> {
    return this.store.project(record.id, record.revision);
  }

  /** The document, with assets by their SHA-256. */
  async document(record: SessionRecord): Promise<ProjectDocument | undefined> {
    const bytes = await this.project(record);
    return bytes && documentOf(bytes);
  }

  /**
   * The project as a file, with its pictures; undefined for a session that is gone. Rejects as opening a project does.
   */
  async file(record: SessionRecord, written: WrittenFormat): Promise<Uint8Array | undefined> {
    const json = await this.projectWithAssets(record);
    if (json === undefined) return undefined;
    const parts: Buffer[] = [];
    for await (const part of json) parts.push(Buffer.from(part));
    return await this.opener.write(Buffer.concat(parts), written);
  }

  /** The document as JSON text with the bytes of its assets, in chunks because it may be very large. */
  async projectWithAssets(record: SessionRecord): Promise<AsyncIterable<string> | undefined> {
    const project = await this.project(record);
    return project && withAssets(project, (sha256) => this.asset(record, sha256));
  }

  /** The bytes of an asset of a session's project, by their SHA-256; undefined for an unknown one. */
  asset(record: SessionRecord, sha256: string): Promise<Uint8Array | undefined> {
    return this.store.asset(record.id, sha256);
  }

  /** Avoids opening a project in vain; the store decides in the end. */
  private async refuseOverflow(sessions: number, bytes: number): Promise<void> {
    refuseOverflow(await this.store.usage(), { sessions, bytes }, this.configuration);
  }
}

function documentOf(bytes: Uint8Array): ProjectDocument {
  return checked(checkProject(JSON.parse(Buffer.from(bytes).toString("utf8"))), "The project is not valid");
}

function localeOf(incoming: IncomingProject, opened: OpenedProject, fallback: string): string {
  const locale = incoming.locale ?? opened.locale ?? fallback;
  if (typeof locale === "string" && parseLocale(locale) !== undefined) return locale;
  const expected = 'a locale such as "de_DE"';
  throw badRequest("The session cannot be opened", [
    { path: "locale", expected, received: shownValue(locale) },
  ]);
}

/** Of the random bits of an id, as `randomUUID` makes them (RFC 9562, version 4). */
function uuidOf(reserved: string): string {
  const digits = Buffer.from(reserved, "base64url").toString("hex");
  const [first, second, third] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)];
  return `${first}-${second}-4${third}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

function refuseCopy({ summary }: SessionRecord): void {
  if (summary.isCopy !== true) return;
  throw new RequestError({
    id: "request-conflict",
    code: 409,
    message: "Another server keeps this session. Change it there.",
  });
}

function replacedMeanwhile(): RequestError {
  return new RequestError({
    id: "request-conflict",
    code: 409,
    message: "Another request has changed the session in the meantime. Nothing was replaced; read it again.",
  });
}

/** Yields a stored project as JSON text with its assets as base64, with one asset in memory at a time. */
async function* withAssets(
  project: Uint8Array,
  read: (sha256: string) => Promise<Uint8Array | undefined>,
): AsyncGenerator<string> {
  const stored = checkStored(JSON.parse(Buffer.from(project).toString("utf8")));
  if (!stored.ok) throw new Error("A stored project does not fit its schema");
  const { assets = {}, ...rest } = stored.value;
  yield `${JSON.stringify(rest).slice(0, -1)},"assets":{`;
  let separator = "";
  for (const [key, asset] of Object.entries(assets)) {
    const content = asset.sha256 === undefined ? undefined : await read(asset.sha256);
    const base64 = content && Buffer.from(content).toString("base64");
    const whole = base64 === undefined ? asset : { ...asset, base64 };
    yield `${separator}${JSON.stringify(key)}:${JSON.stringify(whole)}`;
    separator = ",";
  }
  yield "}}";
}
