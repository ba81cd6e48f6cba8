import { join } from "node:path";
import { auditedJournal } from "./audit/audited-journal.js";
import type { Configuration } from "./configuration/configuration.js";
import { ConfigurationNotes } from "./configuration/configuration-notes.js";
import { EventLoopWatch } from "./event-loop-delay.js";
import { createOutgoingFetch } from "./fetch/outgoing-fetch.js";
import { createFileArtifactStore } from "./files/file-artifact-store.js";
import { ownFile } from "./files/own-file.js";
import { hostVersion, sdkFolder } from "./installation.js";
import type { HostLog } from "./log.js";
import { HostMetrics } from "./metrics/metrics.js";
import { createPdfService } from "./pdf/create-pdf-service.js";
import { createEventLog } from "./plugins/events/event-log.js";
import { createPluginSupervisor } from "./plugins/plugin-supervisor.js";
import { configuredReleases } from "./plugins/releases.js";
import { readPricingProcedures } from "./pricing-procedures.js";
import { Protection } from "./protection.js";
import { createFileSessionStore } from "./sessions/file-session-store.js";
import { ProjectOpener } from "./sessions/project-opener.js";
import { Sessions } from "./sessions/sessions.js";
import { StorageHealth } from "./storage-health.js";
import { createTemplateService } from "./templates/create-template-service.js";
import { createTracing } from "./tracing/create-tracing.js";
import { prepareVar } from "./var-folder.js";

/** All parts of one host. */
export type HostParts = Awaited<ReturnType<typeof createHostParts>>;

/**
 * Everything that a host consists of, made and not started yet; what needs another part gets it here. Rejects with a
 * message for people when the folder of run-time data cannot be used.
 */
export async function createHostParts(configuration: Configuration, log: HostLog) {
  const { folders, var: varDirectory } = configuration;
  const procedures = await readPricingProcedures(folders.procedures);
  const place = await prepareVar(varDirectory);
  const protection = new Protection(configuration, log);
  await protection.open();
  const metrics = new HostMetrics(configuration.metrics, log);
  const tracing = await createTracing({
    configuration: configuration.tracing,
    environment: process.env,
    version: hostVersion,
    log,
  });

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

  return {
    place,
    protection,
    metrics,
    tracing,
    store,
    opener,
    sessions: new Sessions(store, opener, configuration.sessions),
    artifacts,
    pdf,
    templates,
    events,
    plugins,
    storage: new StorageHealth(configuration, log),
    eventLoop: new EventLoopWatch(),
    configurationNotes: new ConfigurationNotes(journal),
  };
}
