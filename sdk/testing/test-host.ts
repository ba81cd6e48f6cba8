import type { SuppressedError } from "../errors.js";
import type { Plugin } from "../plugin/plugin.js";
import type { Duration, Method } from "../plugin/route.js";
import type { ServiceResult } from "../plugin/service.js";
import type { TemplateOptions } from "../plugin/template.js";
import type { PricingProcedure, ProjectDocument } from "../project/document.js";
import type { Static, TSchema } from "../schema.js";
import type { StoredTestFile, TestAnswer, TestRequest } from "./test-answer.js";

/** Another plugin that is live beside the tested one. */
export interface OtherPlugin {
  /** What `definePlugin` gave. */
  plugin: Plugin;
  /** As in `slipway.plugin` of its manifest. */
  name: string;
  /** Default "1.0.0". */
  version?: string;
  /** Further names, as in `slipway.aliases` of its manifest. */
  aliases?: readonly string[];
  /** Default `{}`. */
  config?: unknown;
}

/** What `host.fetch` gets from a server. */
export interface TestFetched {
  /** Default 200. */
  status?: number;
  /** Default "application/octet-stream". */
  mediaType?: string;
  /** Text as UTF-8. */
  content: Uint8Array | string;
}

/** What a test host is made of. */
export interface TestHostOptions {
  /** What `definePlugin` gave: the default export of the entry. */
  plugin: Plugin;
  /** As in `slipway.plugin` of the manifest; default "plugin". */
  name?: string;
  /** Default "1.0.0". */
  version?: string;
  /** As in its manifest; other plugins may call its services by them. */
  aliases?: readonly string[];
  /** Checked against the plugin's schema and filled from it; default `{}`. */
  config?: unknown;
  /** Plugins whose services this one calls. */
  others?: readonly OtherPlugin[];
  /** Where the clock stands, such as "2026-03-02T09:30:00Z" (the default). */
  now?: Date | string;
  /** Those of the server, beside STDB2B_WBK, which is always there unless one has its name. */
  procedures?: readonly PricingProcedure[];
  /** Those of the server, for `host.templates` and `host.pdf`; default none. */
  templates?: TestTemplates;
  /** What `host.fetch` answers by URL; any other URL is refused with 403 `request-forbidden`. */
  fetch?: Readonly<Record<string, TestFetched | (() => TestFetched | Promise<TestFetched>)>>;
  /** Prints for `host.pdf.render`, which ends with 503 without one. */
  printer?: TestPrinter;
}

/** One call of a service of the tested plugin. */
export interface TestServiceCall {
  /** Of the request that calls. */
  session?: TestSession;
  /** When it aborts, the client of the calling request goes away. */
  signal?: AbortSignal;
}

/** A service of the tested plugin, as other plugins call it. */
export interface TestService {
  /** Rejects with the `RequestError` that a calling plugin gets. */
  call(method: string, input: unknown, options?: TestServiceCall): Promise<ServiceResult<unknown>>;
  /** The same with a value of the type that `output` says, which is what the caller expects, as for `host.service`. */
  call<O extends TSchema>(
    method: string,
    input: unknown,
    options: TestServiceCall & { output: O },
  ): Promise<ServiceResult<Static<O>>>;
}

/** A host in memory with one plugin to test. It answers as a server does, without one. */
export interface TestHost {
  /** Asks the tested plugin; `path` is below its base, with its query. Rejects only when the request's own signal aborts. */
  get(path: string, request?: Omit<TestRequest, "body">): Promise<TestAnswer>;
  /** The same with a value that is posted as JSON; at most 1 MB, as at a host without settings. */
  post(path: string, body?: unknown, request?: Omit<TestRequest, "body">): Promise<TestAnswer>;
  /** Any method that HTTP has. */
  request(method: Method | (string & {}), path: string, request?: TestRequest): Promise<TestAnswer>;
  /**
   * Opens a session with a project, an OBK or an OBX. Rejects with 400 `request-bad-request` when it is none.
   * Pictures come as `base64` of the project's assets.
   */
  openSession(project: ProjectDocument | Uint8Array, options?: TestSessionOptions): Promise<TestSession>;
  /** The file of a URL or an id, as an answer names it. Throws when there is none, or it is no text. */
  file(url: unknown): StoredTestFile;
  /** All that there are, oldest first; those of requests that failed are gone. */
  readonly files: readonly StoredTestFile[];
  /** Calls a service of the tested plugin, as another plugin does. */
  service(name: string): TestService;
  /** Stands still until it is told to go on. */
  readonly clock: TestClock;
  /** What plugins logged, oldest first; also why a handler failed, with its stack. */
  readonly log: readonly TestLogLine[];
  /** What plugins counted and measured. */
  readonly metrics: TestMetrics;
  /** Runs the plugin's `probe`, as a host does before a plugin serves. Rejects with 500 `plugin-error` that says what it threw. */
  probe(): Promise<void>;
  /**
   * Stops the plugins, then the printer; nothing can be asked after that. Rejects with an error that lists the handlers that
   * still ran, also those whose request had ended before, and what `stop` of a plugin threw.
   */
  stop(): Promise<void>;
}

