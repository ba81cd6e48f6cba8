import type { FetchMethod } from "../plugin/host.js";
import type { Plugin } from "../plugin/plugin.js";
import type { Duration, Method } from "../plugin/route.js";
import type { ServiceResult } from "../plugin/service.js";
import type { SessionEndReason, SessionHookName } from "../plugin/session-hooks.js";
import type { TemplateOptions } from "../plugin/template.js";
import type { PricingProcedure, ProjectDocument } from "../project/document.js";
import type { SuppressedError } from "../schema/errors.js";
import type { Static, TSchema } from "../schema/schema.js";
import type { StoredTestFile, TestAnswer, TestRequest } from "./test-answer.js";

/** Another live plugin besides the tested one. */
export interface OtherPlugin {
  /** The result of `definePlugin`. */
  plugin: Plugin;
  /** As in `slipway.plugin` of its manifest. */
  name: string;
  /** Default "1.0.0". */
  version?: string;
  /** Further names, as in `slipway.aliases` of its manifest. */
  aliases?: readonly string[];
  /** Default `{}`. */
  config?: unknown;
  /** As in `TestHostOptions`. */
  folder?: string | URL;
  /** Granted folders for `host.folder`: absolute paths by name. Default none. */
  folders?: Readonly<Record<string, string>>;
}

/** A server's response to `host.fetch`. */
export interface TestFetched {
  /** Default 200. */
  status?: number;
  /** Default "application/octet-stream". */
  mediaType?: string;
  /** By lower-case name; default none. */
  headers?: Readonly<Record<string, string>>;
  /** Text as UTF-8. */
  content: Uint8Array | string;
}

/** A request of `host.fetch`, as a test's server gets it. */
export interface TestFetchRequest {
  /** HTTP method. */
  readonly method: FetchMethod;
  /** As the plugin named them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body, if any. */
  readonly body: Uint8Array | undefined;
}

/** Options for a test host. */
export interface TestHostOptions {
  /** The result of `definePlugin`: the default export of the entry. */
  plugin: Plugin;
  /** As in `slipway.plugin` of the manifest; default "plugin". */
  name?: string;
  /** Default "1.0.0". */
  version?: string;
  /** As in its manifest; other plugins may call its services by these names. */
  aliases?: readonly string[];
  /** Validated against the plugin's schema, which fills in defaults; default `{}`. */
  config?: unknown;
  /**
   * The folder with the plugin's package.json, such as `new URL("..", import.meta.url)`. `host.assets` has the files there
   * that its `slipway.assets` matches; without a folder, none.
   */
  folder?: string | URL;
  /** Granted folders for `host.folder`: absolute paths by name. Default none. */
  folders?: Readonly<Record<string, string>>;
  /** Plugins whose services the tested one calls. */
  others?: readonly OtherPlugin[];
  /** The start time of the clock; default "2026-03-02T09:30:00Z". */
  now?: Date | string;
  /** The server's procedures. STDB2B_WBK is always included, unless one has its name. */
  procedures?: readonly PricingProcedure[];
  /** The server's templates, for `host.templates` and `host.pdf`; default none. */
  templates?: TestTemplates;
  /** Responses to `host.fetch` by URL; any other URL is rejected with 403 `request-forbidden`. */
  fetch?: Readonly<
    Record<string, TestFetched | ((request: TestFetchRequest) => TestFetched | Promise<TestFetched>)>
  >;
  /** Prints for `host.pdf.render`, which fails with 503 without a printer. */
  printer?: TestPrinter;
  /**
   * Whether failures of plugins are not printed. Default: the log of a request that ends with 500 `plugin-error` goes to
   * standard error, with the cause and its stack.
   */
  quiet?: boolean;
}

/** Options for calling a service of the tested plugin. */
export interface TestServiceCall {
  /** The session of the calling request. */
  session?: TestSession;
  /** Aborting it simulates a disconnecting client of the calling request. */
  signal?: AbortSignal;
}

/** A service of the tested plugin, as other plugins call it. */
export interface TestService {
  /** Rejects with the `RequestError` that a calling plugin gets. */
  call(method: string, input: unknown, options?: TestServiceCall): Promise<ServiceResult<unknown>>;
  /**
   * Calls a method whose result is validated and typed by `output`, the schema that the caller expects, as in
   * `host.service`.
   */
  call<O extends TSchema>(
    method: string,
    input: unknown,
    options: TestServiceCall & { output: O },
  ): Promise<ServiceResult<Static<O>>>;
}

