import semver from "semver";
import { createHostServices } from "../runtime/services/host-services.js";
import { CollectedLog } from "./memory/collected-log.js";
import { CollectedMetrics } from "./memory/collected-metrics.js";
import { FakeClock } from "./memory/fake-clock.js";
import { givenFetch } from "./memory/given-fetch.js";
import { givenPrinting } from "./memory/given-printing.js";
import { givenProcedures } from "./memory/given-procedures.js";
import { givenTemplates } from "./memory/given-templates.js";
import { MemoryFiles } from "./memory/memory-files.js";
import { MemoryHost, stopPlugins } from "./memory/memory-host.js";
import { baseUrl, type MemoryParts } from "./memory/memory-parts.js";
import { type GivenPlugin, MemoryPlugin } from "./memory/memory-plugin.js";
import { MemorySessions } from "./memory/memory-sessions.js";
import type { OtherPlugin, TestHost, TestHostOptions } from "./test-host.js";

/** Bytes of one message between a plugin and a host without settings. */
const largestMessage = 64 * 1024 * 1024;

/**
 * Brings a plugin up in a host in memory, which answers as a server does. Rejects with the `RequestError` 500
 * `plugin-error` that a server would refuse the plugin with: a configuration that does not fit its schema, a `setup`
 * that throws, routes or services that are none. Rejects with a `TypeError` for names, versions and times that are
 * none, and with 400 `request-bad-request` for a broken procedure.
 *
 * @example
 * ```ts
 * const host = await createTestHost({ plugin, config: { greeting: "Hello" } });
 * const session = await host.openSession(projectOf({ name: "Office", items: [{ article: "A-1" }] }));
 * const answer = await host.post("hello.json", { sessionId: session.id });
 * assert.deepEqual(answer.json, { text: "Hello, Office!" });
 * await host.stop();
 * ```
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const tested = givenPlugin({ ...options, name: options.name ?? "plugin" });
  const others = (options.others ?? []).map(givenPlugin);
  const live: MemoryPlugin[] = [];
  const parts = memoryParts(options, `${tested.name}@${tested.version}`, live);
  try {
    for (const each of [...others, tested]) live.push(await MemoryPlugin.start(each, parts));
  } catch (error) {
    await stopPlugins(live);
    throw error;
  }
  return new MemoryHost(parts, live, options.printer);
}

function memoryParts(options: TestHostOptions, label: string, live: readonly MemoryPlugin[]): MemoryParts {
  const clock = new FakeClock(startTime(options.now ?? "2026-03-02T09:30:00Z"));
  const files = new MemoryFiles(baseUrl, clock);
  const sessions = new MemorySessions();
  const metrics = new CollectedMetrics(label, () => {
    for (const plugin of live) plugin.sendMetrics();
  });
  const providers = {
    sessions,
    artifacts: files,
    pdf: givenPrinting(options.printer),
    templates: givenTemplates(options.templates ?? []),
    procedures: givenProcedures(options.procedures ?? []),
    fetch: givenFetch(options.fetch ?? {}),
    plugins: () => [live],
  };
  const services = createHostServices(providers, largestMessage);
  return { services, files, sessions, log: new CollectedLog(clock), metrics, clock };
}

/** Milliseconds since the epoch. */
function startTime(now: Date | string): number {
  const time = new Date(now).getTime();
  if (Number.isNaN(time))
    throw new TypeError(`now: expected a time such as "2026-03-02T09:30:00Z", received ${now}`);
  return time;
}

/** As in manifests. */
const publicName = /^[A-Za-z][A-Za-z0-9.-]{0,63}$/;

/** A plugin with all that was left out. */
function givenPlugin(given: OtherPlugin): GivenPlugin {
  const { plugin, name, version = "1.0.0", aliases = [], config = {} } = given;
  const wrong = [name, ...aliases].find((each) => !publicName.test(each));
  if (wrong !== undefined)
    throw new TypeError(
      `name: expected a letter, then letters, digits, "." or "-", received ${JSON.stringify(wrong)}`,
    );
  if (semver.valid(version) === null)
    throw new TypeError(`version: expected one such as "1.0.0", received ${JSON.stringify(version)}`);
  return { plugin, name, version, aliases, config };
}
