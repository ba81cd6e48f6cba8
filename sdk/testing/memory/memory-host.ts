import type { ServiceResult } from "../../plugin/service.js";
import type { SessionHookName } from "../../plugin/session-hooks.js";
import type { ProjectDocument } from "../../project/document.js";
import { hookTimeout, RunningCall, requestId, runTimeout } from "../../runtime/host.js";
import { requestScope } from "../../runtime/index.js";
import { RemoteServices } from "../../runtime/plugin/remote-host.js";
import { SchemaChecks } from "../../runtime/plugin/schema-checks.js";
import { type Static, type TSchema, Type } from "../../schema/schema.js";
import type { StoredTestFile, TestAnswer, TestRequest } from "../test-answer.js";
import type {
  TestClock,
  TestHost,
  TestLogLine,
  TestMetrics,
  TestPrinter,
  TestScheduleRun,
  TestService,
  TestServiceCall,
  TestSession,
  TestSessionHookRun,
  TestSessionOptions,
} from "../test-host.js";
import { answerRequest } from "./answer-request.js";
import { defaultTimeout, type MemoryParts, memoryOrigin } from "./memory-parts.js";
import type { MemoryPlugin } from "./memory-plugin.js";
import { PluginLink } from "./plugin-link.js";

/** The caller that the called plugin sees. */
const caller = { name: "test", version: "1.0.0" };

/** A host in memory; the last of its plugins is the tested one. */
export class MemoryHost implements TestHost {
  readonly clock: TestClock;
  readonly log: readonly TestLogLine[];
  readonly metrics: TestMetrics;
  private readonly plugin: MemoryPlugin;
  private requests = 0;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly parts: MemoryParts,
    private readonly live: readonly MemoryPlugin[],
    private readonly printer: TestPrinter | undefined,
  ) {
    const plugin = live.at(-1);
    if (plugin === undefined) throw new Error("There is no plugin to test.");
    this.plugin = plugin;
    this.clock = parts.clock.shown;
    this.log = parts.log.lines;
    this.metrics = parts.metrics;
  }

  get files(): readonly StoredTestFile[] {
    return this.parts.files.all;
  }

  get(path: string, request: Omit<TestRequest, "body"> = {}): Promise<TestAnswer> {
    return this.request("GET", path, request);
  }

  post(path: string, body?: unknown, request: Omit<TestRequest, "body"> = {}): Promise<TestAnswer> {
    return this.request("POST", path, { ...request, body });
  }

  async request(method: string, path: string, request: TestRequest = {}): Promise<TestAnswer> {
    this.refuseStopped();
    const named = Object.entries(request.headers ?? {}).find(([name]) => /^x-request-id$/i.test(name));
    const id = requestId(named?.[1] ?? this.nextId());
    const { parts, plugin } = this;
    return await answerRequest(parts, plugin, { ...request, method, path, requestId: id });
  }

  openSession(project: ProjectDocument | Uint8Array, options: TestSessionOptions = {}): Promise<TestSession> {
    return this.parts.sessions.open(project, options);
  }

  file(url: unknown): StoredTestFile {
    return this.parts.files.named(url);
  }

  service(name: string): TestService {
    this.refuseStopped();
    return new OwnService(this.parts, this.plugin, name, () => this.nextId());
  }

  async runSchedule(name: string, run: TestScheduleRun = {}): Promise<void> {
    this.refuseStopped();
    const { parts, plugin } = this;
    const found = oneOf("name", "schedules", name, plugin.schedules, (each) => each.name);
    const { missed = 0 } = run;
    const due = new Date(run.due ?? parts.clock.now());
    if (Number.isNaN(due.getTime()))
      throw new TypeError(`due: expected a time such as "2026-03-02T09:30:00Z", received ${run.due}`);
    if (!Number.isSafeInteger(missed) || missed < 0)
      throw new TypeError(`missed: expected a whole number from 0, received ${missed}`);
    const origin = memoryOrigin(parts, `${plugin.name}@${plugin.version}`, {
      requestId: this.nextId(),
      session: undefined,
      signal: new AbortController().signal,
      deadline: parts.clock.now() + (found.timeout ?? runTimeout),
    });
    await plugin.run({ ...origin, schedule: name, due: due.getTime(), missed });
  }

  async runSessionHook(
    hook: SessionHookName,
    session: TestSession,
    { reason = "closed" }: TestSessionHookRun = {},
  ): Promise<void> {
    this.refuseStopped();
    const { parts, plugin } = this;
    const found = oneOf("hook", "session hooks", hook, plugin.sessionHooks, (each) => each.hook);
    const open = hook === "opened" ? parts.sessions.find(session.id) : undefined;
    if (hook === "opened" && open === undefined)
      throw new TypeError(
        "session: expected an open one: servers leave `opened` out for a session that has ended",
      );
    const origin = memoryOrigin(parts, `${plugin.name}@${plugin.version}`, {
      requestId: this.nextId(),
      session: open,
      signal: new AbortController().signal,
      deadline: parts.clock.now() + (found.timeout ?? hookTimeout),
    });
    const event = hook === "opened" ? { hook } : { hook, sessionId: session.id, reason };
    await plugin.runHook({ ...origin, event });
  }

  async probe(): Promise<void> {
    await this.plugin.probe();
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Stops calling plugins before the plugins they call. */
  private async stopAll(): Promise<void> {
    const found = await stopPlugins(this.live);
    await this.printer?.stop?.();
    if (found.length > 0) throw new Error(`The test host was stopped, but ${found.join("; ")}.`);
  }

  /** The same ids in each run. */
  private nextId(): string {
    this.requests += 1;
    return `test-request-${this.requests}`;
  }

  private refuseStopped(): void {
    if (this.stopping !== undefined) throw new Error("The test host was stopped.");
  }
}

