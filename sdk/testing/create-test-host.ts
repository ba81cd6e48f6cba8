import { readFile } from "node:fs/promises";
import semver from "semver";
import { RequestError } from "../errors.js";
import type { Procedures } from "../plugin/host.js";
import { PricingProcedure } from "../project/document.js";
import { createHostServices, type LimitedFetch } from "../runtime/services/host-services.js";
import { checkLink, foreignServer, linkTooLarge, linkUrl } from "../runtime/services/outgoing-link.js";
import type { Printing } from "../runtime/services/printing.js";
import { type Check, checked, Validator } from "../validation.js";
import { CollectedLog } from "./memory/collected-log.js";
import { CollectedMetrics } from "./memory/collected-metrics.js";
import { FakeClock } from "./memory/fake-clock.js";
import { givenTemplates } from "./memory/given-templates.js";
import { MemoryFiles } from "./memory/memory-files.js";
import { MemoryHost, stopPlugins } from "./memory/memory-host.js";
import { baseUrl, type MemoryParts } from "./memory/memory-parts.js";
import { type GivenPlugin, MemoryPlugin } from "./memory/memory-plugin.js";
import { MemorySessions } from "./memory/memory-sessions.js";
import type { OtherPlugin, TestHost, TestHostOptions, TestPrinter } from "./test-host.js";

/** Written by the build. */
const standardFile = new URL("./STDB2B_WBK.json", import.meta.url);

/** Both for all hosts of a test run. */
let standard: Promise<PricingProcedure> | undefined;

let check: Check<PricingProcedure> | undefined;

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

/** Answers what the test gives for a URL, and refuses all others as a host does that is not allowed to ask there. */
function givenFetch(given: NonNullable<TestHostOptions["fetch"]>): LimitedFetch {
  return async (link, { maxBytes = Number.POSITIVE_INFINITY }) => {
    const url = linkUrl(link);
    checkLink(url);
    const answer = Object.hasOwn(given, link) ? given[link] : undefined;
    if (answer === undefined) throw foreignServer(url);
    const fetched = typeof answer === "function" ? await answer() : answer;
    const { status = 200, mediaType = "application/octet-stream" } = fetched;
    const content = typeof fetched.content === "string" ? Buffer.from(fetched.content) : fetched.content;
    if (content.byteLength > maxBytes) throw linkTooLarge(maxBytes);
    return { status, mediaType, content };
  };
}

/** Prints with the printer of the test; without one every document ends with 503 that says what to give. */
function givenPrinting(printer: TestPrinter | undefined): Printing {
  return {
    print: async ({ html, tagged, scripts, prependLinks, appendLinks, resources, signal }) => {
      if (printer === undefined) throw noPrinter();
      const load = (path: string): ReturnType<typeof resources.load> => resources.load(path);
      return await printer.print({ html, tagged, scripts, prependLinks, appendLinks, load, signal });
    },
  };
}

function noPrinter(): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: "This test host prints nothing; give createTestHost a `printer`, such as `chromiumPrinter()`.",
    headers: { "Retry-After": "1" },
  });
}

/**
 * The procedures of a test, and STDB2B_WBK, which every host has. Throws 400 `request-bad-request` for one that does not fit the
 * schema.
 */
function givenProcedures(given: readonly PricingProcedure[]): Procedures {
  const procedures = new Map(given.map(copyOf).map((procedure) => [procedure.name, procedure]));
  return {
    find: async (name) => {
      const found = procedures.get(name);
      if (found !== undefined || name !== "STDB2B_WBK") return found;
      standard ??= readFile(standardFile, "utf8").then((text) => copyOf(JSON.parse(text)));
      return await standard;
    },
  };
}

/** After a way through JSON, so that what the test has stays as it is. */
function copyOf(procedure: unknown): PricingProcedure {
  check ??= new Validator().compile(PricingProcedure, "procedure");
  const copy: unknown = JSON.parse(JSON.stringify(procedure));
  return checked(check(copy), "The pricing procedure is not valid");
}