/** Options of a schedule's run in a test. */
export interface TestScheduleRun {
  /** When it was due; default the time of `host.clock`. */
  due?: Date | string;
  /** Due times without a run since the last one; default 0. */
  missed?: number;
}

/** Options of a session hook's run in a test. */
export interface TestSessionHookRun {
  /** For `closed`: how the session ended; default "closed". */
  reason?: SessionEndReason;
}

/** An in-memory host with one plugin to test. It behaves like a server, without starting one. */
export interface TestHost {
  /**
   * Sends a GET request to the tested plugin; `path` is below its base path, with its query. Rejects only
   * when the request's own signal aborts.
   */
  get(path: string, request?: Omit<TestRequest, "body">): Promise<TestAnswer>;
  /** Sends a POST request with a JSON body of at most 1 MB, as on a host with default settings. */
  post(path: string, body?: unknown, request?: Omit<TestRequest, "body">): Promise<TestAnswer>;
  /** Sends a request with any HTTP method. */
  request(method: Method | (string & {}), path: string, request?: TestRequest): Promise<TestAnswer>;
  /**
   * Opens a session with a project, an OBK or an OBX. Rejects with 400 `request-bad-request` for anything
   * else. Pictures are given as `base64` of the project's assets.
   */
  openSession(project: ProjectDocument | Uint8Array, options?: TestSessionOptions): Promise<TestSession>;
  /**
   * The file of a URL or an id from an answer. Throws if there is no such file, or if the argument is not a
   * string.
   */
  file(url: unknown): StoredTestFile;
  /** All files, oldest first; files of failed requests are removed. */
  readonly files: readonly StoredTestFile[];
  /** A service of the tested plugin, as other plugins call it. */
  service(name: string): TestService;
  /**
   * Runs a schedule of the tested plugin now, whatever its expression, which only a server checks. Resolves when the run is
   * finished. Rejects with the `RequestError` that a server logs, and with a `TypeError` if there is no such schedule or an
   * option is not valid.
   */
  runSchedule(name: string, run?: TestScheduleRun): Promise<void>;
  /**
   * Runs a session hook of the tested plugin now; opening and closing a session of a test does not. Resolves when the run is
   * finished. Rejects with the `RequestError` that a server logs, and with a `TypeError` if the plugin has no such hook, or
   * `opened` is to run for a session that is closed: a server leaves it out.
   */
  runSessionHook(hook: SessionHookName, session: TestSession, run?: TestSessionHookRun): Promise<void>;
  /** Only moves with `advance`. */
  readonly clock: TestClock;
  /** Log lines of plugins, oldest first, including handler errors with their stacks. */
  readonly log: readonly TestLogLine[];
  /** Metrics of plugins. */
  readonly metrics: TestMetrics;
  /**
   * Runs the plugin's `probe`, like a host before a plugin goes live. Rejects with 500 `plugin-error` and the
   * thrown message.
   */
  probe(): Promise<void>;
  /**
   * Stops the plugins, then the printer; the host cannot be used afterwards. Rejects with an error that lists
   * the handlers still running, even if their request has ended, and the errors of `stop` methods.
   */
  stop(): Promise<void>;
}

/** The clock of a test host. It only moves with `advance`. */
export interface TestClock {
  /** The value of `host.now()` in plugins. */
  readonly now: Date;
  /**
   * Advances the clock: requests and service methods whose deadlines are reached end one after the other.
   * Resolves when everything this triggers has settled, apart from work that waits for something outside the
   * process.
   */
  advance(duration: Duration): Promise<void>;
}

/** One line of a plugin's log. */
export interface TestLogLine {
  /** By the test host's clock. */
  time: Date;
  /** Severity. */
  level: "debug" | "info" | "warn" | "error";
  /** The logged text. */
  message: string;
  /** After a round trip through JSON; errors as text with their stack. */
  fields: Readonly<Record<string, unknown>>;
  /** Name and version of the plugin that wrote the line or that it is about, such as `greeting@1.0.0`. */
  plugin: string;
  /** The id of the request that the line belongs to. */
  requestId?: string;
}

