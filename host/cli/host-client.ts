/** Talks to a host as any other client does: over HTTP. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { AbortingError, checked, SuppressedError, TemplateOptions, Type, Validator } from "@slipway/sdk";

const validator = new Validator();
const checkError = validator.compile(AbortingError, "error");
const checkOptions = validator.compile(Type.Object({ options: TemplateOptions }), "answer");
const checkSession = validator.compile(
  Type.Object({
    sessionId: Type.String(),
    warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  }),
  "answer",
);
const checkReport = validator.compile(
  Type.Object({
    name: Type.String(),
    url: Type.String(),
    errors: Type.Array(SuppressedError, { default: [] }),
  }),
  "answer",
);

export interface OpenedSession {
  sessionId: string;
  warnings: { path: string; message: string }[];
}

/** What the reporter takes besides session and template; interface document, section 2.3. */
export interface ReportRequest {
  sessionId: string;
  templateKey: string;
  calculationScheme?: string;
  dateTimeLocale?: string;
  templateOptions?: Record<string, unknown>;
}

export interface Report {
  name: string;
  url: string;
  content: Uint8Array;
  errors: SuppressedError[];
}

export class HostClient {
  constructor(private readonly url: string) {}

  async openSession(file: string, locale: string | undefined): Promise<OpenedSession> {
    const form = new FormData();
    if (locale !== undefined) form.set("locale", locale);
    form.set("project", new Blob([await readFile(file)]), basename(file));
    const answer = await this.json("/api/sessions", { method: "POST", body: form });
    return checked(checkSession(answer), "The host answered in an unknown way");
  }

  async templateOptions(templateKey: string): Promise<TemplateOptions> {
    const path = `${reporter}/template/${encodeURIComponent(templateKey)}/options.json`;
    return checked(checkOptions(await this.json(path)), "The host answered in an unknown way").options;
  }

  /** Generates a report and fetches it. */
  async report(request: ReportRequest): Promise<Report> {
    const { templateKey, ...body } = request;
    const path = `${reporter}/template/${encodeURIComponent(templateKey)}/v1/generate`;
    const answer = await this.json(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const { name, url, errors } = checked(checkReport(answer), "The host answered in an unknown way");
    const content = await fetch(new URL(new URL(url).pathname, this.url));
    if (!content.ok) throw new Error(`The report could not be fetched from ${url}: ${content.status}`);
    return { name, url, content: new Uint8Array(await content.arrayBuffer()), errors };
  }

  /** An answer of the host as JSON; its error objects become exceptions with their message. */
  async json(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(new URL(path, this.url), init);
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const error = checkError(answer);
    throw new Error(error.ok ? error.value.message : `The host answered with ${response.status}`);
  }
}

const reporter = "/EAIWS/plugins/Reporter";