/** What has the name `wanted` of what the plugin declares. */
function oneOf<T>(
  option: string,
  what: string,
  wanted: string,
  declared: readonly T[],
  nameOf: (each: T) => string,
): T {
  const found = declared.find((each) => nameOf(each) === wanted);
  if (found !== undefined) return found;
  const known = declared.map((each) => JSON.stringify(nameOf(each)));
  const expected = known.length === 0 ? `no ${what}` : known.join(", ");
  throw new TypeError(`${option}: expected one of ${expected}, received ${JSON.stringify(wanted)}`);
}

/** Stops plugins in reverse start order. Returns sentences about work still running and errors. */
export async function stopPlugins(live: readonly MemoryPlugin[]): Promise<string[]> {
  const found: string[] = [];
  for (const each of [...live].reverse()) found.push(...(await each.stop()));
  return found;
}

/** A service of the tested plugin, called as if by a plugin that handles a request. */
class OwnService implements TestService {
  constructor(
    private readonly parts: MemoryParts,
    private readonly plugin: { name: string; version: string },
    private readonly service: string,
    private readonly nextId: () => string,
  ) {}

  call(method: string, input: unknown, options?: TestServiceCall): Promise<ServiceResult<unknown>>;
  call<O extends TSchema>(
    method: string,
    input: unknown,
    options: TestServiceCall & { output: O },
  ): Promise<ServiceResult<Static<O>>>;
  async call(
    method: string,
    input: unknown,
    options: TestServiceCall & { output?: TSchema } = {},
  ): Promise<ServiceResult<unknown>> {
    const { parts } = this;
    const { name, version } = this.plugin;
    const plugin = `${name}@${version}`;
    const { session, output = Type.Unknown(), signal = new AbortController().signal } = options;
    const link = new PluginLink(caller, parts);
    const label = `${caller.name}@${caller.version}`;
    const requestId = this.nextId();
    const services = new RemoteServices(link, parts.log.of({ plugin: label, requestId }), new SchemaChecks());
    const origin = memoryOrigin(parts, label, {
      requestId,
      session: session && parts.sessions.find(session.id),
      signal,
      deadline: parts.clock.now() + defaultTimeout,
    });
    const running = new RunningCall(
      origin,
      label,
      `call of ${this.service}.${method}`,
      undefined,
      parts.clock,
    );
    return await link.running.run(running, (request) => {
      link.began(request, running);
      return requestScope.run({ request, signal: running.signal }, () =>
        services.service(plugin, this.service).call(method, input, output),
      );
    });
  }
}
