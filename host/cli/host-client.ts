/** HTTP client of a host. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  AbortingError,
  checked,
  type Static,
  SuppressedError,
  TemplateOptions,
  type TSchema,
  Type,
  Validator,
} from "@slipway/sdk";
import { printable } from "../system/terminal-text.js";
import { didYouMean } from "./did-you-mean.js";
import { keyHint } from "./host-key.js";

const validator = new Validator({ lazy: true });
const checkError = validator.compile(AbortingError, "error");

/** A function that returns an answer of a host as its schema describes it, and throws for any other value. */
export function answerReader<S extends TSchema>(schema: S, name = "answer"): (answer: unknown) => Static<S> {
  const check = validator.compile(schema, name);
  return (answer) => checked(check(answer), "The host answered in an unknown way");
}

const readOptions = answerReader(Type.Object({ options: TemplateOptions }));
const readSession = answerReader(
  Type.Object({
    sessionId: Type.String(),
    warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  }),
);
const readReport = answerReader(
  Type.Object({
    name: Type.String(),
    url: Type.String(),
    errors: Type.Array(SuppressedError, { default: [] }),
  }),
);

const ExportedFile = Type.Object({ name: Type.String(), url: Type.String() });
const readExport = answerReader(
  Type.Object({
    oex: Type.Optional(ExportedFile),
    obx: Type.Optional(ExportedFile),
    orderX: Type.Optional(ExportedFile),
    ubl: Type.Optional(ExportedFile),
    pdf: Type.Optional(ExportedFile),
    archive: Type.Optional(ExportedFile),
    errors: Type.Array(SuppressedError, { default: [] }),
  }),
);

/** A new session with the warnings about its project. */
export interface OpenedSession {
  sessionId: string;
  warnings: { path: string; message: string }[];
}

/** Request of the reporter besides session and template; interface document, section 2.3. */
export interface ReportRequest {
  sessionId: string;
  templateKey: string;
  calculationScheme?: string;
  dateTimeLocale?: string;
  templateOptions?: Record<string, unknown>;
}

/** A report with its PDF and suppressed errors. */
export interface Report {
  name: string;
  url: string;
  content: Uint8Array;
  errors: SuppressedError[];
}

/** Request of the order export; interface document, section 4.2. */
export interface ExportRequest {
  sessionId: string;
  calculationScheme?: string;
  config?: Record<string, unknown>;
}

/** The result of an export; `content` downloads its files. */
export interface OrderExport {
  /** The existing files of OEX, OBX, PDF and archive. */
  files: { name: string; url: string }[];
  errors: SuppressedError[];
}

export class HostClient {
  /**
   * `url`: origin of the host, with the path prefix of a proxy. `hint`: advice if the host is unreachable. `key`: sent
   * with each request.
   */
  constructor(
    readonly url: string,
    private readonly hint = "",
    private readonly key?: string,
  ) {}

  async openSession(file: string, locale: string | undefined): Promise<OpenedSession> {
    const form = new FormData();
    if (locale !== undefined) form.set("locale", locale);
    form.set("project", new Blob([await readFile(file)]), basename(file));
    return readSession(await this.json("/api/sessions", { method: "POST", body: form }));
  }

  async templateOptions(templateKey: string): Promise<TemplateOptions> {
    const path = `${reporter}/template/${encodeURIComponent(templateKey)}/options.json`;
    return readOptions(await this.json(path)).options;
  }

  /** Generates and downloads a report. */
  async report(request: ReportRequest): Promise<Report> {
    const { templateKey, ...body } = request;
    const path = `${reporter}/template/${encodeURIComponent(templateKey)}/v1/generate`;
    const { name, url, errors } = readReport(await this.post(path, body));
    const content = await this.content(url);
    return { name, url, content: new Uint8Array(await content.arrayBuffer()), errors };
  }

  /** Exports a session's project; `content` downloads its files. */
  async export(request: ExportRequest): Promise<OrderExport> {
    const answer = await this.post("/EAIWS/plugins/oex/export", request);
    const { oex, obx, pdf, orderX, ubl, archive, errors } = readExport(answer);
    return { files: [oex, obx, pdf, orderX, ubl, archive].filter((file) => file !== undefined), errors };
  }

  /** A generated file, downloaded directly from the host instead of its public URL. */
  async content(url: string): Promise<Response> {
    const { pathname } = new URL(url);
    const content = await fetch(new URL(pathname.slice(pathname.lastIndexOf("/files/")), this.url));
    if (!content.ok) throw new Error(`The file could not be fetched from ${url}: ${content.status}`);
    return content;
  }

  post(path: string, body: object): Promise<unknown> {
    return this.json(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** A JSON response of the host; error objects are thrown as a `HostRefusal`. */
  async json(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await this.request(path, init);
    if (!response.ok) throw await this.refusal(response);
    return await this.jsonOf(response);
  }

  /** A request without response content. */
  async done(path: string, init: RequestInit): Promise<void> {
    const response = await this.request(path, init);
    if (!response.ok) throw await this.refusal(response);
    await response.body?.cancel();
  }

  /** A response of the host, with any status. Rejects with a sentence for users if there is none. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const base = this.url.endsWith("/") ? this.url : `${this.url}/`;
    const headers = new Headers(init.headers);
    if (this.key !== undefined) headers.set("Authorization", `Bearer ${this.key}`);
    return await fetch(new URL(path.slice(1), base), { ...init, headers }).catch((error: unknown) => {
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const code: unknown = reason instanceof Error ? Reflect.get(reason, "code") : undefined;
      const shownCode = code === undefined ? "" : ` (${String(code)})`;
      throw new Error(`No host answers at ${this.url}${shownCode}${this.hint}.`, { cause: error });
    });
  }

  /** The error for an unexpected response. */
  async refusal(response: Response): Promise<Error> {
    const error = checkError(await this.jsonOf(response));
    if (!error.ok) return new Error(`The host answered with status ${response.status}.`);
    const isAboutKey = response.status === 401;
    const { message } = error.value;
    return new HostRefusal(
      isAboutKey ? { ...error.value, message: `${message} ${keyHint(this.key !== undefined)}` } : error.value,
    );
  }

  private async jsonOf(response: Response): Promise<unknown> {
    return await response.json().catch((error: unknown) => {
      throw new Error(`What answers at ${this.url} is not a Slipway host.`, { cause: error });
    });
  }
}

const reporter = "/EAIWS/plugins/Reporter";

/** An error object from a host, with its message. */
export class HostRefusal extends Error {
  constructor(readonly error: AbortingError) {
    super(printable(error.message));
  }
}

/** Adds a suggestion to the error for an unknown name, if the host lists the known names (in `list`). */
export function withSuggestion(error: unknown, given: string | undefined, list: string): unknown {
  if (!(error instanceof HostRefusal) || given === undefined) return error;
  const known = error.error.additionalInformation[list];
  if (!Array.isArray(known)) return error;
  const names = known.filter((name) => typeof name === "string").map(printable);
  return new Error(`${error.message}${didYouMean(given, names)}`, { cause: error });
}
