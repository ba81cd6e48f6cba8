import type { Log } from "@slipway/sdk";
import type { HostServices } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { PluginMeasures } from "../../observability/measures.js";
import { bringUp } from "../instances/bring-up.js";
import { SupervisedPlugin, type VersionObserver } from "../instances/supervised-plugin.js";
import { settingsOf } from "../snapshots/plugin-settings.js";
import type { Candidate } from "./candidate.js";

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
