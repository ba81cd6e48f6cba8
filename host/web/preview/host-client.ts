import { isAborted, RefusedRequest } from "./failure.js";
import type {
  GeneratedReport,
  HostError,
  OptionValue,
  Session,
  TemplateOptions,
  TemplateRecord,
  TemplateState,
} from "./host-answers.js";

const reporter = "EAIWS/plugins/Reporter";

/** The host's operations that a preview is made of; the same that every other client uses. */
export class HostClient {
  /** `root`: address of the host, with a slash at its end; `headers`: what each request has, such as a key. */
  constructor(
    private readonly root: URL,
    private readonly headers: () => Record<string, string> = () => ({}),
  ) {}

  /** All templates that serve, in the language of the session. */
  templates(sessionId: string): Promise<TemplateRecord[]> {
    return this.json(`${reporter}/templates.json?${new URLSearchParams({ category: "*", sessionId })}`);
  }

  /** Where all templates stand, also those that do not serve. */
  async templateStates(): Promise<TemplateState[]> {
    return (await this.json<{ templates: TemplateState[] }>("api/templates")).templates;
  }

  async templateOptions(template: string, sessionId: string, signal: AbortSignal): Promise<TemplateOptions> {
    const path = `${reporter}/template/${encodeURIComponent(template)}/options.json?${new URLSearchParams({ sessionId })}`;
    return (await this.json<{ options: TemplateOptions }>(path, { signal })).options;
  }

  /** The values of all options that a report gets when a request names none: those of the template and of the project. */
  async usualOptions(
    template: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<Record<string, OptionValue>> {
    const path = `${reporter}/template/${encodeURIComponent(template)}/data.json`;
    const data = await this.post<{ options: Record<string, OptionValue> }>(path, { sessionId }, signal);
    return data.options;
  }

  generate(
    template: string,
    body: { sessionId: string; templateOptions: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<GeneratedReport> {
    return this.post(`${reporter}/template/${encodeURIComponent(template)}/v1/generate`, body, signal);
  }

  /** Where a generated file is for this page, whatever the host is called by others. */
  fileAddress(url: string): string {
    const { pathname } = new URL(url);
    return new URL(pathname.slice(pathname.lastIndexOf("/files/") + 1), this.root).href;
  }

  async file(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
    const response = await this.fetch(address, { signal });
    if (!response.ok) throw new RefusedRequest(await errorOf(response));
    return response.arrayBuffer();
  }

  session(id: string): Promise<Session> {
    return this.json(`api/sessions/${encodeURIComponent(id)}`);
  }

  async sessions(): Promise<Session[]> {
    return (await this.json<{ sessions: Session[] }>("api/sessions")).sessions;
  }

  openSession(project: Blob, locale?: string): Promise<Session> {
    const body = new FormData();
    if (locale !== undefined) body.set("locale", locale);
    body.set("project", project, project instanceof File ? project.name : "project.json");
    return this.json("api/sessions", { method: "POST", body });
  }

  /** A session with the same project and another locale. */
  async copySession(id: string, locale: string): Promise<Session> {
    const response = await this.fetch(`api/sessions/${encodeURIComponent(id)}/project?assets=inline`);
    if (!response.ok) throw new RefusedRequest(await errorOf(response));
    return this.openSession(new Blob([await response.text()], { type: "application/json" }), locale);
  }

  /** The stream of server-sent events about templates. */
  async templateEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const headers = { Accept: "text/event-stream" };
    const response = await this.fetch("api/templates/events", { headers, signal });
    if (!response.ok || response.body === null) throw new RefusedRequest(await errorOf(response));
    return response.body;
  }

  private post<Answer>(path: string, body: object, signal: AbortSignal): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    return this.json(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  }

  private async json<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await this.fetch(path, init);
    if (!response.ok) throw new RefusedRequest(await errorOf(response));
    return response.json();
  }

  private async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      const headers = { ...this.headers(), ...init.headers };
      return await fetch(new URL(path, this.root), { ...init, headers });
    } catch (error) {
      if (isAborted(error)) throw error;
      const message = "The host does not respond. This page resumes as soon as it does.";
      throw new RefusedRequest({ id: "host-away", code: 0, message });
    }
  }
}

async function errorOf(response: Response): Promise<HostError> {
  const unknown = {
    id: "unknown",
    code: response.status,
    message: `The host answered with ${response.status}.`,
  };
  if (!response.headers.get("Content-Type")?.startsWith("application/json")) return unknown;
  return response.json();
}
