import { tabStorage } from "./browser-storage.js";
import type { HostClient } from "./host-client.js";
import type { AnswerOf } from "./operations.js";

/** Opens a session with a project; the default locale is that of the project. */
export function openSession(
  host: HostClient,
  project: Blob,
  locale?: string,
): Promise<AnswerOf<"POST /api/sessions">> {
  const form = new FormData();
  if (locale !== undefined) form.set("locale", locale);
  form.set("project", project, project instanceof File ? project.name : "project.json");
  return host.call("POST /api/sessions", { form });
}

/** Copies of a session with other locales, opened on demand. Call `close` at the end. */
export class SessionLocales {
  private readonly copies = new Map<string, Promise<string>>();
  private isClosed = false;

  constructor(
    private readonly host: HostClient,
    private readonly session: { sessionId: string; locale: string },
  ) {}

  /** The id of a session with this locale. */
  async inLocale(locale: string): Promise<string> {
    if (locale === this.session.locale) return this.session.sessionId;
    const former = this.copies.get(locale);
    const copy = former === undefined ? this.copy(locale) : this.renewed(locale, former);
    this.copies.set(locale, copy);
    try {
      return await copy;
    } catch (error) {
      this.copies.delete(locale);
      throw error;
    }
  }

  /** Closes the copies, also those from before a reload of the page. */
  close(): void {
    this.isClosed = true;
    const kept = tabStorage.names().filter((name) => name.startsWith(this.place("")));
    const former = kept.flatMap((name) => tabStorage.read(name) ?? []);
    for (const name of kept) tabStorage.forget(name);
    for (const sessionId of former) this.end(sessionId);
    // A failed copy needs no closing.
    for (const copy of this.copies.values())
      copy.then(
        (sessionId) => !former.includes(sessionId) && this.end(sessionId),
        () => undefined,
      );
    this.copies.clear();
  }

  /** Reuses the copy while it lives; it can expire while unused. */
  private async renewed(locale: string, former: Promise<string>): Promise<string> {
    const sessionId = await former;
    return (await this.isAlive(sessionId)) ? sessionId : this.copy(locale);
  }

  /** A copy from before a reload of the page, if it still lives. */
  private async copy(locale: string): Promise<string> {
    const { sessionId: original } = this.session;
    const place = this.place(locale);
    const former = tabStorage.read(place);
    if (former !== undefined && (await this.isAlive(former))) return former;
    const input = { params: { sessionId: original }, query: { assets: "inline" } } as const;
    const project = await this.host.response("GET /api/sessions/:sessionId/project", input);
    const { sessionId } = await openSession(this.host, await jsonBlob(project), locale);
    if (!this.isClosed) tabStorage.keep(place, sessionId);
    return sessionId;
  }

  private place(locale: string): string {
    return `slipway-preview ${this.session.sessionId} ${locale}`;
  }

  private end(sessionId: string): void {
    // The session also expires by itself.
    this.host.call("DELETE /api/sessions/:sessionId", { params: { sessionId } }).catch(() => undefined);
  }

  private isAlive(sessionId: string): Promise<boolean> {
    return this.host.call("GET /api/sessions/:sessionId", { params: { sessionId } }).then(
      () => true,
      () => false,
    );
  }
}

async function jsonBlob(response: Response): Promise<Blob> {
  return new Blob([await response.text()], { type: "application/json" });
}
