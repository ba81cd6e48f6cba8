import type { Plugin } from "../plugin/plugin.js";
import type { Method } from "../plugin/route.js";
import type { ServiceResult } from "../plugin/service.js";
import type { PricingProcedure, ProjectDocument } from "../project/document.js";
import type { Static, TSchema } from "../schema.js";
import type { TestAnswer, TestRequest } from "./test-answer.js";
import type { TestClock } from "./test-clock.js";
import type { StoredTestFile } from "./test-file.js";
import type { TestLogLine } from "./test-log.js";
import type { TestMetrics } from "./test-metrics.js";
import type { TestPrinter } from "./test-printer.js";
import type { TestSession, TestSessionOptions } from "./test-session.js";
import type { TestTemplates } from "./test-templates.js";

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
