import type { Configuration } from "./configuration/configuration.js";
import {
  filesHealth,
  pdfHealth,
  pluginsHealth,
  processHealth,
  sessionsHealth,
  templatesHealth,
} from "./host-health.js";
import type { HostParts } from "./host-parts.js";
import type { PartHealth } from "./part-health.js";

/** What each part of the host says of itself now, by its name in `/readyz`. */
export async function partsHealth(
  parts: HostParts,
  configuration: Configuration,
): Promise<Record<string, PartHealth>> {
  const { pdf, templates, plugins, store, artifacts, eventLoop, storage, configurationNotes, protection } =
    parts;
  return {
    pdf: pdfHealth(pdf.health()),
    templates: templatesHealth(templates.states(), templates.storeStates()),
    plugins: pluginsHealth(plugins.table(), plugins.states(), configuration.releases),
    sessions: sessionsHealth(await store.usage(), configuration.sessions),
    files: filesHealth(artifacts.usage(), configuration.files),
    process: processHealth(eventLoop.delay.max),
    storage: storage.health(),
    configuration: configurationNotes.health(),
    access: protection.health(),
  };
}
