import semver from "semver";
import { requestId } from "../runtime/request/request-id.js";
import { createHostServices } from "../runtime/services/host-services.js";
import { answerRequest } from "./memory/answer-request.js";
import { CollectedLog } from "./memory/collected-log.js";
import { CollectedMetrics } from "./memory/collected-metrics.js";
import { FakeClock } from "./memory/fake-clock.js";
import { givenFetch } from "./memory/given-fetch.js";
import { givenPrinting } from "./memory/given-printing.js";
import { givenProcedures } from "./memory/given-procedures.js";
import { givenTemplates } from "./memory/given-templates.js";
import { MemoryFiles } from "./memory/memory-files.js";
import { baseUrl, type MemoryParts } from "./memory/memory-parts.js";
import { type GivenPlugin, MemoryPlugin } from "./memory/memory-plugin.js";
import { MemorySessions } from "./memory/memory-sessions.js";
import { OwnService } from "./memory/own-service.js";
import type { TestAnswer, TestRequest } from "./test-answer.js";
import type { OtherPlugin, TestHost, TestHostOptions, TestService } from "./test-host.js";

/** Bytes of one message between a host without settings and a plugin. */
const largestMessage = 64 * 1024 * 1024;

/**
 * Brings a plugin up in a host in memory. Rejects with the `RequestError` 500 `plugin-error` that a server would refuse the
 * plugin with: a configuration that does not fit its schema, a `setup` that throws, routes or services that are none.
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const clock = new FakeClock(startTime(options.now ?? "2026-03-02T09:30:00Z"));
  const files = new MemoryFiles(baseUrl, clock);
  const sessions = new MemorySessions();
  const log = new CollectedLog(clock);
  const tested = givenPlugin({ ...options, name: options.name ?? "plugin" });
  const label = `${tested.name}@${tested.version}`;
  const live: MemoryPlugin[] = [];
  const metrics = new CollectedMetrics(label, () => {
    for (const plugin of live) plugin.sendMetrics();
  });
  const services = createHostServices(
    {
      sessions,
      artifacts: files,
      pdf: givenPrinting(options.printer),
      templates: givenTemplates(options.templates ?? []),
      procedures: await givenProcedures(options.procedures ?? []),
      fetch: givenFetch(options.fetch ?? {}),
      plugins: () => [live],
    },
    largestMessage,
  );
  const parts: MemoryParts = { services, log, metrics, clock };
  for (const other of options.others ?? []) live.push(await MemoryPlugin.start(givenPlugin(other), parts));
  const plugin = await MemoryPlugin.start(tested, parts);
  live.push(plugin);

  let asked = 0;
  const nextId = (): string => {
    asked += 1;
    return `test-request-${asked}`;
  };
  const request = (method: string, path: string, given: TestRequest = {}): Promise<TestAnswer> => {
    const id = requestId(lowerCased(given.headers ?? {})["x-request-id"] ?? nextId());
    return answerRequest({ parts, plugin, sessions }, { ...given, method, path, requestId: id });
  };
  const service = (name: string): TestService =>
    new OwnService(parts, { plugin: label, service: name }, sessions, nextId);
  return {
    request: (method, path, given) => request(method, path, given),
    get: (path, given) => request("GET", path, given),
    post: (path, body, given) => request("POST", path, { ...given, body }),
    openSession: (project, given) => sessions.open(project, given),
    file: (url) => files.named(url),
    get files() {
      return files.all;
    },
    service,
    clock: clock.shown,
    log: log.lines,
    metrics,
    probe: () => plugin.probe(),
    stop: async () => {
      const found: string[] = [];
      for (const each of [...live].reverse()) found.push(...(await each.stop()));
      await options.printer?.stop?.();
      if (found.length > 0) throw new Error(`The test host was stopped, but ${found.join("; ")}.`);
    },
  };
}

/** Milliseconds since the epoch. Throws a `TypeError` for what is no time. */
function startTime(now: Date | string): number {
  const time = new Date(now).getTime();
  if (Number.isNaN(time))
    throw new TypeError(`now: expected a time such as "2026-03-02T09:30:00Z", received ${now}`);
  return time;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const publicName = /^[A-Za-z][A-Za-z0-9.-]{0,63}$/;

/** A plugin with all that is left out. Throws a `TypeError` for names and versions that no manifest may have. */
function givenPlugin({
  plugin,
  name,
  version = "1.0.0",
  aliases = [],
  config = {},
}: OtherPlugin): GivenPlugin {
  const wrong = [name, ...aliases].find((each) => !publicName.test(each));
  if (wrong !== undefined)
    throw new TypeError(
      `name: expected a letter, then letters, digits, "." or "-", received ${JSON.stringify(wrong)}`,
    );
  if (semver.valid(version) === null)
    throw new TypeError(`version: expected one such as "1.0.0", received ${JSON.stringify(version)}`);
  return { plugin, name, version, aliases, config };
}
