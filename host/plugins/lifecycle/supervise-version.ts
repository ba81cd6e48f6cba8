import type { Log } from "@slipway/sdk";
import type { HostServices } from "@slipway/sdk/runtime/host";
import type { Candidate } from "../deployment/candidate.js";
import type { Journal } from "../events/plugin-event.js";
import { settingsOf } from "../intake/plugin-settings.js";
import type { PluginMeasures } from "../plugin-measures.js";
import type { PluginsConfiguration } from "../plugins-configuration.js";
import { bringUp } from "./bring-up.js";
import { SupervisedPlugin, type VersionObserver } from "./supervised-plugin.js";

export interface SuperviseOptions {
  candidate: Candidate;
  observer: VersionObserver;
  configuration: PluginsConfiguration;
  services: HostServices;
  measures?: PluginMeasures | undefined;
  journal: Journal;
  log: Log;
}

/** A version that is ready to be started, with its settings as the configuration has them. */
export function superviseVersion(options: SuperviseOptions): SupervisedPlugin {
  const { candidate, observer, configuration, services, measures, journal, log } = options;
  const { snapshot, record } = candidate;
  const settings = settingsOf(snapshot, configuration.config);
  return new SupervisedPlugin({
    snapshot,
    configuration,
    record,
    observer,
    journal,
    log,
    bringUp: (callbacks, signal, first) =>
      bringUp(
        { snapshot, settings, configuration, services, measures, log, callbacks },
        record,
        signal,
        first,
      ),
  });
}