/** One sample of a plugin's metrics. */
export interface TestSample {
  /** Name and version of the plugin, such as `greeting@1.0.0`. */
  plugin: string;
  /** The kind of metric. */
  kind: "counter" | "gauge" | "histogram";
  /** The name given by the plugin. */
  name: string;
  /** Values by label; empty for a metric without labels. */
  labels: Readonly<Record<string, string>>;
  /** The sum of a counter, the last value of a gauge, the sum of the values of a histogram. */
  value: number;
  /** Number of recorded values; only for a histogram. */
  count?: number;
}

/** Metrics of plugins. */
export interface TestMetrics {
  /**
   * All samples, sorted by plugin, name and labels; suppressed errors are counted as
   * `suppressed_errors_total` with the label `id`.
   */
  readonly samples: readonly TestSample[];
  /** The value of the tested plugin's metric with exactly these labels, if any. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

/** A document that a plugin prints with `host.pdf.render`. */
export interface TestPrintJob {
  /** A complete document; it refers to pictures by paths such as "/assets/<sha256>". */
  html: string;
  /** Tagged output with outline. */
  tagged: boolean;
  /** Whether a host would make it PDF/A-3. */
  archivable: boolean;
  /** Whether the document's scripts run. */
  scripts: boolean;
  /** Links to PDFs to insert before it. */
  prependLinks: readonly string[];
  /** Links to PDFs to insert after it. */
  appendLinks: readonly string[];
  /** Loads a resource of the document by URL path, if any. */
  load(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** Aborts at the deadline of the request, and when its client disconnects. */
  signal: AbortSignal;
}

/** A printed document. */
export interface TestPrint {
  /** The PDF. */
  content: Uint8Array;
  /** Number of pages. */
  pages: number;
  /** Omitted attachments, characters without a glyph. */
  errors: SuppressedError[];
}

/** Prints documents for `host.pdf.render`; for example `chromiumPrinter()`. */
export interface TestPrinter {
  /** Rejects with a `RequestError`, which is passed to the plugin. */
  print(job: TestPrintJob): Promise<TestPrint>;
  /** Releases resources; called by `stop` of the test host. */
  stop?(): Promise<void>;
}

/** Options for opening a session. */
export interface TestSessionOptions {
  /** For example "de_DE"; default "en", as on a host with default settings. */
  locale?: string;
}

/** An open session; handlers receive it if a request has its id as `sessionId`. */
export interface TestSession {
  /** UUID. */
  readonly id: string;
  /** For example "de_DE". */
  readonly locale: string;
  /** Starts at 1 and increases with each replacement. */
  readonly revision: number;
  /**
   * Replaces the project, like a client that has changed it. Rejects like `openSession`; the project is then
   * unchanged. Pictures that the session already has may be given by SHA-256 only.
   */
  replace(project: ProjectDocument | Uint8Array): Promise<void>;
  /** Closes the session; requests that refer to it get 422 `request-session-not-found`. */
  close(): void;
}

/** Locales for rendering a template of a test. */
export interface TestRendering {
  /** Locale of texts, such as "de_DE". */
  locale: string;
  /** Locale of numbers, prices and dates. */
  formatLocale: string;
}

/** A template of a test for `host.templates` and `host.pdf`. */
export interface TestTemplate {
  /** The key used in requests. */
  key: string;
  /**
   * Renders the plugin's data, after a round trip through JSON, into a document. Errors result in 500
   * `template-error`.
   */
  html(data: unknown, rendering: TestRendering): string | Promise<string>;
  /** Display name; default: the key. */
  name?: string;
  /** Alternative keys. */
  aliases?: readonly string[];
  /** Options that clients may set; default none. */
  options?: TemplateOptions;
  /** Tagged PDF; default false. */
  accessibility?: boolean;
  /** PDF/A-3; default false. */
  archivable?: boolean;
  /** Whether its scripts run when it is printed; default false. */
  scripts?: boolean;
  /** Whether articles contain all lines of their price sheets; default false. */
  calculationLines?: boolean;
}

/** The templates of a test host. */
export type TestTemplates = readonly TestTemplate[];