/** The clock of a test host. It stands still until it is told to go on. */
export interface TestClock {
  /** What `host.now()` gives to plugins. */
  readonly now: Date;
  /**
   * Lets time pass: deadlines of requests and service methods that lie on the way end them, one after the other. What they
   * set off has settled as far as it does not wait for anything outside of this process.
   */
  advance(duration: Duration): Promise<void>;
}

/** One line of a plugin's log. */
export interface TestLogLine {
  /** By the test host's clock. */
  time: Date;
  /** How bad it is. */
  level: "debug" | "info" | "warn" | "error";
  /** What the plugin said. */
  message: string;
  /** After a way through JSON; errors as text with their stack. */
  fields: Readonly<Record<string, unknown>>;
  /** Name and version of the plugin that wrote it or that it is about, such as `greeting@1.0.0`. */
  plugin: string;
  /** Of the request that it was written for. */
  requestId?: string;
}

/** One number of a plugin's metrics. */
export interface TestSample {
  /** Name and version of the plugin, such as `greeting@1.0.0`. */
  plugin: string;
  /** What the plugin made it as. */
  kind: "counter" | "gauge" | "histogram";
  /** As the plugin named it. */
  name: string;
  /** Values by the names of the labels; empty for a metric without any. */
  labels: Readonly<Record<string, string>>;
  /** The sum of a counter, the last value of a gauge, the sum of the values of a histogram. */
  value: number;
  /** How many values there were; of a histogram only. */
  count?: number;
}

/** What plugins counted and measured. */
export interface TestMetrics {
  /** All of it, by plugin, name and labels; suppressed errors as `suppressed_errors_total` with the label `id`. */
  readonly samples: readonly TestSample[];
  /** The value of the tested plugin's metric under exactly these labels; undefined when it has none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

/** A document that a plugin wants printed by `host.pdf.render`. */
export interface TestPrintJob {
  /** A complete document; it names its pictures by paths such as "/assets/<sha256>". */
  html: string;
  /** Tagged output with outline. */
  tagged: boolean;
  /** Runs the document's scripts. */
  scripts: boolean;
  /** Links to PDFs that come before it. */
  prependLinks: readonly string[];
  /** Links to PDFs that come after it. */
  appendLinks: readonly string[];
  /** What the document loads from the path of a URL; undefined for what is not there. */
  load(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** Aborts at the deadline of the request, and when its client goes away. */
  signal: AbortSignal;
}

/** A printed document. */
export interface TestPrint {
  /** The PDF. */
  content: Uint8Array;
  /** Pages of it. */
  pages: number;
  /** Attachments left out, characters without a glyph. */
  errors: SuppressedError[];
}

/** What prints documents for `host.pdf.render`, such as `chromiumPrinter()`. */
export interface TestPrinter {
  /** Rejects with a `RequestError` that the plugin gets to see. */
  print(job: TestPrintJob): Promise<TestPrint>;
  /** Frees what it holds; called by `stop` of the test host. */
  stop?(): Promise<void>;
}

/** How a session is opened. */
export interface TestSessionOptions {
  /** Such as "de_DE"; default "en", as at a host without settings. */
  locale?: string;
}

/** An open session; handlers get it when a request names its id as `sessionId`. */
export interface TestSession {
  /** UUID. */
  readonly id: string;
  /** Such as "de_DE". */
  readonly locale: string;
  /** 1, and one more with each replacement. */
  readonly revision: number;
  /**
   * Replaces the project, as a client does that has changed it. Rejects as `openSession` does; the project then stays.
   * Pictures that the session holds may come by their SHA-256 only.
   */
  replace(project: ProjectDocument | Uint8Array): Promise<void>;
  /** Ends it; requests that name it get 422 `request-session-not-found`. */
  close(): void;
}

/** What a template of a test gets beside its data. */
export interface TestRendering {
  /** Of texts, such as "de_DE". */
  locale: string;
  /** Of numbers, prices and dates. */
  formatLocale: string;
}

/** A template that a test brings along for `host.templates` and `host.pdf`. */
export interface TestTemplate {
  /** What requests name it by. */
  key: string;
  /** The document for the data that the plugin gives, after a way through JSON. What it throws ends with 500 `template-error`. */
  html(data: unknown, rendering: TestRendering): string | Promise<string>;
  /** As clients see it; without it the key. */
  name?: string;
  /** Other keys that mean it. */
  aliases?: readonly string[];
  /** What clients may choose; nothing, unless it is given. */
  options?: TemplateOptions;
  /** Tagged PDF; default false. */
  accessibility?: boolean;
  /** Runs its scripts when it is printed; default false. */
  scripts?: boolean;
  /** Articles carry all lines of their price sheets; default false. */
  calculationLines?: boolean;
}

/** The templates of a test host. */
export type TestTemplates = readonly TestTemplate[];
