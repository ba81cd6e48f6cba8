import type { Server } from "node:http";
import { join } from "node:path";
import { Protection } from "./access/protection.js";
import type { PartHealth } from "./api/health.js";
import { createApp } from "./app.js";
import { auditedJournal } from "./audit/audited-journal.js";
import type { Configuration } from "./configuration/configuration.js";
import { ConfigurationNotes } from "./configuration/configuration-notes.js";
import { putIntoForce } from "./configuration/live-settings.js";
import { EventLoopWatch } from "./event-loop-delay.js";
import { createOutgoingFetch } from "./fetch/outgoing-fetch.js";
import { createFileArtifactStore } from "./files/file-artifact-store.js";
import { diskRoom } from "./files/free-disk.js";
import { ownFile } from "./files/own-file.js";
import {
  filesHealth,
  pdfHealth,
  pluginsHealth,
  processHealth,
  sessionsHealth,
  templatesHealth,
  wantedPlugins,
} from "./host-health.js";
import { hostStatus } from "./host-status.js";
import { hostVersion, sdkFolder } from "./installation.js";
import { closeServer, limitReceiving, listen, urlOf } from "./listening.js";
import type { HostLog } from "./log.js";
import { HostMetrics } from "./metrics/metrics.js";
import type { PluginGates } from "./middleware/back-pressure.js";
import { InFlight } from "./middleware/in-flight.js";
import type { RequestObserver } from "./middleware/request-observer.js";
import { createPdfService } from "./pdf/create-pdf-service.js";
import { createEventLog } from "./plugins/events/event-log.js";
import type { PluginState } from "./plugins/plugin-state.js";
import { createPluginSupervisor } from "./plugins/plugin-supervisor.js";
import { configuredReleases } from "./plugins/releases.js";
import { unknownNames } from "./plugins/unknown-names.js";
import { readPricingProcedures } from "./pricing-procedures.js";
import { RecentRequests } from "./requests/recent-requests.js";
import { requestLines } from "./requests/request-lines.js";
import { createFileSessionStore } from "./sessions/file-session-store.js";
import { ProjectOpener } from "./sessions/project-opener.js";
import { Sessions } from "./sessions/sessions.js";
import { StorageHealth } from "./storage-health.js";
import { sweepRegularly } from "./sweeping.js";
import { createTemplateService } from "./templates/create-template-service.js";
import { createTracing } from "./tracing/tracing.js";
import { prepareVar } from "./var-folder.js";

export interface Host {
  /** Ends when requests are answered. */
  start(): Promise<{ url: string }>;
  /** What the parts say of themselves. */
  parts(): Promise<Record<string, PartHealth>>;
  /** Where each plugin version stands. */
  pluginStates(): PluginState[];
  /**
   * Takes over what of a configuration can change while the host runs; `keys` are those that did. Resolves when it is in
   * force.
   */
  reconfigure(next: Configuration, keys: readonly string[]): Promise<void>;
  /** What became of the configuration that was read last. */
  readonly configurationNotes: ConfigurationNotes;
  /** Finishes what runs, then stops plugins, browser and stores; nothing is left behind. */
  stop(): Promise<void>;
}

/** They are taken over together, once what they name is up, and have an event of their own. */
const releaseSettings: ReadonlySet<string> = new Set([
  "releases",
  "deprecatedReleases",
  "plugins.defaultRelease",
]);

