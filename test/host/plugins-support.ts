/**
 * A running plugin supervisor for tests, with real stores behind it, and eyes for its log and its processes. Uses the part
 * itself: tests look into its versions and log, and start it in a fraction of the time of a host.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type AbortingError,
  checked,
  type Log,
  type ProjectDocument,
  RequestError,
  Validator,
} from "@slipway/sdk";
import { type LivePlugin, type PluginCall, PluginValues, untraced } from "@slipway/sdk/runtime/host";
import { PluginsConfiguration } from "../../host/configuration/plugins-configuration.js";
import { TemplatesConfiguration } from "../../host/configuration/templates-configuration.js";
import { createFileArtifactStore } from "../../host/files/files.js";
import { logEvent } from "../../host/observability/events/event-text.js";
import type { EventFacts } from "../../host/observability/events/plugin-event.js";
import { logWith } from "../../host/observability/log.js";
import { createPluginSupervisor, type PluginSupervisor } from "../../host/plugins/plugins.js";
import { configuredReleases } from "../../host/plugins/releases.js";
import { ValueFiles } from "../../host/plugins/value-files.js";
import { createFileSessionStore } from "../../host/sessions/sessions.js";
import { Confinement } from "../../host/system/confinement/confinement.js";
import { createTemplateService } from "../../host/templates/create-template-service.js";
import { failOnStageFaults } from "../stage-faults.js";
import { outgoingFetch } from "./fetch-support.js";
import { filesConfiguration } from "./files-support.js";
import { newService } from "./pdf-support.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
export const fixtures = join(repository, "test", "fixtures", "plugins");

export interface PluginsSettings {
  /** Without it a new temporary folder, which goes when the plugins have stopped. */
  varDirectory?: string;
  folders: string[];
  plugins?: Record<string, unknown>;
  releases?: Record<string, Record<string, string>>;
  fetch?: Record<string, unknown>;
  /** Of all generated files together. */
  maximumBytes?: number;
}

