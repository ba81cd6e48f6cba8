import { join } from "node:path";
import { PluginValues } from "@slipway/sdk/runtime/host";
import type { Configuration } from "./configuration/configuration.js";
import { readPricingProcedures } from "./configuration/pricing-procedures.js";
import { settingsOfFiles } from "./configuration/read-environment.js";
import { createEngine } from "./engine/create-engine.js";
import type { Engine } from "./engine/engine.js";
import { createOutgoingFetch } from "./fetch/fetch.js";
import { ownFile } from "./files/files.js";
import { EventLoopWatch } from "./observability/event-loop-delay.js";
import { createEventLog } from "./observability/events/event-log.js";
import { StorageHealth } from "./observability/health.js";
import type { HostLog } from "./observability/log.js";
import { HostMetrics } from "./observability/metrics/metrics.js";
import { createTracing } from "./observability/tracing/create-tracing.js";
import { createPdfService } from "./pdf/pdf.js";
import { Pictures } from "./pictures/pictures.js";
import { createPluginSupervisor, type SharedPlugins } from "./plugins/plugins.js";
import { configuredReleases } from "./plugins/releases.js";
import { ValueFiles } from "./plugins/value-files.js";
import { AccessControl } from "./security/access-control.js";
import { ConfigurationNotes } from "./security/audit/configuration-notes.js";
import { ProjectOpener, SessionCopies, type SessionObserver, Sessions } from "./sessions/sessions.js";
import { Confinement } from "./system/confinement/confinement.js";
import { hostVersion, sdkFolder } from "./system/installation.js";
import { prepareVar } from "./system/var-folder.js";
import { createTemplateService } from "./templates/templates.js";

/** All parts of one host. */
export type HostParts = Awaited<ReturnType<typeof createHostParts>>;

/**
 * Creates and connects the parts of a host without starting them. Rejects with a message for users when the folder of
 * run-time data is unusable.
 */
export async function createHostParts(configuration: Configuration, log: HostLog) {
  const { folders } = configuration;
  const procedures = await readPricingProcedures(folders.procedures);
  const place = await prepareVar(configuration.var, log);
  const varDirectory = place.folder;
  const engine = await createEngine(configuration, log);
  const { sessions: store, artifacts } = engine;
  const accessControl = new AccessControl(configuration, engine, log);
  const metrics = new HostMetrics(configuration.metrics, log);
  const tracing = await createTracing({
    configuration: configuration.tracing,
    environment: process.env,
    version: hostVersion,
    log,
  });

  const confinement = await Confinement.open(
    configuration.plugins.confinement,
    join(varDirectory, "confinement"),
  );
  const opener = new ProjectOpener(configuration.sessions.opening, confinement);
  const fetch = createOutgoingFetch({ configuration: configuration.fetch, log });
  const pictures = new Pictures(configuration.pdf.pictures, log, confinement);
  const pdf = createPdfService({
    configuration: configuration.pdf,
    varDirectory,
    log,
    pictures,
    confinement,
    fetch,
    ownFile: (link) => ownFile(artifacts, link),
    measures: metrics.reports.pdf,
  });
  const templates = await createTemplateService({
    configuration: configuration.templates,
    folders: folders.templates,
    storeFolder: join(varDirectory, "template-store"),
    isForAuthors: configuration.preview,
    measures: metrics.reports.rendering,
    confinement,
    log,
  });
  const events = createEventLog({ journal: engine.events, log });
  const plugins = await createPluginSupervisor({
    configuration: configuration.plugins,
    confinement,
    ...configuredReleases(configuration),
    folders: folders.plugins,
    varDirectory,
    concealed: settingsOfFiles(process.env, process.cwd()),
    publicUrl: configuration.publicUrl,
    sdkDirectory: sdkFolder,
    sessions: store,
    pictures,
    artifacts,
    pdf,
    templates,
    procedures,
    fetch,
    store: new PluginValues(new ValueFiles(join(varDirectory, "plugin-values"), log)),
    journal: events,
    fleet: sharedPlugins(engine),
    measures: metrics.measures,
    useTemplates: (brought) => templates.usePlugins(brought),
    log,
  });

  const sessionObserver: SessionObserver = {
    opened(id, assets) {
      plugins.sessionHooks.opened(id);
      if (assets.length === 0) return;
      pictures.startAhead(assets);
      pdf.startAhead();
    },
    closed: (id, reason) => plugins.sessionHooks.closed(id, reason),
  };

  const sessions = new Sessions(store, opener, configuration.sessions, sessionObserver);
  return {
    place,
    accessControl,
    metrics,
    tracing,
    engine,
    opener,
    sessions,
    pictures,
    copies: new SessionCopies({ configuration, sessions, log }),
    pdf,
    templates,
    procedures,
    events,
    plugins,
    confinement,
    storage: new StorageHealth(configuration, log),
    eventLoop: new EventLoopWatch(),
    configurationNotes: new ConfigurationNotes(events, accessControl.audit),
  };
}

function sharedPlugins({ switches, outcomes, shelf }: Engine): SharedPlugins | undefined {
  return switches && outcomes && shelf && { switches, outcomes, shelf };
}