/** All parts of the host, and the order in which they start and stop. */
export async function createHost(started: Configuration, log: HostLog): Promise<Host> {
  // What all parts read; live settings change in it.
  const configuration = structuredClone(started);
  const { folders, var: varDirectory } = configuration;
  const procedures = await readPricingProcedures(folders.procedures);
  const place = await prepareVar(varDirectory);
  const protection = new Protection(configuration, log);
  await protection.open();
  const metrics = new HostMetrics(configuration.metrics, log);
  const store = createFileSessionStore({ folder: join(varDirectory, "sessions"), log });
  const opener = new ProjectOpener(configuration.sessions.opening);
  const artifacts = createFileArtifactStore({
    folder: join(varDirectory, "files"),
    configuration: configuration.files,
    log,
  });
  const fetch = createOutgoingFetch({ configuration: configuration.fetch, log });
  const pdf = createPdfService({
    configuration: configuration.pdf,
    varDirectory,
    log,
    fetch,
    ownFile: (link) => ownFile(artifacts, link),
    measures: metrics.reports.pdf,
  });
  const templates = createTemplateService({
    configuration: configuration.templates,
    folders: folders.templates,
    storeFolder: join(varDirectory, "template-store"),
    excerpts: configuration.preview,
    measures: metrics.reports.rendering,
    log,
  });
  const events = createEventLog({ file: join(varDirectory, "events.jsonl"), log });
  await events.open();
  const journal = auditedJournal(events, protection.audit);
  const plugins = await createPluginSupervisor({
    configuration: configuration.plugins,
    ...configuredReleases(configuration),
    folders: folders.plugins,
    varDirectory,
    sdkDirectory: sdkFolder,
    sessions: store,
    artifacts,
    pdf,
    templates,
    procedures,
    fetch,
    journal,
    measures: metrics.measures,
    log,
  });

  const configurationNotes = new ConfigurationNotes(journal);
  const storage = new StorageHealth(configuration, log);
  const parts = async (): Promise<Record<string, PartHealth>> => ({
    pdf: pdfHealth(pdf.health()),
    templates: templatesHealth(templates.states(), templates.storeStates()),
    plugins: pluginsHealth(plugins.table(), plugins.states(), configuration.releases),
    sessions: sessionsHealth(await store.usage(), configuration.sessions),
    files: filesHealth(artifacts.usage(), configuration.files),
    process: processHealth(eventLoop.delay.max),
    storage: storage.health(),
    configuration: configurationNotes.health(),
    access: protection.health(),
  });
  const warnOfUnknownNames = (current: Configuration): void => {
    const names = plugins.states().flatMap(({ name }) => name ?? []);
    const aliases = names.flatMap((name) => plugins.overview(name)?.aliases ?? []);
    const settings = unknownNames(current, new Set([...names, ...aliases]));
    if (settings.length > 0) log.warn("Settings name plugins that are not there", { settings });
  };
  const inFlight = new InFlight();
  const tracing = await createTracing({
    configuration: configuration.tracing,
    environment: process.env,
    version: hostVersion,
    log,
  });
  const gates: PluginGates = new Map();
  const eventLoop = new EventLoopWatch();
  const sessions = new Sessions(store, opener, configuration.sessions);
  const status = hostStatus({
    inFlight,
    gates,
    pdf,
    sessions: store,
    artifacts,
    states: () => plugins.states(),
  });
  let expired = 0;
  metrics.show({
    plugins,
    events,
    templates,
    stores: {
      status,
      artifacts,
      sessions: () => ({ opened: sessions.opened, expired }),
      disk: () => diskRoom(varDirectory),
    },
    parts,
    wanted: () => wantedPlugins(plugins.table(), configuration.releases),
  });
  const recent = new RecentRequests();
  const observers: RequestObserver[] = [requestLines(log), recent.keep, metrics.observe];
  const app = createApp({
    configuration,
    protection,
    log,
    inFlight,
    observers,
    tracing,
    recent,
    status: { status, eventLoop, started: new Date() },
    gates,
    artifacts,
    sessions,
    metrics,
    uploads: place.uploads,
    table: () => plugins.table(),
    states: { plugins, events, templates },
    health: {
      refusing: () => (inFlight.stopping ? "the host is stopping" : undefined),
      parts,
      maySee: (ctx) => protection.access.mayRead(ctx),
    },
  });
  let server: Server | undefined;
  let endSweeping: (() => Promise<void>) | undefined;

  return {
    async start() {
      await allStarted([store.open(), artifacts.open()]);
      const services = templates.start();
      await allStarted([pdf.start(), services, plugins.start(services)]);
      warnOfUnknownNames(configuration);
      endSweeping = sweepRegularly({
        sessions: store,
        artifacts,
        storage,
        log,
        swept: (removed) => {
          expired += removed.sessions;
        },
      });
      const { host, port, requests, security } = configuration;
      server = await listen(app.callback(), {
        host,
        port,
        receive: requests.receive,
        connections: security.connections,
        overcrowded: () =>
          log.warn("New connections are closed, because as many are open as security.connections allows"),
        observers,
      });
      eventLoop.start();
      return { url: urlOf(server) };
    },
    parts,
    pluginStates: () => plugins.states(),
    configurationNotes,
    reconfigure: async (next, keys) => {
      // First, because it is the one that may fail.
      if (keys.some((key) => releaseSettings.has(key))) {
        const { releases, defaultRelease } = configuredReleases(next);
        await plugins.useReleases(releases, defaultRelease, "configuration");
      }
      putIntoForce(configuration, next);
      log.setLevel(configuration.log.level);
      if (server !== undefined) limitReceiving(server, configuration.requests.receive);
      warnOfUnknownNames(configuration);
      const others = keys.filter((key) => !releaseSettings.has(key));
      if (others.length > 0) configurationNotes.inForce(others);
    },
    async stop() {
      const drained = await inFlight.drain(configuration.requests.drain);
      log.info("The host stops", drained);
      if (server !== undefined) await closeServer(server);
      await endSweeping?.();
      await stopAll(
        [
          () => plugins.stop(),
          async () => metrics.stop(),
          () => events.close(),
          () => templates.stop(),
          () => pdf.stop(),
          async () => opener.stop(),
          () => store.close(),
          () => tracing.stop(),
          async () => eventLoop.stop(),
          () => protection.close(),
        ],
        log,
      );
      await place.leave();
    },
  };
}

/** Waits for all of them also when one fails, so that nothing starts any more while the others are stopped. */
async function allStarted(starts: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** One after the other; a part that fails to stop keeps none of the others from it. */
async function stopAll(stops: (() => Promise<void>)[], log: HostLog): Promise<void> {
  for (const stop of stops)
    await stop().catch((error: unknown) => log.error("A part did not stop well", { error }));
}
