import type { HostClient } from "./host-client.js";
import type { AnswerOf } from "./operations.js";

/** Opens a session with a project; without a locale, with that of the project. */
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

/** Sessions with the project of one session and other locales, made when they are needed. */
export class SessionLocales {
  private readonly copies = new Map<string, Promise<string>>();

  constructor(
    private readonly host: HostClient,
    private readonly session: { sessionId: string; locale: string },
  ) {}

  /** The id of a session with this locale. */
  async inLocale(locale: string): Promise<string> {
    if (locale === this.session.locale) return this.session.sessionId;
    const copy = this.copies.get(locale) ?? this.copy(locale);
    this.copies.set(locale, copy);
    try {
      return await copy;
    } catch (error) {
      this.copies.delete(locale);
      throw error;
    }
  }

  /** One that was made before the page was loaded again, if it still lives. */
  private async copy(locale: string): Promise<string> {
    const { sessionId: original } = this.session;
    const place = `slipway-preview ${original} ${locale}`;
    const former = sessionStorage.getItem(place);
    if (former !== null && (await this.isAlive(former))) return former;
    const input = { params: { sessionId: original }, query: { assets: "inline" } } as const;
    const project = await this.host.response("GET /api/sessions/:sessionId/project", input);
    const { sessionId } = await openSession(this.host, await jsonBlob(project), locale);
    sessionStorage.setItem(place, sessionId);
    return sessionId;
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
