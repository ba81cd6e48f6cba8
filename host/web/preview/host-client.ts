import type {
  GeneratedReport,
  OptionValue,
  Session,
  TemplateOptions,
  TemplateRecord,
  TemplateState,
} from "./host-answers.js";
import { HostRequests } from "./host-requests.js";

const reporter = "EAIWS/plugins/Reporter";

/** The host's operations that a preview is made of; the same that every other client uses. */
export class HostClient extends HostRequests {
  protected override readonly awayMessage =
    "The host does not respond. This page resumes as soon as it does.";

  /** `root`: address of the host, with a slash at its end; `givenHeaders`: what each request has, such as a key. */
  constructor(
    root: URL,
    private readonly givenHeaders: () => Record<string, string> = () => ({}),
  ) {
    super(root);
  }

  override headers(): Record<string, string> {
    return this.givenHeaders();
  }

  /** All templates that serve, in the language of the session. */
  templates(sessionId: string): Promise<TemplateRecord[]> {
    return this.get(`${reporter}/templates.json?${new URLSearchParams({ category: "*", sessionId })}`);
  }

  /** Where all templates stand, also those that do not serve. */
  async templateStates(): Promise<TemplateState[]> {
    return (await this.get<{ templates: TemplateState[] }>("api/templates")).templates;
  }

  async templateOptions(template: string, sessionId: string, signal: AbortSignal): Promise<TemplateOptions> {
    const path = `${reporter}/template/${encodeURIComponent(template)}/options.json?${new URLSearchParams({ sessionId })}`;
    return (await this.get<{ options: TemplateOptions }>(path, signal)).options;
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
    return (await this.request(address, { signal })).arrayBuffer();
  }

  session(id: string): Promise<Session> {
    return this.get(`api/sessions/${encodeURIComponent(id)}`);
  }

  async sessions(): Promise<Session[]> {
    return (await this.get<{ sessions: Session[] }>("api/sessions")).sessions;
  }

  async openSession(project: Blob, locale?: string): Promise<Session> {
    const body = new FormData();
    if (locale !== undefined) body.set("locale", locale);
    body.set("project", project, project instanceof File ? project.name : "project.json");
    return (await this.request("api/sessions", { method: "POST", body })).json();
  }

  /** A session with the same project and another locale. */
  async copySession(id: string, locale: string): Promise<Session> {
    const response = await this.request(`api/sessions/${encodeURIComponent(id)}/project?assets=inline`);
    return this.openSession(new Blob([await response.text()], { type: "application/json" }), locale);
  }

  /** The stream of server-sent events about templates. */
  templateEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.stream("api/templates/events", signal);
  }
}