export interface LogEntry {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

export interface Outcome {
  status: number;
  mediaType?: string;
  text: string;
  /** Of a JSON answer. */
  body: Record<string, unknown>;
  error?: AbortingError;
  headers?: Record<string, string>;
}

export interface Ask {
  body?: unknown;
  query?: Record<string, unknown>;
  params?: Record<string, string>;
  session?: PluginCall["session"];
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  release?: string;
  requestId?: string;
}

export interface StartedPlugins {
  supervisor: PluginSupervisor;
  varDirectory: string;
  pdf: ReturnType<typeof newService>;
  log: LogEntry[];
  plugin(name: string, release?: string): LivePlugin;
  /** One request; an aborting error is an outcome too. */
  ask(plugin: string, route: string, ask?: Ask): Promise<Outcome>;
  /** Opens a session and gives what a request carries of it. */
  openSession(project: ProjectDocument, pictures?: Uint8Array[]): Promise<NonNullable<PluginCall["session"]>>;
  /** As after a change of the configuration; one of them is for paths without a release. */
  useReleases(releases: Record<string, Record<string, string>>, defaultRelease: string): Promise<void>;
  /** The first line of the log, past or future, that fits. */
  logged(fits: (entry: LogEntry) => boolean): Promise<LogEntry>;
  stop(): Promise<void>;
}

/** Limits that tests reach quickly; a busy machine is no reason to fail. */
const defaults = {
  memory: { heap: 64, soft: 300, hard: 400 },
  startTimeout: 60_000,
  replacementTimeout: 60_000,
  message: 2,
};

export async function startPlugins(settings: PluginsSettings): Promise<StartedPlugins> {
  const { folders, releases = {} } = settings;
  const varDirectory = settings.varDirectory ?? (await mkdtemp(join(tmpdir(), "slipway-test-")));
  const log: LogEntry[] = [];
  const collect = collectingLog(log);
  const validator = new Validator();
  const configuration = checked(
    validator.compile(PluginsConfiguration, "plugins")({ ...defaults, ...settings.plugins }),
    "test",
  );
  const sessions = createFileSessionStore({ folder: join(varDirectory, "sessions"), log: collect });
  const artifacts = createFileArtifactStore({
    folder: join(varDirectory, "files"),
    configuration: filesConfiguration({ maximumBytes: settings.maximumBytes }),
    log: collect,
  });
  const pdf = newService({ varDirectory });
  const pictures = { shown: () => Promise.reject(new Error("not used")) };
  const templates = createTemplateService({
    configuration: checked(validator.compile(TemplatesConfiguration, "templates")({}), "test"),
    folders: [],
    log: collect,
  });
  const journal = { note: (event: EventFacts) => logEvent(collect, event), fault: collect.error };
  const released = (names: Record<string, Record<string, string>>) =>
    configuredReleases({
      releases: names,
      releaseAliases: {},
      deprecatedReleases: {},
      plugins: configuration,
    });
  const supervisor = await createPluginSupervisor({
    configuration,
    confinement: await Confinement.open(configuration.confinement, join(varDirectory, "confinement")),
    ...released(releases),
    folders,
    varDirectory,
    sdkDirectory: join(repository, "sdk"),
    sessions,
    pictures,
    artifacts,
    pdf,
    templates,
    procedures: { find: () => Promise.resolve(undefined) },
    store: new PluginValues(new ValueFiles(join(varDirectory, "plugin-values"), collect)),
    fetch: outgoingFetch(settings.fetch ?? {}, collect),
    journal,
    log: collect,
  });
  await Promise.all([sessions.open(), artifacts.open()]);
  await supervisor.start();

  const plugin = (name: string, release = supervisor.table().defaultRelease): LivePlugin => {
    const found = supervisor.table().releases.get(release)?.get(name);
    if (found === undefined) throw new Error(`${name} is not live under ${release}`);
    return found;
  };
  return {
    supervisor,
    varDirectory,
    pdf,
    log,
    plugin,
    ask: (name, route, ask = {}) => outcome(plugin(name, ask.release), route, ask, collect),
    openSession: async (project, pictures = []) => {
      const summary = { id: project.id, name: "", number: "", currency: "", languages: [] };
      const record = {
        id: randomUUID(),
        locale: "de_DE",
        revision: 1,
        summary: { ...summary, items: 0, articles: 0, views: [], schemes: [] },
      };
      const assets = pictures.map((content) => ({
        sha256: sha256(content),
        mediaType: "image/png",
        content,
      }));
      const content = { project: Buffer.from(JSON.stringify(project)), assets };
      await sessions.create(record, content, {
        lifetime: 60_000,
        maximumSessions: 1000,
        maximumBytes: 1_000_000_000,
      });
      return { id: record.id, locale: record.locale, revision: record.revision };
    },
    useReleases: (names, defaultRelease) => supervisor.useReleases(released(names).releases, defaultRelease),
    logged: async (fits) => {
      let found: LogEntry | undefined;
      await until(() => {
        found = log.find(fits);
        return found !== undefined;
      });
      return found ?? { level: "", message: "", fields: {} };
    },
    stop: async () => {
      await supervisor.stop();
      failOnStageFaults(log.map(({ message, fields }) => ({ ...fields, message })));
      await pdf.stop();
      await sessions.close();
      if (settings.varDirectory === undefined) await rm(varDirectory, { recursive: true, force: true });
    },
  };
}

/** Waits until something is so; fails after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`It never came to this: ${condition}`);
    await pause(20);
  }
}

export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function outcome(plugin: LivePlugin, route: string, ask: Ask, log: Log): Promise<Outcome> {
  const { requestId = randomUUID() } = ask;
  try {
    const { content } = await plugin.call({
      requestId,
      client: undefined,
      route,
      body: JSON.stringify(ask.body ?? null),
      query: JSON.stringify(ask.query ?? {}),
      params: JSON.stringify(ask.params ?? {}),
      session: ask.session,
      locale: ask.session?.locale ?? "en",
      release: ask.release,
      baseUrl: "http://localhost:1234/base",
      signal: ask.signal ?? new AbortController().signal,
      deadline: Date.now() + (ask.timeout ?? 60_000),
      work: untraced(logWith(log, { requestId })),
    });
    if (content.kind !== "text") throw new Error(`The answer is a ${content.kind}`);
    const { mediaType, body } = content;
    return {
      status: 200,
      mediaType,
      text: body,
      body: mediaType === "application/json" ? JSON.parse(body) : {},
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const object = error.toObject();
    return { status: error.code, text: error.message, body: {}, error: object, headers: error.headers };
  }
}

function collectingLog(entries: LogEntry[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      void entries.push({ level, message, fields });
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Files of a plugin with the default manifest, such as "Clock" in the package "clock"; `more`: further members of `slipway`. */
export const pluginFiles = (
  plugin: string,
  version: string,
  entry: string,
  more: Record<string, unknown> = {},
): Record<string, string> => ({
  "package.json": JSON.stringify({
    name: plugin.toLowerCase(),
    version,
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin, entry: "index.ts", ...more },
  }),
  "index.ts": entry,
});
